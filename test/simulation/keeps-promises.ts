import { expect, it } from 'vitest';
import type { DayKind } from './hours.ts';
import { runSeed } from './run-seed.ts';

/** A day takes seconds; on a machine that does much else at once, longer. */
const A_DAY_MS = 120_000;

/** One test for each seed: the checker finds nothing, and the day was one with orders and crashes. */
export function describeSeeds(title: string, kind: DayKind, seeds: readonly string[]): void {
  it.each(seeds)(
    `${title}: seed %s`,
    async (seed) => {
      const { violations, orders, crashes, timeline } = await runSeed(seed, null, kind);
      expect(violations, timeline.slice(-40).join('\n')).toEqual([]);
      expect(orders).toBeGreaterThanOrEqual(15);
      expect(crashes).toBeGreaterThanOrEqual(3);
    },
    A_DAY_MS,
  );
}
