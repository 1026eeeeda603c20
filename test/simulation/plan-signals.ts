import { createDice } from './dice.ts';
import type { DayKind } from './hours.ts';
import type { SeedPlan } from './plan.ts';

/** Mixed days up to this one stay as they are: the slow suite plays them. */
const FIRST_WITH_SIGNALS = 20_000;

/** On one mixed day in five other programs post alerts; at night no order of an alert could be placed. */
export function signalsOf(
  { seed, tradingRoute }: SeedPlan,
  kind: DayKind,
  only: string | null,
): Pick<SeedPlan, 'signals'> {
  const dice = createDice(`${seed}/rich/signals`);
  const isPlayed =
    only === null &&
    kind !== 'night' &&
    Number(seed) > FIRST_WITH_SIGNALS &&
    tradingRoute.some((each) => each !== 'paper') &&
    dice.chance(0.2);
  if (!isPlayed) return {};
  const maxAgeSeconds = dice.pick([null, null, 30]);
  return { signals: { each: dice.whole(10, 20), repeats: 0.4, maxAgeSeconds } };
}
