import { expect, it } from 'vitest';
import { exitBench } from './support/exit-bench.ts';

it('A cancel of many leaves the order of an exit under way alone', async () => {
  const { begin, after, legs, fates, broker, trading, time } = await exitBench();
  fates.push({ kind: 'fills', quantity: 0 });
  const { id } = await begin();
  expect((await after(id, 2_000)).over).toBeNull();
  const answer = trading.execution.cancelAll({
    ...{ caller: 'someone', scope: 'mine', matches: () => true, brokers: ['alt'] },
    ...{ idempotencyKey: null, requestHash: 'all' },
  });
  const { items, unread } = await time.settle(answer);
  expect([items, unread, broker.cancels, legs().length]).toEqual([[], [], [], 1]);
});
