import type { DayKind } from './hours.ts';
import { runSeed } from './run-seed.ts';

/** The violations of `seeds` days from seed 1001 on: seed, property and what happened. */
export async function violationsOf(day: DayKind, seeds: number): Promise<string[]> {
  const broken: string[] = [];
  for (let seed = 1_001; seed <= 1_000 + seeds; seed += 1) {
    const { violations } = await runSeed(String(seed), null, day);
    for (const { property, text } of violations) broken.push(`${seed} ${property} ${text}`);
  }
  return broken;
}
