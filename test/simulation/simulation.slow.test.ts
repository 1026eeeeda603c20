import { describe, expect, it } from 'vitest';
import type { DayKind } from './hours.ts';
import { runSeed } from './run-seed.ts';

async function violationsOf(day: DayKind, seeds: number): Promise<string[]> {
  const broken: string[] = [];
  for (let seed = 1_001; seed <= 1_000 + seeds; seed += 1) {
    const { violations } = await runSeed(String(seed), null, day);
    for (const { property, text } of violations) broken.push(`${seed} ${property} ${text}`);
  }
  return broken;
}

describe('simulated days', () => {
  it('keep every promise: two hundred afternoons', async () => {
    expect(await violationsOf('session', 200)).toEqual([]);
  });

  it('keep every promise: twenty stretches of three days', async () => {
    expect(await violationsOf('stretch', 20)).toEqual([]);
  });

  it('keep every promise: forty nights', async () => {
    expect(await violationsOf('night', 40)).toEqual([]);
  });
});
