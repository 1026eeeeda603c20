import { describe, expect, it } from 'vitest';
import { createFailureLimiter } from '../../src/callers/failure-limiter.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const times = (count: number, run: () => number): number[] => Array.from({ length: count }, run);

describe('the limiter of wrong keys', () => {
  it('answers ten a minute, and says how long the eleventh has to wait', async () => {
    const time = new VirtualTime(0);
    const limiter = createFailureLimiter(time);
    expect(limiter.failed('a')).toBe(0);
    await time.advance(20_000);
    expect(times(9, () => limiter.failed('a'))).toEqual(Array(9).fill(0));
    expect(limiter.failed('a')).toBe(40_000);
  });

  it('forgets failures that are older than a minute', async () => {
    const time = new VirtualTime(0);
    const limiter = createFailureLimiter(time);
    times(11, () => limiter.failed('a'));
    await time.advance(60_000);
    expect(limiter.failed('a')).toBe(0);
  });

  it('counts each address separately', () => {
    const limiter = createFailureLimiter(new VirtualTime(0));
    times(11, () => limiter.failed('a'));
    expect(limiter.failed('b')).toBe(0);
  });

  it('ignores steps of the wall clock', () => {
    const time = new VirtualTime(0);
    const limiter = createFailureLimiter(time);
    times(10, () => limiter.failed('a'));
    time.stepWall(3_600_000);
    expect(limiter.failed('a')).toBeGreaterThan(0);
  });
});
