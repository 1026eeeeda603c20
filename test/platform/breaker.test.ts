import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../src/platform/breaker.ts';
import { VirtualTime } from '../support/virtual-time.ts';

function failing(times: number) {
  const time = new VirtualTime(0);
  const breaker = createBreaker(time);
  for (let failure = 0; failure < times; failure += 1) breaker.failed();
  return { time, breaker };
}

describe('a breaker', () => {
  it('allows calls after four failures, and none after five', () => {
    expect(failing(4).breaker.allow()).toBe(true);
    expect(failing(5).breaker.allow()).toBe(false);
  });

  it('counts failures in a row only', () => {
    const { breaker } = failing(4);
    breaker.succeeded();
    for (let failure = 0; failure < 4; failure += 1) breaker.failed();
    expect(breaker.allow()).toBe(true);
  });

  it('allows one call after ten seconds, and no second one', async () => {
    const { time, breaker } = failing(5);
    await time.advance(9_999);
    expect(breaker.allow()).toBe(false);
    await time.advance(1);
    expect([breaker.allow(), breaker.allow()]).toEqual([true, false]);
  });

  it('closes when that call succeeds, and counts from zero', async () => {
    const { time, breaker } = failing(5);
    await time.advance(10_000);
    breaker.allow();
    breaker.succeeded();
    expect(breaker.state()).toEqual({ kind: 'closed', failures: 0 });
  });

  it('opens for ten more seconds when that call fails', async () => {
    const { time, breaker } = failing(5);
    await time.advance(10_000);
    breaker.allow();
    breaker.failed();
    await time.advance(9_999);
    expect(breaker.allow()).toBe(false);
    await time.advance(1);
    expect(breaker.allow()).toBe(true);
  });

  it('stays open by elapsed time, whatever the wall clock does', () => {
    const { time, breaker } = failing(5);
    time.stepWall(3_600_000);
    expect(breaker.allow()).toBe(false);
  });
});
