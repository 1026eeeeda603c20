import { describe, expect, it } from 'vitest';
import { exitBench } from './support/exit-bench.ts';

describe('what an exit reads before a leg', () => {
  it('is the order book first, and then what the account holds', async () => {
    const { begin, after, broker } = await exitBench();
    await after((await begin({ quantity: 1 })).id, 20_000);
    const seen: string[] = [];
    const { orderBook } = broker.trading;
    broker.trading.orderBook = () => {
      seen.push('book');
      return orderBook();
    };
    let { accountReads } = broker;
    Object.defineProperty(broker, 'accountReads', {
      get: () => accountReads,
      set(count: number) {
        seen.push('account');
        accountReads = count;
      },
    });
    const { place } = broker;
    broker.place = (attempt) => {
      seen.push('leg');
      return place(attempt);
    };
    await after((await begin()).id, 20_000);
    const untilLeg = seen.slice(0, seen.indexOf('leg'));
    expect(untilLeg.slice(0, 2)).toEqual(['book', 'account']);
  });
});
