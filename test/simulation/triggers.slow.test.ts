import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.ts';

/** A day takes seconds; on a machine that does much else at once, longer. */
const A_DAY_MS = 120_000;

describe('an afternoon with triggers', () => {
  it.each(['193'])(
    'keeps every promise: seed %s',
    async (seed) => {
      const { violations, timeline } = await runSeed(seed);
      expect(violations, timeline.slice(-40).join('\n')).toEqual([]);
      expect(timeline.filter((line) => line.includes(' takes trigger ')).length).toBeGreaterThan(5);
    },
    A_DAY_MS,
  );
});
