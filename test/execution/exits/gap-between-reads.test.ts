import { describe, expect, it } from 'vitest';
import { rowAt } from '../support/lying-broker.ts';
import { exitBench } from './support/exit-bench.ts';

describe('an exit beside a resting order placed elsewhere that one read of the book lacks', () => {
  it('keeps it free where the lacking read is the one after the positions', async () => {
    const { begin, after, broker, time, legs } = await exitBench({ held: 100 });
    const hand = {
      brokerOrderId: 'hand',
      side: 'SELL',
      quantity: 60,
      product: 'INTRADAY',
    } as const;
    broker.rows = [rowAt(time, hand)];
    // Reads take a moment: the book after the positions is another one than the book before them.
    broker.readMs = 50;
    const { orderBook } = broker.trading;
    let accountReads: number | null = null;
    let lacked = 0;
    broker.trading.orderBook = async () => {
      accountReads ??= broker.accountReads;
      const isAfterAccount = broker.accountReads > accountReads;
      const rows = await orderBook();
      if (!isAfterAccount || lacked > 0) return rows;
      // One answer, from a copy of the book that lags.
      lacked += 1;
      return rows.filter(({ brokerOrderId }) => brokerOrderId !== 'hand');
    };
    const exit = await after((await begin()).id, 60_000);
    expect(lacked).toBe(1);
    // Today: [100]. Once the order of 60 fills as well, the account is short 60.
    expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 60 });
  });
});
