import { describe, expect, it } from 'vitest';
import { plus } from '../../../src/units/branded.ts';
import { instrument } from '../support/makers.ts';
import { exitBench, type ExitBenchOptions, quoteAt, refusedAs } from './support/exit-bench.ts';

const OPTION = instrument({
  ...{ name: 'NFO:INFY26NOV1500CE', exchange: 'NFO', tradingSymbol: 'INFY26NOV1500CE' },
  ...{ segment: 'DERIVATIVE', securityId: '50001', lotSize: 50, strike: 1_500, optionType: 'CE' },
  expiry: '2026-11-24',
});

const NOTHING_FILLS = { kind: 'fills', quantity: 0 } as const;

/** An option last traded a minute ago, far above the bids and far below the offers. */
async function farBench(lastPrice = 100, options: ExitBenchOptions = {}) {
  const bench = await exitBench({ of: OPTION, ...options });
  const none = { averagePrice: null, lastQuantity: null, buyQuantity: null, sellQuantity: null };
  const interest = { openInterest: null, openInterestHigh: null, openInterestLow: null };
  const traded = (last: number): void => {
    const trading = { ...none, ...interest, lastTradeAt: plus(bench.time.now(), -60_000) };
    bench.bench.quote = quoteAt(last, { bid: 20, ask: 300, trading });
  };
  traded(lastPrice);
  return { ...bench, traded };
}

describe('an exit whose bids are all outside the price protection', () => {
  it('goes out as MARKET once the last attempt has not filled at its edge', async () => {
    const { begin, after, fates, legs } = await farBench();
    fates.push(NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS);
    const { over } = await after((await begin()).id, 60_000);
    expect(legs()).toEqual([
      ['LIMIT', 100, 60],
      ['LIMIT', 100, 60],
      ['LIMIT', 100, 60],
      ['MARKET', 100, null],
    ]);
    expect(over).toMatchObject({ end: 'flat' });
  });

  it('follows the range as the last price moves, until it reaches the bids', async () => {
    const { begin, after, fates, legs, traded } = await farBench();
    fates.push(NOTHING_FILLS);
    const { id } = await begin();
    await after(id, 5_000);
    traded(30);
    expect((await after(id, 30_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().map(([, , price]) => price)).toEqual([60, 19.85]);
  });

  it('ends saying so where the MARKET does not fill either', async () => {
    const { begin, after, fates, legs, broker } = await farBench();
    fates.push(NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS);
    const { over } = await after((await begin()).id, 90_000);
    expect(legs()).toHaveLength(4);
    expect(broker.cancels).toHaveLength(4);
    expect(over).toMatchObject({ end: 'stopped', why: 'outside_protection', held: 100 });
    expect(over?.detail).toMatch(
      /nobody bids ₹60\.00 or more.*the exchange takes no LIMIT order below that.*MARKET order.*did not fill.*exit again/s,
    );
  });

  it.each(['market_blocked', 'price'] as const)(
    'ends saying so where the MARKET is refused as %s, and sends none again',
    async (rejection) => {
      const { begin, after, fates, legs } = await farBench();
      fates.push(NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS, refusedAs(rejection));
      const { over } = await after((await begin()).id, 90_000);
      expect(legs()).toHaveLength(4);
      expect(over).toMatchObject({ end: 'stopped', why: 'outside_protection', held: 100 });
      expect(over?.detail).toContain(
        `the MARKET order after it was refused (refused: ${rejection})`,
      );
    },
  );

  it('sends no MARKET where the broker has said before that it takes none', async () => {
    const { begin, after, fates, legs } = await farBench();
    // The first LIMIT is refused for its price, and the MARKET after it because it is one.
    fates.push(refusedAs('price'), refusedAs('market_blocked'), NOTHING_FILLS, NOTHING_FILLS);
    const { over } = await after((await begin()).id, 90_000);
    expect(legs().map(([type]) => type)).toEqual(['LIMIT', 'MARKET', 'LIMIT', 'LIMIT']);
    expect(over).toMatchObject({ end: 'stopped', why: 'outside_protection', held: 100 });
    expect(over?.detail).toContain('takes no MARKET orders');
  });

  it('sends a MARKET for what is left where a part was bid for inside it', async () => {
    const { begin, after, fates, legs } = await farBench(100, { settings: { attempts: 1 } });
    fates.push({ kind: 'fills', quantity: 50 });
    expect((await after((await begin()).id, 60_000)).over).toMatchObject({ end: 'flat' });
    expect(legs()).toEqual([
      ['LIMIT', 100, 60],
      ['MARKET', 50, null],
    ]);
  });

  it('buys back in the same way what is offered outside it', async () => {
    const { begin, after, fates, legs } = await farBench(100, { held: -100 });
    fates.push(NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS);
    const { over } = await after((await begin()).id, 90_000);
    expect(legs().at(-2)).toEqual(['LIMIT', 100, 140]);
    expect(legs().at(-1)).toEqual(['MARKET', 100, null]);
    expect(over?.detail).toMatch(/nobody offers at ₹140\.00 or less.*no LIMIT order above that/s);
  });
});

describe('an exit whose bids are inside the price protection', () => {
  it('sends no MARKET where it does not fill', async () => {
    const { begin, after, fates, legs, traded } = await farBench();
    fates.push(NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS, NOTHING_FILLS);
    traded(30);
    const { over } = await after((await begin()).id, 90_000);
    expect(legs().map(([type]) => type)).toEqual(['LIMIT', 'LIMIT', 'LIMIT']);
    expect(over).toMatchObject({ why: 'not_filled' });
  });
});
