import { describe, expect, it } from 'vitest';
import type { Quote } from '../../../src/domain/quote.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { INFY, levels, paperBench } from './paper-bench.ts';

const at = (text: string) => epochMs(Date.parse(`2026-01-0${text}+05:30`));

/** A quote with its last trade at a time, and what is offered. */
const quoteOf = (
  lastTrade: string,
  ...sell: readonly (readonly [number, number])[]
): Partial<Quote> => ({
  depth: { buy: [], sell: levels(...sell) },
  trading: {
    ...{ averagePrice: null, lastQuantity: null, buyQuantity: 0, sellQuantity: 0 },
    ...{ openInterest: null, openInterestHigh: null, openInterestLow: null },
    lastTradeAt: at(lastTrade),
  },
});

describe('a paper order that waits for the opening', () => {
  it('does not fill at the price of the day before, which nobody offers', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, quoteOf('5T15:29:58'));
    await bench.time.advanceTo('2026-01-05T18:00:00+05:30');
    const id = await bench.placed({ amo: true });
    // The quote is fresh, nobody offers yet, and the last trade is of yesterday.
    await bench.time.advanceTo('2026-01-06T09:15:01+05:30');
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    bench.market.set(INFY, 139, quoteOf('6T09:15:02', [140, 1_000]));
    await bench.time.advanceTo('2026-01-06T09:15:05+05:30');
    expect(await bench.row(id)).toMatchObject({ status: 'filled', averagePrice: 140 });
  });

  it('is not triggered by the price of the day before either', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, quoteOf('5T15:29:58'));
    await bench.time.advanceTo('2026-01-05T18:00:00+05:30');
    const id = await bench.placed({ amo: true, orderType: 'SL', triggerPrice: 99, price: 101 });
    await bench.time.advanceTo('2026-01-06T09:15:01+05:30');
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    bench.market.set(INFY, 100, quoteOf('6T09:15:02'));
    await bench.time.advanceTo('2026-01-06T09:15:05+05:30');
    expect(await bench.row(id)).toMatchObject({ status: 'filled', averagePrice: 100 });
  });
});
