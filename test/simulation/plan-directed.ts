import { createDice } from './dice.ts';
import {
  type AnyDirectedDay,
  CANCELLED_TRIGGER_DIRECTED_DAYS,
  CHANGED_TRIGGER_DIRECTED_DAYS,
  CLOSING_DIRECTED_DAYS,
  COPY_DIRECTED_DAYS,
  DIRECTED_DAYS,
  DIRECTED_NIGHTS,
  DOUBLED_ROW_DIRECTED_DAYS,
  EXIT_DIRECTED_DAYS,
  FAILED_LIST_DIRECTED_DAYS,
  FURTHER_DIRECTED_DAYS,
  ENDED_ROW_DIRECTED_DAYS,
  FURTHER_WAY_OUT_DIRECTED_DAYS,
  IMPATIENT_DIRECTED_DAYS,
  KEY_DIRECTED_DAYS,
  LATE_POSITION_DIRECTED_DAYS,
  LATER_DIRECTED_DAYS,
  MISREAD_DIRECTED_DAYS,
  OPEN_CHANGE_DIRECTED_DAYS,
  OWN_TRIGGER_DIRECTED_DAYS,
  PROTECTED_DIRECTED_DAYS,
  RARE_DIRECTED_DAYS,
  RARE_TRIGGER_DIRECTED_DAYS,
  REFUSED_ROW_DIRECTED_DAYS,
  RESTING_DIRECTED_DAYS,
  SIGNAL_DIRECTED_DAYS,
  SOLD_BESIDE_DIRECTED_DAYS,
  SPELLED_ROW_DIRECTED_DAYS,
  SPLIT_POSITION_DIRECTED_DAYS,
  STOP_DIRECTED_DAYS,
  TRIGGER_DIRECTED_DAYS,
  TWO_EXCHANGE_DIRECTED_DAYS,
  UNLISTED_TRIGGER_DIRECTED_DAYS,
  UNPRICED_POSITION_DIRECTED_DAYS,
} from './directed-days.ts';
import { DIRECTIONS_ABOUT_ACCOUNTS } from './directions-accounts.ts';
import { DIRECTIONS_ABOUT_BASKETS } from './directions-baskets.ts';
import { DIRECTIONS_ABOUT_CLOSINGS } from './directions-closings.ts';
import { DIRECTIONS_ABOUT_COPIES } from './directions-copies.ts';
import { DIRECTIONS_ABOUT_DAYS } from './directions-days.ts';
import type { Directions } from './directions.ts';
import { DIRECTIONS_ABOUT_DOUBTS } from './directions-doubts.ts';
import { DIRECTIONS_ABOUT_EXITS } from './directions-exits.ts';
import { DIRECTIONS_ABOUT_IMPATIENCE } from './directions-impatient.ts';
import { DIRECTIONS_ABOUT_KEYS } from './directions-keys.ts';
import { DIRECTIONS_ABOUT_NAMES } from './directions-names.ts';
import { DIRECTIONS_ABOUT_ROWS } from './directions-rows.ts';
import { DIRECTIONS_ABOUT_SIGNALS } from './directions-signals.ts';
import { DIRECTIONS_ABOUT_SILENCE } from './directions-silence.ts';
import { DIRECTIONS_ABOUT_TRIGGERS } from './directions-triggers.ts';
import { DIRECTIONS_ABOUT_WAYS_OUT } from './directions-ways-out.ts';
import type { DayKind } from './hours.ts';
import { planDay, type SeedPlan } from './plan.ts';

const DIRECTIONS: Directions<AnyDirectedDay> = {
  ...DIRECTIONS_ABOUT_DAYS,
  ...DIRECTIONS_ABOUT_COPIES,
  ...DIRECTIONS_ABOUT_ROWS,
  ...DIRECTIONS_ABOUT_DOUBTS,
  ...DIRECTIONS_ABOUT_SILENCE,
  ...DIRECTIONS_ABOUT_NAMES,
  ...DIRECTIONS_ABOUT_EXITS,
  ...DIRECTIONS_ABOUT_BASKETS,
  ...DIRECTIONS_ABOUT_TRIGGERS,
  ...DIRECTIONS_ABOUT_KEYS,
  ...DIRECTIONS_ABOUT_SIGNALS,
  ...DIRECTIONS_ABOUT_CLOSINGS,
  ...DIRECTIONS_ABOUT_ACCOUNTS,
  ...DIRECTIONS_ABOUT_IMPATIENCE,
  ...DIRECTIONS_ABOUT_WAYS_OUT,
};

