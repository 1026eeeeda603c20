import { describe, expect, it } from 'vitest';
import { instrument } from '../support/makers.ts';
import { exitBench, quoteAt } from './support/exit-bench.ts';

const OPTION = instrument({
  ...{ name: 'NFO:INFY26NOV1500CE', exchange: 'NFO', tradingSymbol: 'INFY26NOV1500CE' },
  ...{ segment: 'DERIVATIVE', securityId: '50001', lotSize: 50, strike: 1_500, optionType: 'CE' },
  expiry: '2026-11-24',
});
const FUTURE = { ...OPTION, name: 'NFO:INFY26NOVFUT', strike: null, optionType: null } as const;

/** Nobody bids for it. */
const NO_BID = quoteAt(20, { depth: { buy: [], sell: [] } });

describe('an exit of an option', () => {
  it('stops without an order where no broker has a price of it', async () => {
    const { begin, after, bench, legs } = await exitBench({ of: OPTION });
    bench.quote = null;
    const exit = await after((await begin()).id, 30_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'no_price', held: 100 });
    expect(legs()).toEqual([]);
  });

  it('stops without an order where nobody bids for it', async () => {
    const { begin, after, bench, legs } = await exitBench({ of: OPTION });
    bench.quote = NO_BID;
    const exit = await after((await begin()).id, 30_000);
    expect(exit.over).toMatchObject({ end: 'stopped', why: 'no_bid', held: 100 });
    expect(legs()).toEqual([]);
  });

  it('goes out at what the book takes it for', async () => {
    const { begin, after, bench, legs } = await exitBench({ of: OPTION });
    bench.quote = quoteAt(20, {
      depth: { buy: [{ price: 18, quantity: 500, orders: null }], sell: [] },
    });
    expect((await after((await begin()).id, 30_000)).over?.end).toBe('flat');
    expect(legs()).toEqual([['LIMIT', 100, 17.9]]);
  });
});

describe('an exit of a future', () => {
  it('goes out as MARKET where no broker has a price of it', async () => {
    const { begin, after, bench, legs } = await exitBench({ of: FUTURE });
    bench.quote = null;
    expect((await after((await begin()).id, 30_000)).over?.end).toBe('flat');
    expect(legs()).toEqual([['MARKET', 100, null]]);
  });

  it('sells whole lots, and says that less than a lot is still held', async () => {
    const { begin, after, legs } = await exitBench({ of: FUTURE, held: 120 });
    const exit = await after((await begin()).id, 30_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'not_covered', held: 20 });
  });

  it('has no leg above the freeze quantity, and as many legs as it takes', async () => {
    const { begin, after } = await exitBench({
      of: { ...FUTURE, freezeQuantity: 120 },
      held: 250,
    });
    const exit = await after((await begin()).id, 60_000);
    expect(exit.legs.map(({ quantity }) => quantity)).toEqual([100, 100, 50]);
    expect(exit.over?.end).toBe('flat');
  });
});
