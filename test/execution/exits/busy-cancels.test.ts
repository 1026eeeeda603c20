import { describe, expect, it } from 'vitest';
import { statusOf } from '../../../src/execution/order/order.ts';
import { refused } from '../../../src/domain/outcome.ts';
import { exitBench } from './support/exit-bench.ts';

const RESTING = {
  ...({ side: 'SELL', product: 'INTRADAY', orderType: 'LIMIT' } as const),
  ...{ quantity: 100, price: 1_600 },
};

/** An account whose broker takes no more requests just now when the first cancels come. */
async function busy(times: number) {
  const bench = await exitBench();
  const { broker } = bench;
  const { cancel } = broker;
  let left = times;
  broker.cancel = (id) => {
    left -= 1;
    return left >= 0 ? refused('rate_limited', 'Too many requests') : cancel(id);
  };
  bench.fates.push({ kind: 'fills', quantity: 0 });
  return bench;
}

describe('a cancel that the broker does not take, since it takes no more requests just now', () => {
  it.each([1, 3])('is sent again, of the leg of an exit: refused %d times', async (times) => {
    const { begin, after, legs } = await busy(times);
    const { id } = await begin();
    const { over } = await after(id, 60_000);
    expect([over?.end, legs().length]).toEqual(['flat', 2]);
  });

  it('is sent again, of what rests for the position', async () => {
    const { begin, after, trading, time } = await busy(1);
    await trading.place(RESTING);
    await time.advance(3_000);
    const { id } = await begin();
    expect((await after(id, 60_000)).over?.end).toBe('flat');
  });

  it('is sent again, of an order: its caller is told that it is under way', async () => {
    const { trading, time, broker } = await busy(2);
    const { id } = await trading.place(RESTING);
    await time.advance(3_000);
    expect((await trading.cancel(id)).settled).toBe(false);
    await time.advance(10_000);
    expect([statusOf(trading.order(id)), broker.cancels.length]).toEqual(['cancelled', 3]);
    expect(trading.alerts()).toEqual([]);
  });

  it('is told to a person once it was refused for two minutes', async () => {
    const { trading, time } = await busy(20);
    const { id } = await trading.place(RESTING);
    await time.advance(3_000);
    await trading.cancel(id);
    await time.advance(30_000);
    expect(trading.alerts()).toEqual([]);
    await time.advance(150_000);
    expect(trading.alerts()).toMatchObject([{ level: 'critical', orderId: id }]);
    await time.advance(1_200_000);
    expect([statusOf(trading.order(id)), trading.alerts().length]).toEqual(['cancelled', 1]);
  });

  it('is sent again, of all orders', async () => {
    const { trading, time } = await busy(1);
    await trading.place(RESTING);
    await time.advance(3_000);
    const command = {
      ...{ caller: 'someone', scope: 'mine', matches: () => true, brokers: ['alt'] },
      ...{ idempotencyKey: null, requestHash: 'all' },
    };
    const { cancelAll } = trading.execution;
    const answer = cancelAll(command as unknown as Parameters<typeof cancelAll>[0]);
    await time.advance(12_000);
    expect((await answer).items.map(({ result }) => result)).toEqual(['cancelled']);
  });
});
