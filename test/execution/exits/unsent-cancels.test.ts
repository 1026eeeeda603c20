import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/domain/outcome.ts';
import { exitBench } from './support/exit-bench.ts';

/** The first cancels do not leave: no connection opens for them. */
async function unconnectedBench(count: number) {
  const bench = await exitBench();
  const { cancel } = bench.broker;
  let left = count;
  bench.broker.cancel = (brokerOrderId): Outcome | Promise<Outcome> => {
    left -= 1;
    return left < 0
      ? cancel(brokerOrderId)
      : { kind: 'not_sent', cause: 'connect', reason: 'no connection' };
  };
  return bench;
}

it('an exit cancels what rests for its position again where the cancel did not leave', async () => {
  const { begin, after, fates, legs, broker, trading, time } = await unconnectedBench(2);
  fates.push({ kind: 'fills', quantity: 0 });
  await trading.place({ side: 'SELL', quantity: 40, product: 'INTRADAY', price: 1_600 });
  await time.advance(2_000);
  const { over } = await after((await begin()).id, 20_000);
  expect(over).toMatchObject({ end: 'flat' });
  expect(broker.cancels).toEqual(['leg-1', 'leg-1', 'leg-1']);
  expect(legs().at(-1)).toEqual(['LIMIT', 100, 1_495.5]);
});

it('and a leg that has not filled in time', async () => {
  const { begin, after, fates, legs, broker } = await unconnectedBench(2);
  fates.push({ kind: 'fills', quantity: 0 });
  const { over } = await after((await begin()).id, 30_000);
  expect(over).toMatchObject({ end: 'flat' });
  expect(broker.cancels).toEqual(['leg-1', 'leg-1', 'leg-1']);
  expect(legs().map(([, quantity]) => quantity)).toEqual([100, 100]);
});
