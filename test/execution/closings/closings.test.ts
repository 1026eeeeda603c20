import { describe, expect, it } from 'vitest';
import { exitBench } from '../exits/support/exit-bench.ts';
import { ALL } from './support/all.ts';

describe('a closing at which the gateway makes a mistake', () => {
  it('ends stopped, and says so', async () => {
    const { trading, time, exits } = await exitBench();
    const { closings } = trading.execution;
    Object.assign(exits, { begin: () => Promise.reject(new TypeError('nothing is there')) });
    const { closing } = await time.settle(closings.begin(ALL));
    await time.advance(5_000);
    const ended = await closings.closing(closing.id);
    expect(ended?.over?.end).toBe('stopped');
    expect(ended?.over?.detail).toContain('nothing is there');
  });
});

describe('a closing, once another user of the broker has logged in', () => {
  it('begins no exit in their account', async () => {
    const { broker, trading, time, legs, setHeld } = await exitBench();
    let account = 'AB1';
    broker.trading.account = () => Promise.resolve(account);
    const { closings } = trading.execution;
    const begun = closings.begin(ALL).then((result) => {
      account = 'XY9';
      setHeld(500);
      return result;
    });
    const { closing } = await time.settle(begun);
    await time.advance(60_000);
    const ended = await closings.closing(closing.id);
    expect([legs(), ended?.over?.end]).toEqual([[], 'stopped']);
    expect(ended?.positions[0]?.reason).toContain('of XY9, and this began for AB1');
  });
});
