import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMultipleOf } from '../../../src/domain/money.ts';
import type { DepthLevel, Quote } from '../../../src/domain/quote.ts';
import {
  type AskedExitPrice,
  exitPrice,
  exitTick,
} from '../../../src/execution/exits/exit-price.ts';
import { AT, instrument } from '../support/makers.ts';

const RUNS = { seed: 20_261_123, numRuns: 500 };
const SETTINGS = { limitOffsetPercent: 0.3, widening: 1 };

function quote(parts: Partial<Quote> = {}): Quote {
  return {
    instrument: 'NSE:INFY',
    lastPrice: 100,
    open: null,
    high: null,
    low: null,
    previousClose: null,
    change: null,
    changePercent: null,
    volume: null,
    bid: null,
    ask: null,
    depth: null,
    upperCircuit: null,
    lowerCircuit: null,
    at: AT,
    ...parts,
  };
}

const asked = (parts: Partial<AskedExitPrice> = {}): AskedExitPrice => ({
  side: 'SELL',
  quantity: 10,
  instrument: instrument(),
  quote: quote(),
  now: AT,
  attempt: 1,
  settings: SETTINGS,
  ...parts,
});

const option = instrument({
  name: 'NFO:NIFTY26NOV24450CE',
  exchange: 'NFO',
  tradingSymbol: 'NIFTY26NOV24450CE',
  segment: 'DERIVATIVE',
  lotSize: 75,
  optionType: 'CE',
});
const level = (price: number, quantity: number): DepthLevel => ({ price, quantity, orders: null });
const limit = (price: number, atBand = false) => ({ kind: 'limit', price, atBand });

describe('the tick of an exit', () => {
  it.each([
    [0.05, 100, 0.05],
    [0.1, 3_000, 0.1],
    // At most 0.2 % of the price.
    [0.2, 100, 0.2],
    [0.21, 100, 0.05],
    // In paise, perhaps: not believed.
    [5, 1_500, 1],
    [0, 100, 0.05],
    [-0.05, 100, 0.05],
    [null, 999.95, 0.05],
    [null, 1_000, 1],
    [null, 19_999, 1],
    [null, 20_000, 5],
  ])('is, with %s in the list and at %s rupees, %s', (tickSize, price, tick) => {
    expect(exitTick(tickSize, price)).toBe(tick);
  });
});

