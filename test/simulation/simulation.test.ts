import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.ts';

const SEEDS = ['1', '2', '3', '4', '5', '6', '7', '8'];

describe('a simulated day', () => {
  it.each(SEEDS)('keeps every promise: seed %s', async (seed) => {
    const { violations, orders, crashes, timeline } = await runSeed(seed);
    expect(violations, timeline.slice(-40).join('\n')).toEqual([]);
    expect(orders).toBeGreaterThanOrEqual(30);
    expect(crashes).toBeGreaterThanOrEqual(3);
  });

  it.each(['1', '2'])('keeps every promise through a night: seed %s', async (seed) => {
    const { violations, orders, crashes, timeline } = await runSeed(seed, null, 'night');
    expect(violations, timeline.slice(-40).join('\n')).toEqual([]);
    expect(orders).toBeGreaterThanOrEqual(30);
    expect(crashes).toBeGreaterThanOrEqual(3);
  });

  it('is the same day when it is played again', async () => {
    const [first, second] = [await runSeed('11'), await runSeed('11')];
    expect(second.hash).toBe(first.hash);
    expect(second.timeline).toEqual(first.timeline);
  });

  it('is another day under another seed', async () => {
    expect((await runSeed('12')).hash).not.toBe((await runSeed('13')).hash);
  });
});
