import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.ts';

/** Two days, on a machine that does much else at once. */
const TWO_DAYS_MS = 240_000;

describe('a simulated day', { timeout: TWO_DAYS_MS }, () => {
  it('is the same day when it is played again', async () => {
    const [first, second] = [await runSeed('11'), await runSeed('11')];
    expect(second.hash).toBe(first.hash);
    expect(second.timeline).toEqual(first.timeline);
  });

  it('is another day under another seed', async () => {
    expect((await runSeed('12')).hash).not.toBe((await runSeed('13')).hash);
  });
});