describe('the exit price of a share', () => {
  it('is 0.3 % below the last price for a sale, above it for a purchase, rounded away from it', () => {
    const at = quote({ lastPrice: 1_234.55 });
    // 1,230.84635 and 1,238.25365
    expect(exitPrice(asked({ quote: at }))).toEqual(limit(1_230.8));
    expect(exitPrice(asked({ quote: at, side: 'BUY' }))).toEqual(limit(1_238.3));
  });

  it('is further away with each attempt', () => {
    const prices = [1, 2, 3].map((attempt) => exitPrice(asked({ attempt })));
    expect(prices).toEqual([limit(99.7), limit(99.4), limit(99.1)]);
    const halves = { limitOffsetPercent: 0.3, widening: 0.5 };
    expect(exitPrice(asked({ attempt: 3, settings: halves }))).toEqual(limit(99.4));
  });

  it('is a tick further away with each attempt where the offset is less than a tick', () => {
    const at = quote({ lastPrice: 5 });
    const prices = [1, 2, 3].map((attempt) => exitPrice(asked({ attempt, quote: at })));
    expect(prices).toEqual([limit(4.95), limit(4.9), limit(4.85)]);
  });

  it('is never below one tick, and keeps its place there', () => {
    expect(exitPrice(asked({ quote: quote({ lastPrice: 0.05 }) }))).toEqual(limit(0.05, true));
  });

  it('has the tick of the price itself where it passes from one band of prices to the next', () => {
    const unknown = instrument({ tickSize: null });
    const at = quote({ lastPrice: 998.5 });
    expect(exitPrice(asked({ instrument: unknown, quote: at, side: 'BUY' }))).toEqual(limit(1_002));
  });

  it('stays inside the circuit, rounded inwards, and keeps its place there', () => {
    const at = quote({ lastPrice: 90.1, lowerCircuit: 90.02, upperCircuit: 110.03 });
    expect(exitPrice(asked({ quote: at }))).toEqual(limit(90.05, true));
    const up = { ...at, lastPrice: 110 };
    expect(exitPrice(asked({ quote: up, side: 'BUY' }))).toEqual(limit(110, true));
    // The other circuit is where a sale fills soonest.
    expect(exitPrice(asked({ quote: up }))).toEqual(limit(109.65));
    const beyond = { ...at, lastPrice: 130 };
    expect(exitPrice(asked({ quote: beyond }))).toEqual(limit(110));
  });

  it('ignores a circuit that is 0, and two that contradict each other', () => {
    const zeros = quote({ lowerCircuit: 0, upperCircuit: 0 });
    expect(exitPrice(asked({ quote: zeros }))).toEqual(limit(99.7));
    const crossed = quote({ lowerCircuit: 110, upperCircuit: 90 });
    expect(exitPrice(asked({ quote: crossed }))).toEqual(limit(99.7));
  });

  it('takes the circuit as it is where no tick lies inside', () => {
    const at = quote({ lastPrice: 0.52, lowerCircuit: 0.51, upperCircuit: 0.53 });
    expect(exitPrice(asked({ quote: at }))).toEqual(limit(0.51, true));
    const paise = quote({ lastPrice: 0.04, upperCircuit: 0.04 });
    expect(exitPrice(asked({ quote: paise }))).toEqual(limit(0.04, true));
  });

  it('is none without a quote, or without a price in it', () => {
    expect(exitPrice(asked({ quote: null }))).toEqual({
      kind: 'no_price',
      reason: 'no broker has a quote of NSE:INFY',
    });
    for (const lastPrice of [0, -1, NaN]) {
      expect(exitPrice(asked({ quote: quote({ lastPrice }) }))).toMatchObject({
        kind: 'no_price',
        reason: expect.stringContaining('the last price of NSE:INFY is'),
      });
    }
  });
});

describe('the exit price of an option', () => {
  const depth = {
    buy: [level(9.9, 50), level(10, 25), level(9, 75), level(0, 0)],
    sell: [level(10.5, 75), level(11, 150)],
  };
  const sale = (parts: Partial<AskedExitPrice> = {}) =>
    exitPrice(asked({ instrument: option, quantity: 75, quote: quote({ depth }), ...parts }));

  it('is that of the bid down to which the book takes the whole quantity, less the offset', () => {
    // The last price of 100 is hours old.
    expect(sale({ quantity: 25 })).toEqual(limit(9.95));
    expect(sale({ quantity: 75 })).toEqual(limit(9.85));
    expect(sale({ quantity: 150 })).toEqual(limit(8.95));
  });

  it('is that of the offers for a purchase', () => {
    expect(sale({ side: 'BUY', quantity: 75 })).toEqual(limit(10.55));
    expect(sale({ side: 'BUY', quantity: 150 })).toEqual(limit(11.05));
  });

  it('is that of the last level where the book is not deep enough', () => {
    expect(sale({ quantity: 1_500 })).toEqual(limit(8.95));
  });

  it('is that of the best bid where the broker has no depth', () => {
    const best = quote({ bid: 10, ask: 12 });
    expect(sale({ quote: best })).toEqual(limit(9.95));
    expect(sale({ quote: best, side: 'BUY' })).toEqual(limit(12.05));
  });

  it('goes a tick further with each attempt, to the circuit at most', () => {
    const at = quote({ depth, lowerCircuit: 9.85 });
    const prices = [1, 2, 3].map((attempt) => sale({ attempt, quantity: 25, quote: at }));
    expect(prices).toEqual([limit(9.95), limit(9.9), limit(9.85, true)]);
  });

  it('is none without a far side, whatever the last price', () => {
    for (const each of [
      quote({ bid: 0, ask: 12 }),
      quote({ ask: 12 }),
      quote({ depth: { buy: [level(0, 0), level(5, 0)], sell: depth.sell } }),
    ]) {
      expect(sale({ quote: each })).toMatchObject({ kind: 'no_bid' });
    }
    expect(sale({ side: 'BUY', quote: quote({ bid: 10 }) })).toMatchObject({ kind: 'no_bid' });
  });

  it('of a purchase at the upper circuit, where nobody offers, is the circuit', () => {
    const locked = { ...quote({ bid: 268.5 }), lastPrice: 268.55, upperCircuit: 268.55 };
    const buy = (each: Quote) => sale({ side: 'BUY', quote: each });
    expect(buy(locked)).toEqual({ kind: 'limit', price: 268.55, atBand: true });
    expect(buy({ ...locked, lastPrice: 303.25 })).toMatchObject({ price: 268.55, atBand: true });
    expect(buy({ ...locked, lastPrice: 268.5 })).toMatchObject({ kind: 'no_bid' });
    const worthless = { ...quote({}), lastPrice: 0.05, lowerCircuit: 0.05 };
    expect(sale({ quote: worthless })).toMatchObject({ kind: 'no_bid' });
  });

  it('needs no last price', () => {
    expect(sale({ quote: quote({ depth, lastPrice: 0 }) })).toEqual(limit(9.85));
  });
});

