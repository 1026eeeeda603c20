import type { Level } from '../exchange/depth.ts';

export type TickerMode = 'ltp' | 'quote' | 'full';

/** The figures of a tick. Prices in the unit of the segment (paise), times in epoch seconds. */
export interface TickFigures {
  token: number;
  index: boolean;
  last: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  average: number;
  at: number;
  bids: readonly Level[];
  asks: readonly Level[];
}

/** Big-endian numbers, one after the other. */
function bytesOf(...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(numbers.reduce((total, [bytes]) => total + bytes, 0));
  let at = 0;
  for (const [bytes, value] of numbers) at = buffer.writeUIntBE(Math.round(value), at, bytes);
  return buffer;
}

const wide = (...values: number[]): Buffer =>
  bytesOf(...values.map((value) => [4, value] as const));

/** The total quantity of all levels, at most what four bytes can hold. */
const quantityOf = (levels: readonly Level[]): number =>
  Math.min(
    2 ** 32 - 1,
    levels.reduce((total, level) => total + level.quantity, 0),
  );

function five(levels: readonly Level[]): Buffer {
  const rows = levels
    .slice(0, 5)
    .map(({ quantity, price, orders }) => bytesOf([4, quantity], [4, price], [2, orders], [2, 0]));
  return Buffer.concat([...rows, Buffer.alloc(60)]).subarray(0, 60);
}

function indexPacket(tick: TickFigures, mode: TickerMode): Buffer {
  const change = Buffer.alloc(4);
  change.writeInt32BE(tick.last - tick.close);
  const { token, last, high, low, open, close } = tick;
  const figures = Buffer.concat([wide(token, last, high, low, open, close), change]);
  return mode === 'full' ? Buffer.concat([figures, wide(tick.at)]) : figures;
}

/** One instrument's packet: 8, 28, 32, 44 or 184 bytes. */
export function packetOf(tick: TickFigures, mode: TickerMode): Buffer {
  const { token, last, open, high, low, close, volume, average, at, bids, asks } = tick;
  if (mode === 'ltp') return wide(token, last);
  if (tick.index) return indexPacket(tick, mode);
  const [buying, selling] = [quantityOf(bids), quantityOf(asks)];
  const figures = wide(token, last, 1, average, volume, buying, selling, open, high, low, close);
  if (mode === 'quote') return figures;
  return Buffer.concat([figures, wide(at, 0, 0, 0, at), five(bids), five(asks)]);
}

/** Packets as one message: their count, then the length and bytes of each. */
export function messageOf(packets: readonly Buffer[]): Buffer {
  return Buffer.concat([
    bytesOf([2, packets.length]),
    ...packets.flatMap((packet) => [bytesOf([2, packet.byteLength]), packet]),
  ]);
}

/** One byte that says that the connection is alive. */
export const heartbeat: Buffer = Buffer.of(0);