/** Where the directed days of a list stand among each so many seeds. */
export const PLACES = [
  { days: DIRECTED_DAYS, places: [9, 10], among: 10 },
  { days: LATER_DIRECTED_DAYS, places: [8], among: 10 },
  { days: RARE_DIRECTED_DAYS, places: [97], among: 100 },
  { days: EXIT_DIRECTED_DAYS, places: [95, 96], among: 100 },
  { days: FURTHER_DIRECTED_DAYS, places: [92, 94], among: 100 },
  { days: TRIGGER_DIRECTED_DAYS, places: [91, 93], among: 100 },
  { days: RARE_TRIGGER_DIRECTED_DAYS, places: [87], among: 100 },
  { days: CANCELLED_TRIGGER_DIRECTED_DAYS, places: [84], among: 100 },
  { days: UNLISTED_TRIGGER_DIRECTED_DAYS, places: [83], among: 100 },
  { days: OWN_TRIGGER_DIRECTED_DAYS, places: [63], among: 100 },
  { days: STOP_DIRECTED_DAYS, places: [82], among: 100 },
  { days: KEY_DIRECTED_DAYS, places: [86], among: 100 },
  { days: MISREAD_DIRECTED_DAYS, places: [67], among: 100 },
  { days: COPY_DIRECTED_DAYS, places: [81], among: 100 },
  { days: SIGNAL_DIRECTED_DAYS, places: [85], among: 100 },
  { days: CLOSING_DIRECTED_DAYS, places: [64], among: 100 },
  { days: LATE_POSITION_DIRECTED_DAYS, places: [62], among: 100 },
  { days: DOUBLED_ROW_DIRECTED_DAYS, places: [61], among: 100 },
  { days: SPELLED_ROW_DIRECTED_DAYS, places: [75, 76], among: 100 },
  { days: RESTING_DIRECTED_DAYS, places: [73], among: 100 },
  { days: REFUSED_ROW_DIRECTED_DAYS, places: [71], among: 100 },
  { days: SOLD_BESIDE_DIRECTED_DAYS, places: [66], among: 100 },
  { days: SPLIT_POSITION_DIRECTED_DAYS, places: [65], among: 100 },
  { days: UNPRICED_POSITION_DIRECTED_DAYS, places: [51], among: 100 },
  { days: TWO_EXCHANGE_DIRECTED_DAYS, places: [43, 53], among: 100 },
  { days: FAILED_LIST_DIRECTED_DAYS, places: [55, 57], among: 100 },
  { days: PROTECTED_DIRECTED_DAYS, places: [56], among: 100 },
  { days: IMPATIENT_DIRECTED_DAYS, places: [47], among: 100 },
  { days: OPEN_CHANGE_DIRECTED_DAYS, places: [44, 45], among: 100 },
  { days: CHANGED_TRIGGER_DIRECTED_DAYS, places: [74], among: 100 },
  { days: FURTHER_WAY_OUT_DIRECTED_DAYS, places: [72], among: 100 },
  { days: ENDED_ROW_DIRECTED_DAYS, places: [52], among: 100 },
] as const;
/** The same of nights; three sessions in a row are always mixed. */
const PLACES_OF_NIGHTS = [{ days: DIRECTED_NIGHTS, places: [8], among: 10 }] as const;

const placesOf = (kind: DayKind): readonly Place[] =>
  kind === 'session' ? PLACES : kind === 'night' ? PLACES_OF_NIGHTS : [];

interface Place {
  readonly days: readonly AnyDirectedDay[];
  readonly places: readonly number[];
  readonly among: number;
}

/**
 * Of ten seeds, the last three are directed days, and of a hundred the 97th: each concentrates on one kind of trouble, so that a run
 * of 200 seeds has met every kind in the situation in which it matters. All others are mixed.
 */
export function directedDay(seed: string, kind: DayKind = 'session'): AnyDirectedDay | null {
  const number = Number(seed);
  if (!Number.isSafeInteger(number) || number < 1) return null;
  for (const { days, places, among } of placesOf(kind)) {
    const place = ((number - 1) % among) + 1;
    const at = places.findIndex((each) => each === place);
    if (at < 0) continue;
    const index = Math.floor((number - 1) / among) * places.length + at;
    return days[index % days.length] ?? null;
  }
  return null;
}

/** The day of a seed, directed at one kind of trouble: all others are left out. */
export function planDirectedDay(
  seed: string,
  directed: AnyDirectedDay,
  kind: DayKind = 'session',
): SeedPlan {
  const dice = createDice(`${seed}/directed`);
  const quiet = {
    ...planDay(seed, null, kind),
    ...{ rich: true, directed, faults: [], crashes: [], mishaps: [] },
    ...{ freezeQuantity: null, remarksChange: false, pollSeconds: dice.pick([1, 5]) },
  };
  return { ...quiet, ...DIRECTIONS[directed](dice) };
}

/** The first seeds of a directed day, ascending. */
export function seedsOf(directed: AnyDirectedDay, count: number): number[] {
  return [...PLACES, ...PLACES_OF_NIGHTS].flatMap(({ days, places, among }) => {
    const first = days.findIndex((each) => each === directed);
    if (first < 0) return [];
    return Array.from({ length: count }, (_, round) => {
      const index = first + round * days.length;
      const place = places[index % places.length] ?? 0;
      return Math.floor(index / places.length) * among + place;
    });
  });
}