const paise = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((each) => each / 100);
const tickSize = fc.constantFrom(null, 0, 0.01, 0.05, 0.1, 0.5, 1, 5);
const side = fc.constantFrom('BUY' as const, 'SELL' as const);
const settings = fc.record({
  limitOffsetPercent: fc.integer({ min: 0, max: 500 }).map((each) => each / 100),
  widening: fc.integer({ min: 0, max: 30 }).map((each) => each / 10),
});
const circuits = fc.option(fc.integer({ min: 2, max: 40 }), { nil: null });

/** A share or an option at a price, with a circuit some percent round it or without one. */
const anyAsked = fc
  .record({
    side,
    settings,
    lastPrice: paise(1, 5_000_000),
    tickSize,
    around: circuits,
    isOption: fc.boolean(),
    attempt: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ lastPrice, around, isOption, ...parts }): AskedExitPrice => {
    const off = (percent: number) => Math.round(lastPrice * (100 + percent)) / 100;
    return asked({
      ...parts,
      instrument: instrument({ tickSize: parts.tickSize, optionType: isOption ? 'PE' : null }),
      quote: quote({
        lastPrice,
        bid: lastPrice,
        ask: lastPrice,
        lowerCircuit: around === null ? null : off(-around),
        upperCircuit: around === null ? null : off(around),
      }),
    });
  });

/** The price of `each`, which has one. */
function priceOf(each: AskedExitPrice): number {
  const found = exitPrice(each);
  if (found.kind !== 'limit') throw new Error(found.kind);
  return found.price;
}

describe('every exit price', () => {
  it('is above 0, inside the circuit, and a multiple of its tick unless it is the circuit itself', () => {
    fc.assert(
      fc.property(anyAsked, (each) => {
        const price = priceOf(each);
        const { lowerCircuit, upperCircuit } = each.quote ?? quote();
        const isCircuit = price === lowerCircuit || price === upperCircuit;
        expect(price).toBeGreaterThan(0);
        expect(lowerCircuit === null || lowerCircuit <= 0 || price >= lowerCircuit).toBe(true);
        expect(upperCircuit === null || upperCircuit <= 0 || price <= upperCircuit).toBe(true);
        const tick = exitTick(each.instrument.tickSize, price);
        expect(isCircuit || isMultipleOf(price, tick)).toBe(true);
      }),
      RUNS,
    );
  });

  it('is never on the side of the reference price on which it would fill later', () => {
    fc.assert(
      fc.property(anyAsked, (each) => {
        const found = exitPrice(each);
        const { lastPrice = 0 } = each.quote ?? {};
        if (found.kind !== 'limit' || found.atBand) return;
        const better = each.side === 'SELL' ? found.price <= lastPrice : found.price >= lastPrice;
        expect(better).toBe(true);
      }),
      RUNS,
    );
  });

  it('is further away with each attempt, until it stands at the band', () => {
    fc.assert(
      fc.property(anyAsked, (each) => {
        const now = exitPrice(each);
        const next = priceOf({ ...each, attempt: each.attempt + 1 });
        if (now.kind !== 'limit') throw new Error(now.kind);
        if (now.atBand) expect(next).toBe(now.price);
        else expect(each.side === 'SELL' ? next < now.price : next > now.price).toBe(true);
      }),
      RUNS,
    );
  });
});
