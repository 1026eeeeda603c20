import { describe, expect, it } from 'vitest';
import { readPosition } from '../../../src/adapters/paper/row-codec.ts';
import { INFY, paperBench } from './paper-bench.ts';

/** One order that is filled, and two that rest. */
async function threeOrders() {
  const bench = await paperBench();
  bench.market.set(INFY, 100);
  await bench.placed({ quantity: 1 });
  const resting = await bench.placed({ price: 90, quantity: 1 });
  await bench.placed({ price: 91, quantity: 1 });
  return { bench, resting };
}

describe('the rows of a paper account', () => {
  it('are the same objects again while their orders do not change', async () => {
    const { bench, resting } = await threeOrders();
    const [rows, trades] = [await bench.book(), await bench.trades()];
    await bench.modify(resting, { price: 89 });
    await bench.placed({ quantity: 2 });
    const again = await bench.book();
    expect(again.map((row, place) => row === rows[place])).toEqual([true, false, true, false]);
    expect(again[1]).toMatchObject({ brokerOrderId: resting, price: 89 });
    const tradesAgain = await bench.trades();
    expect(tradesAgain.map((trade, place) => trade === trades[place])).toEqual([true, false]);
  });

  it('are the same list again while nothing has changed', async () => {
    const { bench } = await threeOrders();
    const [rows, trades] = [await bench.book(), await bench.trades()];
    expect(await bench.book()).toBe(rows);
    expect(await bench.trades()).toBe(trades);
    await bench.placed({ quantity: 1 });
    expect(rows).toHaveLength(3);
    expect(await bench.book()).toHaveLength(4);
  });

  it('show a filled order in its new state', async () => {
    const { bench, resting } = await threeOrders();
    await bench.book();
    bench.market.set(INFY, 90);
    await bench.time.advance(2_000);
    const rows = await bench.book();
    expect(rows.map(({ status }) => status)).toEqual(['filled', 'filled', 'filled']);
    expect(rows[1]?.brokerOrderId).toBe(resting);
    expect(await bench.trades()).toHaveLength(3);
  });

  it('are refused on reading where a word is none that the ledger has', () => {
    const row = { instrument: 'NSE:INFY', quantity: 1, cost: '100', realised: '0' };
    const read = (product: string) => () =>
      readPosition({ ...row, product, buy_quantity: 1, sell_quantity: 0 });
    expect(read('CNC')).not.toThrow();
    expect(read('MTF')).toThrow('product of a row of the paper ledger is none of CNC, INTRADAY');
  });

  it('say when the session of an order has begun, though nothing of the order has changed', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ amo: true, price: 90, quantity: 1 });
    const before = (await bench.book())[0]?.rawStatus;
    await bench.time.advance(86_400_000 - 2_400_000);
    expect([before, (await bench.book())[0]?.rawStatus]).toEqual(['WAITING FOR SESSION', 'OPEN']);
  });
});
