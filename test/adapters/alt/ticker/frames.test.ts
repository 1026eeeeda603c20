import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf, packetOf, type TickerMode } from '../../../../sandbox/kite/tick-packets.ts';
import { readFrame, type KiteTick } from '../../../../src/adapters/alt/ticker/frames.ts';

/** Big-endian 32-bit numbers in hex, as a document would print them. */
const words = (...values: number[]): string =>
  values.map((value) => value.toString(16).padStart(8, '0')).join('');
const half = (value: number): string => value.toString(16).padStart(4, '0');
const frame = (...packets: string[]): Uint8Array =>
  Buffer.from(
    half(packets.length) + packets.map((hex) => half(hex.length / 2) + hex).join(''),
    'hex',
  );

const INFY = 408_065;
const NIFTY = 256_265;

function ticksOf(bytes: Uint8Array): readonly KiteTick[] {
  const read = readFrame(bytes);
  if (read.kind !== 'ticks') throw new Error(`${read.kind}: ${JSON.stringify(read)}`);
  return read.ticks;
}

const level = (quantity: number, price: number, orders: number): string =>
  words(quantity, price) + half(orders) + half(0);
const NO_LEVEL = level(0, 0, 0);

describe('a packet', () => {
  it('of 8 bytes is a last price', () => {
    expect(ticksOf(frame(words(INFY, 148_005)))).toEqual([
      {
        ...{ token: INFY, mode: 'ltp', lastPrice: 1480.05, volume: null, depth: null, at: null },
        ...{ open: null, high: null, low: null, previousClose: null, trading: null },
      },
    ]);
  });

  it('of 28 bytes is an index: high, low, open, close, and a change that is not read', () => {
    const down = 0xffffff00;
    const packet = words(NIFTY, 2_440_000, 2_450_000, 2_430_000, 2_441_000, 2_445_000, down);
    expect(ticksOf(frame(packet))).toEqual([
      {
        ...{ token: NIFTY, mode: 'quote', lastPrice: 24_400, volume: null, depth: null, at: null },
        ...{ open: 24_410, high: 24_500, low: 24_300, previousClose: 24_450, trading: null },
      },
    ]);
  });

  it('of 32 bytes is an index with the time', () => {
    const packet = words(NIFTY, 2_440_000, 2_450_000, 2_430_000, 2_441_000, 2_445_000, 0);
    const [tick] = ticksOf(frame(packet + words(1_793_943_000)));
    expect([tick?.mode, tick?.at]).toEqual(['full', 1_793_943_000_000]);
  });

  const FIGURES = words(INFY, 148_005, 7, 147_900, 1_234_567, 500, 600);
  const DAY = words(147_000, 149_000, 146_000, 146_500);

  it('of 44 bytes is a day: open, high, low, close', () => {
    expect(ticksOf(frame(FIGURES + DAY))).toEqual([
      {
        ...{ token: INFY, mode: 'quote', lastPrice: 1480.05, volume: 1_234_567 },
        ...{ open: 1470, high: 1490, low: 1460, previousClose: 1465, depth: null, at: null },
        trading: {
          ...{ lastQuantity: 7, averagePrice: 1479, buyQuantity: 500, sellQuantity: 600 },
          ...{ lastTradeAt: null, openInterest: null },
          ...{ openInterestHigh: null, openInterestLow: null },
        },
      },
    ]);
  });

  const fullPacket = (lastTrade: number, exchange: number): string =>
    FIGURES +
    DAY +
    words(lastTrade, 1, 2, 3, exchange) +
    [level(10, 148_000, 2), level(20, 147_995, 3), NO_LEVEL, NO_LEVEL, NO_LEVEL].join('') +
    [level(30, 148_010, 4), NO_LEVEL, NO_LEVEL, NO_LEVEL, level(5, 148_050, 1)].join('');

  it('of 184 bytes has the book and the time of the exchange', () => {
    const [tick] = ticksOf(frame(fullPacket(1_793_942_999, 1_793_943_000)));
    expect(tick).toMatchObject({ mode: 'full', at: 1_793_943_000_000, previousClose: 1465 });
    expect(tick?.depth).toEqual({
      buy: [
        { price: 1480, quantity: 10, orders: 2 },
        { price: 1479.95, quantity: 20, orders: 3 },
      ],
      sell: [
        { price: 1480.1, quantity: 30, orders: 4 },
        { price: 1480.5, quantity: 5, orders: 1 },
      ],
    });
  });

  it('of 184 bytes has the last trade and the open interest, with its range of the day', () => {
    expect(ticksOf(frame(fullPacket(1_793_942_999, 1_793_943_000)))[0]?.trading).toMatchObject({
      ...{ lastTradeAt: 1_793_942_999_000, openInterest: 1 },
      ...{ openInterestHigh: 2, openInterestLow: 3 },
    });
  });

  it.each([
    ['of the last trade when the exchange sent none', 1_793_942_999, 0, 1_793_942_999_000],
    ['unknown when there is none', 0, 0, null],
  ])('has the time %s', (_name, lastTrade, exchange, at) => {
    expect(ticksOf(frame(fullPacket(lastTrade, exchange)))[0]?.at).toBe(at);
  });

  it('reads numbers above 2^31 as positive', () => {
    const volume = 3_000_000_000;
    const packet = words(INFY, 4_000_000_000, 7, 0, volume, 0, 0) + DAY;
    expect(ticksOf(frame(packet))[0]).toMatchObject({ lastPrice: 40_000_000, volume });
  });

  it.each([
    ['NSE currencies (3)', 3, 83.1234567],
    ['BSE currencies (6)', 6, 83_123.4567],
    ['shares (1)', 1, 8_312_345.67],
    ['commodities (7)', 7, 8_312_345.67],
  ])('divides prices of %s by their own divisor', (_name, segment, price) => {
    const token = 1_000 * 256 + segment;
    expect(ticksOf(frame(words(token, 831_234_567)))[0]?.lastPrice).toBe(price);
  });
});

