import { createDice } from './dice.ts';
import type { DayKind } from './hours.ts';
import { planDay, type SeedPlan } from './plan.ts';

/** A day with every kind of caller and of trouble; `only` keeps one kind of fault or mishap. */
export function planRichDay(
  seed: string,
  only: string | null = null,
  kind: DayKind = 'session',
): SeedPlan {
  const plan = { ...planDay(seed, only, kind), rich: true };
  createDice(`${seed}/rich`);
  return plan;
}
