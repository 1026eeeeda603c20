import { describe, expect, it } from 'vitest';
import { nextResolvingRead } from '../../../src/execution/reconcile/read-schedule.ts';
import { elapsedMs } from '../../../src/units/branded.ts';

describe('the book, for something uncertain', () => {
  it('is read at a quarter, a half, 1, 2 and 4 seconds, then every five', () => {
    const reads: number[] = [];
    let last = -Infinity;
    while (reads.length < 8)
      reads.push((last = nextResolvingRead(elapsedMs(1_000), elapsedMs(last), false)));
    expect(reads.map((at) => at - 1_000)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 9_000, 14_000, 19_000,
    ]);
  });

  it.each([
    ['before it became uncertain', -400, 250],
    ['at the very moment', 0, 250],
    ['a little late', 300, 500],
    ['exactly on time', 500, 1_000],
    ['for another one', 61_000, 66_000],
  ])('that was read %s is due at the next point', (_when, last, due) => {
    expect(nextResolvingRead(elapsedMs(0), elapsedMs(last), false)).toBe(due);
  });

  it('is read once a minute while the market is shut, but at once for what is new', () => {
    expect(nextResolvingRead(elapsedMs(0), elapsedMs(100_000), true)).toBe(160_000);
    expect(nextResolvingRead(elapsedMs(90_000), elapsedMs(90_300), true)).toBe(90_500);
  });
});
