import { describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../../src/domain/problem.ts';
import { exitBench } from '../exits/support/exit-bench.ts';
import { ALL } from './support/all.ts';

/** A closing of one position whose exit cannot be begun; `tries` counts. */
async function heldUp() {
  const bench = await exitBench();
  const { trading, time, exits } = bench;
  let tries = 0;
  const detail = 'nothing can be begun';
  Object.assign(exits, {
    begin: () => {
      tries += 1;
      return Promise.reject(new GatewayProblem({ code: 'broker_unavailable', detail }));
    },
  });
  const { closings } = trading.execution;
  const { closing } = await time.settle(closings.begin(ALL));
  const now = async () => (await closings.closing(closing.id))!;
  return { ...bench, closings, id: closing.id, now, tries: () => tries };
}

describe('a closing that a caller ends', () => {
  it('ends the exit that is under way, and cancels its order', async () => {
    const { trading, time, fates, broker } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { closings, exits } = trading.execution;
    const { closing } = await time.settle(closings.begin(ALL));
    await time.advance(3_000);
    await time.settle(closings.cancel(closing.id));
    await time.advance(5_000);
    const ended = await closings.closing(closing.id);
    expect(ended?.over?.end).toBe('stopped');
    const [exit] = await exits.exitsOn('2026-11-06');
    expect(exit?.over).toMatchObject({ end: 'stopped', why: 'cancelled' });
    expect([broker.cancels, broker.placed.length]).toEqual([['leg-1'], 1]);
  });

  it('begins no further exit, and keeps the position', async () => {
    const { closings, id, time, now, tries } = await heldUp();
    await time.advance(3_000);
    const before = tries();
    await time.settle(closings.cancel(id));
    await time.advance(10_000);
    const ended = await now();
    expect(ended.positions).toMatchObject([
      { status: 'kept', reason: 'a caller has ended the closing' },
    ]);
    expect([ended.over?.end, tries() - before]).toEqual(['partly_flat', 0]);
  });
});

describe('a closing whose exit cannot be begun', () => {
  it('tries it twenty times, and then says why it stopped', async () => {
    const { time, now, tries } = await heldUp();
    await time.advance(120_000);
    const ended = await now();
    expect(tries()).toBe(20);
    expect(ended.positions).toMatchObject([{ status: 'stopped', reason: 'nothing can be begun' }]);
    expect(ended.over?.end).toBe('stopped');
  });
});
