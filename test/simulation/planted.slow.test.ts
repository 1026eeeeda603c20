import { describe, expect, it } from 'vitest';
import { playPlanted } from './plant.ts';
import { FOUND } from './planted-found.ts';
import { PLANTED_BUGS } from './planted.ts';

/** A directed day takes seconds; on a machine that does much else at once, minutes. */
const THREE_DAYS_MS = 600_000;

/** Each bug is played on the seeds that are known to find it, until the first that does. */
describe('the checker', { timeout: THREE_DAYS_MS }, () => {
  it.each(
    PLANTED_BUGS.flatMap((bug) => {
      const found = FOUND.get(bug.name);
      return found ? [[bug.name, bug, found] as const] : [];
    }),
  )('finds: %s', async (_, bug, { properties, seeds }) => {
    const { seed, found, all, failure } = await playPlanted(bug, properties, seeds);
    expect({ seed, failure }, all.slice(0, 5).join('\n')).toMatchObject({ failure: null });
    expect(seeds, `no violation of ${properties.join(', ')}`).toContain(seed);
    process.stdout.write(`${bug.name}: ${found[0] ?? ''}\n`);
  });
});
