import { describe, expect, it } from 'vitest';
import { VirtualTime } from '../../support/virtual-time.ts';
import { ALL } from '../closings/support/all.ts';
import { exitBench } from './support/exit-bench.ts';

/** Under way, with a leg that has not filled, when the process ends; nothing happens until the next one begins. */
async function downFor(ms: number, at?: string) {
  const bench = await exitBench(at === undefined ? {} : { time: new VirtualTime(at) });
  const { time, trading, fates } = bench;
  fates.push({ kind: 'fills', quantity: 0 });
  return {
    ...bench,
    async restartLater() {
      // The clock that a new process reads is the wall clock alone.
      const restarted = trading.restart();
      time.stepWall(ms);
      await restarted;
    },
  };
}

const DOWN = { end: 'stopped', why: 'gateway_was_down' };

describe('an exit that was under way when the process ended', () => {
  it.each([
    ['goes on within five minutes', 290_000, { end: 'flat' }],
    ['stops after more than five minutes', 310_000, DOWN],
    ['stops where the clock was set back by more than five minutes', -310_000, DOWN],
  ])('%s', async (_what, ms, over) => {
    const { begin, time, trading, legs, restartLater } = await downFor(ms);
    const { id } = await begin();
    await time.advance(2_000);
    await restartLater();
    await time.advance(2_000);
    const exit = await trading.execution.exits.exit(id);
    expect(exit?.over).toMatchObject(over);
    expect(legs()).toHaveLength(over === DOWN ? 1 : 2);
  });

  it('stops on another day, also a minute later', async () => {
    const { begin, time, trading, legs, restartLater } = await downFor(60_000, NEAR_SIX);
    const { id } = await begin();
    await time.advance(2_000);
    await restartLater();
    await time.advance(2_000);
    expect((await trading.execution.exits.exit(id))?.over).toMatchObject(DOWN);
    expect(legs().length).toBeLessThanOrEqual(1);
  });
});

/** Days begin at 06:00. */
const NEAR_SIX = '2026-11-06T05:59:30+05:30';

const DOWN_DETAIL = 'the gateway was not running for minutes, so it did not go on by itself';

describe('a closing that was under way when the process ended', () => {
  it.each([
    ['goes on within five minutes', 290_000, { end: 'flat' }],
    ['stops after more than five minutes', 310_000, { end: 'stopped', detail: DOWN_DETAIL }],
  ])('%s', async (_what, ms, over) => {
    const { time, trading, restartLater } = await downFor(ms);
    const { closing } = await time.settle(trading.execution.closings.begin(ALL));
    await time.advance(2_000);
    await restartLater();
    await time.advance(2_000);
    const after = await trading.execution.closings.closing(closing.id);
    expect(after?.over).toMatchObject(over);
  });
});
