import { describe, expect, it } from 'vitest';
import { exitBench } from './support/exit-bench.ts';

describe('an exit that a caller cancels at once', () => {
  it('leaves the stop in the book that protects the position', async () => {
    const { commandOf, after, trading, fates, broker, time, exits, legs } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    await trading.place({ side: 'SELL', quantity: 100, product: 'INTRADAY', price: 1_600 });
    await time.advance(2_000);
    broker.readMs = 500;
    const begun = exits.begin(commandOf());
    await time.advance(0);
    const { exit } = await begun;
    const cancelling = exits.cancel(exit.id);
    await time.advance(0);
    await cancelling;
    const ended = await after(exit.id, 30_000);
    expect([broker.cancels, legs()]).toEqual([[], [['LIMIT', 100, 1_600]]]);
    expect(ended.over).toMatchObject({ end: 'stopped', why: 'cancelled' });
  });
});

describe('an exit that is over', () => {
  it('is not changed by a cancel, and is not told again', async () => {
    const { begin, after, fates, exits, time, trading } = await exitBench();
    fates.push({ kind: 'row rejected', reason: 'RMS: no' });
    const ended = await after((await begin()).id, 20_000);
    const told = trading.alerts();
    expect([ended.over?.end, told.at(-1)?.level]).toEqual(['stopped', 'critical']);
    expect(await time.settle(exits.cancel(ended.id))).toEqual(ended);
    expect(trading.alerts()).toEqual(told);
  });
});
