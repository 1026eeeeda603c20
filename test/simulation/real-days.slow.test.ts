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

it('has exits that go through while orders that buy are refused', async () => {
  const { timeline } = await runPlan(planRealDay('stale_books', '1'));
  const refused = timeline.filter((line) => line.includes('only square off is allowed'));
  expect(refused.length).toBeGreaterThan(0);
  const legs = timeline.filter((line) => /^11:0\d:.* takes \S+ for \S+\/exit_/.test(line));
  expect(legs.length).toBeGreaterThan(0);
});