describe('a message', () => {
  it('of one byte is a heartbeat, whatever the byte', () => {
    for (const byte of [0, 1, 255]) {
      expect(readFrame(Uint8Array.of(byte))).toEqual({ kind: 'heartbeat' });
    }
  });

  it('has all its packets, of any kinds', () => {
    const packets = [words(INFY, 1), words(NIFTY, 2), words(1_025, 3)];
    expect(ticksOf(frame(...packets)).map(({ token }) => token)).toEqual([INFY, NIFTY, 1_025]);
    expect(ticksOf(frame())).toEqual([]);
  });

  it('leaves out a packet of an unknown length, and counts it', () => {
    const read = readFrame(frame(words(INFY, 1), words(INFY, 2, 3), words(NIFTY, 4)));
    expect(read).toMatchObject({ kind: 'ticks', unread: 1, ticks: [{ lastPrice: 0.01 }, {}] });
  });

  const whole = frame(words(INFY, 148_005), words(NIFTY, 2_440_000));
  it.each<[string, Uint8Array]>([
    ['that is empty', Uint8Array.of()],
    ['that is cut in a packet', whole.subarray(0, -1)],
    ['that is cut between packets', whole.subarray(0, 12)],
    ['that is cut in a length', whole.subarray(0, 13)],
    ['that counts more packets than it has', Uint8Array.from([0, 3, ...whole.subarray(2)])],
    ['that counts fewer packets than it has', Uint8Array.from([0, 1, ...whole.subarray(2)])],
    ['whose packet says too long', Uint8Array.from([0, 2, 0, 200, ...whole.subarray(4)])],
    ['whose packet says too short', Uint8Array.from([0, 2, 0, 7, ...whole.subarray(4)])],
  ])('%s is bad, and none of it is used', (_name, bytes) => {
    expect(readFrame(bytes).kind).toBe('bad');
  });

  it('is read from a part of a larger buffer', () => {
    const inside = Buffer.concat([Buffer.from('beef', 'hex'), whole, Buffer.from('ff', 'hex')]);
    expect(ticksOf(inside.subarray(2, -1))).toEqual(ticksOf(whole));
  });

  it('never throws, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(['heartbeat', 'ticks', 'bad']).toContain(readFrame(bytes).kind);
      }),
    );
  });

  it('that is truncated or extended anywhere is never read as a complete one', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length - 1 }),
        fc.uint8Array({ minLength: 1 }),
        (cut, more) => {
          // One byte alone is a heartbeat by its length.
          if (cut !== 1) expect(readFrame(whole.subarray(0, cut)).kind).toBe('bad');
          expect(readFrame(Buffer.concat([whole, more])).kind).toBe('bad');
        },
      ),
    );
  });
});

describe('what the sandbox writes', () => {
  const paise = fc.integer({ min: 1, max: 2 ** 32 - 1 });
  const levels = fc.array(
    fc.record({ price: paise, quantity: paise, orders: fc.integer({ min: 1, max: 65_535 }) }),
    { maxLength: 5 },
  );
  const figures = fc.record({
    token: fc.nat({ max: 2 ** 23 }).map((id) => id * 256 + 1),
    index: fc.constant(false),
    ...{ last: paise, open: paise, high: paise, low: paise, close: paise },
    ...{ volume: paise, average: paise, at: paise, bids: levels, asks: levels },
  });
  const modes = fc.constantFrom<TickerMode>('ltp', 'quote', 'full');

  it('is read correctly', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(figures, modes), { maxLength: 5 }), (sent) => {
        const bytes = messageOf(sent.map(([tick, mode]) => packetOf(tick, mode)));
        const rupees = (list: typeof levels extends fc.Arbitrary<infer T> ? T : never) =>
          list.map((each) => ({ ...each, price: each.price / 100 }));
        const total = (list: readonly { quantity: number }[]) =>
          Math.min(
            2 ** 32 - 1,
            list.reduce((sum, { quantity }) => sum + quantity, 0),
          );
        expect(ticksOf(bytes)).toEqual(
          sent.map(([tick, mode]) => {
            const more = mode !== 'ltp';
            const full = mode === 'full';
            return {
              token: tick.token,
              mode,
              lastPrice: tick.last / 100,
              open: more ? tick.open / 100 : null,
              high: more ? tick.high / 100 : null,
              low: more ? tick.low / 100 : null,
              previousClose: more ? tick.close / 100 : null,
              volume: more ? tick.volume : null,
              at: full ? tick.at * 1_000 : null,
              depth: full ? { buy: rupees(tick.bids), sell: rupees(tick.asks) } : null,
              trading: more
                ? {
                    ...{ lastQuantity: 1, averagePrice: tick.average / 100 },
                    ...{ buyQuantity: total(tick.bids), sellQuantity: total(tick.asks) },
                    lastTradeAt: full ? tick.at * 1_000 : null,
                    openInterest: full ? 0 : null,
                    openInterestHigh: full ? 0 : null,
                    openInterestLow: full ? 0 : null,
                  }
                : null,
            };
          }),
        );
      }),
    );
  });
});
