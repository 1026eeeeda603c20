import { createDice } from './dice.ts';
import { DIRECTIONS_ABOUT_DAYS } from './directions-days.ts';
import type { Directions } from './directions.ts';
import { DIRECTIONS_ABOUT_DOUBTS } from './directions-doubts.ts';
import { DIRECTIONS_ABOUT_ROWS } from './directions-rows.ts';
import { DIRECTED_DAYS, type DirectedDay, planDay, type SeedPlan } from './plan.ts';

const DIRECTIONS: Directions<DirectedDay> = {
  ...DIRECTIONS_ABOUT_DAYS,
  ...DIRECTIONS_ABOUT_ROWS,
  ...DIRECTIONS_ABOUT_DOUBTS,
};

/**
 * Of ten seeds, the last two are directed days: each concentrates on one kind of trouble, so that a run
 * of 200 seeds has met every kind in the situation in which it matters. All others are mixed.
 */
export function directedDay(seed: string): DirectedDay | null {
  const number = Number(seed);
  if (!Number.isSafeInteger(number) || number < 1) return null;
  const place = (number - 1) % 10;
  if (place < 8) return null;
  const index = Math.floor((number - 1) / 10) * 2 + (place - 8);
  return DIRECTED_DAYS[index % DIRECTED_DAYS.length] ?? null;
}

/** The day of a seed, directed at one kind of trouble: all others are left out. */
export function planDirectedDay(seed: string, directed: DirectedDay): SeedPlan {
  const dice = createDice(`${seed}/directed`);
  const quiet = {
    ...planDay(seed),
    ...{ rich: true, directed, faults: [], crashes: [], mishaps: [] },
    ...{ freezeQuantity: null, remarksChange: false, pollSeconds: dice.pick([1, 5]) },
  };
  return { ...quiet, ...DIRECTIONS[directed](dice) };
}

/** The first seeds of a directed day, ascending. */
export function seedsOf(directed: DirectedDay, count: number): number[] {
  const first = DIRECTED_DAYS.indexOf(directed);
  return Array.from({ length: count }, (_, round) => {
    const index = first + round * DIRECTED_DAYS.length;
    return Math.floor(index / 2) * 10 + 9 + (index % 2);
  });
}
