import type { DepthLevel, QuoteTrading } from '../../../domain/quote.ts';
import type { TickMode } from '../../../domain/tick.ts';
import { epochMs, type EpochMs } from '../../../units/branded.ts';

/**
 * One packet, in rupees and shares. Null where the packet's length has no such field, and where it
 * is 0.
 */
export interface KiteTick {
  readonly token: number;
  readonly mode: TickMode;
  readonly lastPrice: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly previousClose: number | null;
  /** Null for indices, and for ticks that hold only the last price. */
  readonly volume: number | null;
  readonly depth: {
    readonly buy: readonly DepthLevel[];
    readonly sell: readonly DepthLevel[];
  } | null;
  /** Null where the packet has none of it; of its figures null as above, but for quantities. */
  readonly trading: QuoteTrading | null;
  /** Epoch ms, to the second: the exchange's time, else that of the last trade. */
  readonly at: EpochMs | null;
}

export type Frame =
  | { readonly kind: 'heartbeat' }
  /** `unread` counts packets of an unknown length; the other packets of the frame are valid. */
  | { readonly kind: 'ticks'; readonly ticks: readonly KiteTick[]; readonly unread: number }
  /** The lengths do not add up: nothing of such a frame is used. */
  | { readonly kind: 'bad'; readonly reason: string };

/** Segments whose prices are not in paise: currencies. */
const DIVISORS: Readonly<Record<number, number>> = { 3: 10_000_000, 6: 10_000 };

/** Reads a binary message (docs/spec/kite-ticker.md). Never throws. */
export function readFrame(bytes: Uint8Array): Frame {
  if (bytes.byteLength === 1) return { kind: 'heartbeat' };
  if (bytes.byteLength < 2) return bad('the frame is empty');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint16(0);
  const ticks: KiteTick[] = [];
  let unread = 0;
  let at = 2;
  for (let packet = 0; packet < count; packet += 1) {
    if (at + 2 > view.byteLength) return bad('the frame ends before its last packet');
    const length = view.getUint16(at);
    at += 2;
    if (at + length > view.byteLength) return bad('a packet is longer than the rest of the frame');
    const tick = readPacket(new DataView(bytes.buffer, bytes.byteOffset + at, length));
    if (tick === null) unread += 1;
    else ticks.push(tick);
    at += length;
  }
  if (at !== view.byteLength) return bad('the frame has bytes after its last packet');
  return { kind: 'ticks', ticks, unread };
}

const bad = (reason: string): Frame => ({ kind: 'bad', reason });

function readPacket(packet: DataView): KiteTick | null {
  switch (packet.byteLength) {
    case 8:
      return { ...base(packet, 'ltp'), ...NOTHING_MORE };
    case 28:
      return indexTick(packet, 'quote');
    case 32:
      return indexTick(packet, 'full');
    case 44:
      return shareTick(packet, 'quote');
    case 184:
      return shareTick(packet, 'full');
    default:
      return null;
  }
}

const NOTHING_MORE = {
  open: null,
  high: null,
  low: null,
  previousClose: null,
  volume: null,
  depth: null,
  trading: null,
  at: null,
} as const;

function base(packet: DataView, mode: TickMode) {
  return { token: packet.getUint32(0), mode, lastPrice: priceAt(packet, 4) };
}

/** High, low, open, close: not the order that shares have. */
function indexTick(packet: DataView, mode: TickMode): KiteTick {
  return {
    ...base(packet, mode),
    high: orNull(priceAt(packet, 8)),
    low: orNull(priceAt(packet, 12)),
    open: orNull(priceAt(packet, 16)),
    previousClose: orNull(priceAt(packet, 20)),
    volume: null,
    depth: null,
    trading: null,
    at: mode === 'full' ? timeAt(packet, 28) : null,
  };
}

function shareTick(packet: DataView, mode: TickMode): KiteTick {
  const full = mode === 'full';
  return {
    ...base(packet, mode),
    // On a day without trades the volume is 0, which is a valid figure.
    volume: packet.getUint32(16),
    open: orNull(priceAt(packet, 28)),
    high: orNull(priceAt(packet, 32)),
    low: orNull(priceAt(packet, 36)),
    previousClose: orNull(priceAt(packet, 40)),
    at: full ? (timeAt(packet, 60) ?? timeAt(packet, 44)) : null,
    depth: full ? { buy: levels(packet, 64), sell: levels(packet, 124) } : null,
    trading: {
      lastQuantity: packet.getUint32(8),
      averagePrice: orNull(priceAt(packet, 12)),
      buyQuantity: packet.getUint32(20),
      sellQuantity: packet.getUint32(24),
      lastTradeAt: full ? timeAt(packet, 44) : null,
      openInterest: full ? packet.getUint32(48) : null,
      openInterestHigh: full ? packet.getUint32(52) : null,
      openInterestLow: full ? packet.getUint32(56) : null,
    },
  };
}

/** Five levels; empty ones are zeros. */
function levels(packet: DataView, start: number): readonly DepthLevel[] {
  const found: DepthLevel[] = [];
  for (let at = start; at < start + 60; at += 12) {
    const quantity = packet.getUint32(at);
    const price = priceAt(packet, at + 4);
    if (quantity > 0 && price > 0)
      found.push({ price, quantity, orders: packet.getUint16(at + 8) });
  }
  return found;
}

function priceAt(packet: DataView, at: number): number {
  const segment = packet.getUint8(3);
  return packet.getUint32(at) / (DIVISORS[segment] ?? 100);
}

function timeAt(packet: DataView, at: number): EpochMs | null {
  const seconds = packet.getUint32(at);
  return seconds === 0 ? null : epochMs(seconds * 1_000);
}

const orNull = (figure: number): number | null => (figure === 0 ? null : figure);
