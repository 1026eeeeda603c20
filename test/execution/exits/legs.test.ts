import { describe, expect, it } from 'vitest';
import type { QuoteTrading } from '../../../src/domain/quote.ts';
import type { EpochMs } from '../../../src/units/branded.ts';
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

const tradedAt = (lastTradeAt: EpochMs): QuoteTrading => ({
  ...{ lastTradeAt, averagePrice: null, lastQuantity: null, buyQuantity: null, sellQuantity: null },
  ...{ openInterest: null, openInterestHigh: null, openInterestLow: null },
});

const restingBench = () => exitBench({ of: OPTION, settings: { restWithoutBid: true } });

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

  it('rests at the edge of the band where that is wanted, and ends saying so', async () => {
    const { begin, after, bench, broker, fates, legs, trading, time } = await restingBench();
    fates.push({ kind: 'fills', quantity: 0 });
    bench.quote = { ...NO_BID, lastPrice: 60, trading: tradedAt(time.now()) };
    const { id } = await begin();
    const { over } = await after(id, 15_000);
    expect(over).toMatchObject({ end: 'stopped', why: 'no_bid', held: 100 });
    expect(over?.detail).toMatch(/nobody bids for NFO:INFY26NOV1500CE: order \S+ rests at ₹36/);
    // 40 % below the last price, where the price protection of the exchange ends.
    expect([legs(), broker.cancels]).toEqual([[['LIMIT', 100, 36]], []]);
    expect(trading.alerts().at(-1)?.level).toBe('critical');
  });

  it('goes on, once what rested without a bid has filled at once', async () => {
    const { begin, after, bench, legs, time } = await restingBench();
    bench.quote = { ...NO_BID, trading: tradedAt(time.now()) };
    expect((await after((await begin()).id, 10_000)).over).toMatchObject({ end: 'flat' });
    expect(legs()).toEqual([['LIMIT', 100, 0.05]]);
  });

  it('cancels what rested without a bid, before the next exit of it', async () => {
    const { begin, after, bench, broker, fates, legs } = await restingBench();
    fates.push({ kind: 'fills', quantity: 0 });
    bench.quote = NO_BID;
    await after((await begin()).id, 15_000);
    bench.quote = quoteAt(20, { bid: 18 });
    expect((await after((await begin()).id, 20_000)).over).toMatchObject({ end: 'flat' });
    expect(broker.cancels).toEqual(['leg-1']);
    expect(legs().map(([, , price]) => price)).toEqual([0.05, 17.9]);
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
