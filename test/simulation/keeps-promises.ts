import { expect, it } from 'vitest';
import type { DayKind } from './hours.ts';
import { runSeed, type SeedResult } from './run-seed.ts';

/** A day takes seconds; on a machine that does much else at once, longer. */
const A_DAY_MS = 120_000;

const played = new Map<string, Promise<SeedResult>>();

/** The result of a day that a test of this file plays: several may look at it. */
function playedOnce(seed: string, kind: DayKind): Promise<SeedResult> {
  const name = `${kind} ${seed}`;
  const result = played.get(name) ?? runSeed(seed, null, kind);
  played.set(name, result);
  return result;
}

/** One test for each seed: the checker finds nothing, and the day was one with orders and crashes. */
export function describeSeeds(title: string, kind: DayKind, seeds: readonly string[]): void {
  it.each(seeds)(
    `${title}: seed %s`,
    async (seed) => {
      const { violations, orders, crashes, timeline } = await playedOnce(seed, kind);
      expect(violations, timeline.slice(-40).join('\n')).toEqual([]);
      expect(orders).toBeGreaterThanOrEqual(15);
      expect(crashes).toBeGreaterThanOrEqual(3);
    },
    A_DAY_MS,
  );
}

/** A day played twice is the same day, and no other. */
export function describeReplay(seed: string, other: string): void {
  it(
    'is the same day when it is played again',
    async () => {
      const [first, second] = [await playedOnce(seed, 'session'), await runSeed(seed)];
      expect(second.hash).toBe(first.hash);
      expect(second.timeline).toEqual(first.timeline);
    },
    2 * A_DAY_MS,
  );

  it(
    'is another day under another seed',
    async () => {
      const [one, two] = [await playedOnce(seed, 'session'), await playedOnce(other, 'session')];
      expect(two.hash).not.toBe(one.hash);
    },
    2 * A_DAY_MS,
  );
}
