import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { rowAt } from '../support/lying-broker.ts';
import { unreadRow } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/** A sale of somebody else of the 100 shares that are held under INTRADAY. */
async function benchWith(row: Partial<BrokerOrder>) {
  const bench = await exitBench();
  const sale = { brokerOrderId: 'x1', side: 'SELL', product: 'INTRADAY', quantity: 30 } as const;
  bench.broker.rows = [rowAt(bench.time, { ...sale, ...row })];
  return bench;
}

describe('an exit beside an order placed elsewhere of a product that nobody knows', () => {
  it.each(['', 'M1S'])('keeps free what it may sell: product %j', async (product) => {
    const { begin, after, legs } = await benchWith({ product });
    const exit = await after((await begin()).id, 60_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([70]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 30 });
  });

  it.each(['', 'M1S'])('cancels it where it may, and sells all: product %j', async (product) => {
    const { begin, after, broker, legs } = await benchWith({ product });
    const exit = await after((await begin({ cancelExternal: true })).id, 60_000);
    expect([broker.cancels, exit.over?.end]).toEqual([['x1'], 'flat']);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
  });

  it('keeps free what one may sell whose row cannot be read either', async () => {
    const bench = await exitBench();
    const row = { brokerOrderId: 'x1', instrument: 'NSE:INFY', side: 'SELL' } as const;
    bench.broker.unreadRows = [unreadRow({ ...row, product: 'M1S', quantity: 30 })];
    await bench.after((await bench.begin()).id, 60_000);
    expect(bench.legs().map(([, quantity]) => quantity)).toEqual([70]);
  });

  it.each(['MTF', 'CO', 'BO', 'CNC', 'MARGIN'])(
    'sells all beside one under %s',
    async (product) => {
      const { begin, after, legs } = await benchWith({ product });
      expect((await after((await begin()).id, 60_000)).over?.end).toBe('flat');
      expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
    },
  );

  it('waits for no fill of it: the positions may show it under another product', async () => {
    const { begin, after } = await benchWith({ product: '', status: 'filled', filledQuantity: 30 });
    expect((await after((await begin()).id, 60_000)).over?.end).toBe('flat');
  });
});

describe('an exit beside an order placed elsewhere whose quantities contradict one another', () => {
  it('keeps free the most that it may sell', async () => {
    const { begin, after, legs } = await benchWith({ quantity: 5, mostLeft: 40 });
    await after((await begin()).id, 60_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([60]);
  });

  it('sells nothing where nobody knows how much that is, and names the row', async () => {
    const { begin, after, legs } = await benchWith({ quantity: 0, mostLeft: null });
    const exit = await after((await begin()).id, 60_000);
    expect(legs()).toEqual([]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 100 });
    expect(exit.over?.detail).toMatch(/^row x1 .*open, with a quantity of 0/);
  });

  it('cancels it where it may, and sells all', async () => {
    const { begin, after, broker, legs } = await benchWith({ quantity: 0, mostLeft: null });
    const exit = await after((await begin({ cancelExternal: true })).id, 60_000);
    expect([broker.cancels, exit.over?.end]).toEqual([['x1'], 'flat']);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
  });
});
