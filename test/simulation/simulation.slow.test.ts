import { describe, expect, it } from 'vitest';
import { runSeed } from './run-seed.ts';

describe('two hundred simulated days', () => {
  it('keep every promise', async () => {
    const broken: string[] = [];
    for (let seed = 1_001; seed <= 1_200; seed += 1) {
      const { violations } = await runSeed(String(seed));
      for (const { property, text } of violations) broken.push(`${seed} ${property} ${text}`);
    }
    expect(broken).toEqual([]);
  });
});
