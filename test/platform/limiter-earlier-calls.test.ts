import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../src/platform/call-limits.ts';
import { LIMIT_MARGIN_MS, type LimitWindow } from '../../src/platform/limit-windows.ts';
import { VirtualTime } from '../support/virtual-time.ts';

function bench(...windows: LimitWindow[]) {
  const time = new VirtualTime(0);
  return { time, limiter: createLimiter(time, time, windows) };
}

describe('calls of an earlier process', () => {
  const windows: LimitWindow[] = [
    { count: 2, perMs: 1_000 },
    { count: 5, perMs: 60_000 },
  ];

  it('count in each window that reaches back to them', async () => {
    const { time, limiter } = bench(...windows);
    limiter.countEarlier([90_000, 59_000, 30_000, 500]);
    expect(limiter.state().windows.map(({ left }) => left)).toEqual([1, 2]);
    const log: number[] = [];
    const ask = () => limiter.acquire(60_000).then(() => log.push(time.elapsed()));
    void [ask(), ask(), ask()];
    await time.advance(60_000);
    // The first at once, the second after the second of the newest, the third after the minute of the oldest.
    expect(log).toEqual([0, 500 + LIMIT_MARGIN_MS, 1_000 + LIMIT_MARGIN_MS]);
  });

  it('take no place from a call that has one, and give none', () => {
    const { limiter } = bench({ count: 2, perMs: 1_000 });
    limiter.countEarlier([100, 100]);
    expect(limiter.mayLeave()).toBe(false);
  });

  it('leave the fifth of the day that is kept for ways out', async () => {
    const time = new VirtualTime(0);
    const day = 86_400_000;
    const limiter = createLimiter(time, time, [{ count: 5, perMs: day }], undefined, {
      spare: () => 1,
      mostWaiting: Infinity,
    });
    limiter.countEarlier([3_600_000, 3_600_000, 60_000, 1_000]);
    expect(await limiter.acquire(1_000, 'caller')).toBe(false);
    expect(await limiter.acquire(0, 'way_out')).toBe(true);
  });
});
