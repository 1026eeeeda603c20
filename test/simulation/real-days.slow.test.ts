import { describe, expect, it } from 'vitest';
import { planRealDay, REAL_DAYS } from './real-days.ts';
import { runPlan } from './run-seed.ts';

const SEEDS = ['1', '2', '3', '4', '5', '6'] as const;

describe.each(REAL_DAYS)('the real day %s', (day) => {
  it.each(SEEDS)('keeps every promise: seed %s', async (seed) => {
    const { violations, orders, timeline } = await runPlan(planRealDay(day, seed));
    expect(violations, timeline.slice(-60).join('\n')).toEqual([]);
    expect(orders).toBeGreaterThanOrEqual(15);
  });
});
