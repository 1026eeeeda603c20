import { type KeyLimits, NO_KEY_LIMITS } from '../../src/callers/caller.ts';
import { createDice, type Dice } from './dice.ts';
import { momentIn } from './plan-faults.ts';
import type { SeedPlan } from './plan.ts';
import type { PlannedKeys, PlannedStop } from './planned-keys.ts';

const CALLERS = ['caller-1', 'caller-2', 'caller-3'] as const;

/** Limits of a key, each tight enough that some of its orders of a day are above it. */
const LIMITS: readonly Partial<KeyLimits>[] = [
  { maxOrderValue: 20_000 },
  { maxOrderQuantity: { every: 25, named: { NIFTY: 65 } } },
  { maxOpenOrders: { every: 2, named: {} } },
  { maxOrdersPerMinute: 2 },
];

/**
 * The keys of a day: stops and limits, and on days that are played over HTTP a key that is confined to the paper
 * account, to real money, or to one broker.
 */
export function planKeys(
  dice: Dice,
  { hours, tradingRoute, http }: Pick<SeedPlan, 'hours' | 'tradingRoute' | 'http'>,
): PlannedKeys {
  const stops = Array.from({ length: dice.whole(1, 4) }, (): PlannedStop => ({
    at: momentIn(dice, hours.placing),
    forMs: dice.pick([5_000, 40_000, 150_000]),
    caller: dice.pick(CALLERS),
    byItself: dice.chance(0.5),
  }));
  const live = tradingRoute.filter((each) => each !== 'paper');
  const confinements = [
    { broker: 'paper', mode: null },
    { broker: 'paper', mode: 'paper' },
    { broker: null, mode: 'live' },
    { broker: dice.pick(live), mode: null },
  ] as const;
  const confined = { caller: dice.pick(CALLERS), ...dice.pick(confinements) };
  const limits = { ...NO_KEY_LIMITS, ...dice.pick(LIMITS) };
  return {
    compareMs: dice.pick([15_000, 40_000]),
    confined: http && dice.chance(0.7) ? confined : null,
    limited: dice.chance(0.5) ? { caller: dice.pick(CALLERS), limits } : null,
    stops,
  };
}

/** Mixed days up to this one stay as they are: the slow suite plays them. */
const FIRST_WITH_KEYS = 20_000;

/** On one mixed day in four, of whatever kind, the keys are looked at. */
export function keysOf(plan: SeedPlan, only: string | null, http: boolean): Pick<SeedPlan, 'keys'> {
  const { seed, tradingRoute } = plan;
  const isPlayed =
    only === null &&
    Number(seed) > FIRST_WITH_KEYS &&
    tradingRoute.some((each) => each !== 'paper') &&
    createDice(`${seed}/rich/with_keys`).chance(0.25);
  return isPlayed ? { keys: planKeys(createDice(`${seed}/rich/keys`), { ...plan, http }) } : {};
}
