import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import { createDice, type Dice } from './dice.ts';
import { momentIn } from './plan-faults.ts';
import type { DayKind } from './hours.ts';
import type { SeedPlan } from './plan.ts';
import type { PlannedCancelAll } from './planned-closing.ts';
import type { PlannedTriggers, TriggerAct } from './planned-triggers.ts';

const MINUTE_MS = 60_000;
/** Kite's ways to say no, and ways that say nothing, by their place in its list of refusals. */
const OPEN_WORDS = [0, 1, 2, 3, 14, 15, 16, 17, 20, 22, 23, 24, 25, 26, 29, 30];

export interface TriggerTroubles {
  readonly triggers: PlannedTriggers;
  readonly faults: readonly FaultRule[];
}

/**
 * The triggers of a day, with faults of all kinds at their calls. All is drawn from a stream of its own: what
 * else happens on a day stays as it was.
 */
export function planTriggers({ seed, hours }: SeedPlan): TriggerTroubles {
  const dice = createDice(`${seed}/rich/triggers`);
  const acts = Array.from({ length: dice.whole(2, 8) }, () =>
    planAct(dice, momentIn(dice, hours.placing)),
  );
  const faults = Array.from({ length: dice.whole(3, 9) }, () => momentIn(dice, hours.trouble));
  return {
    triggers: {
      ...{ each: dice.whole(5, 10), races: dice.pick([0, 0.15]), near: dice.pick([0.2, 0.5]) },
      cleared: 0.8,
      ...{ forgets: dice.chance(0.5), acts },
    },
    faults: faults.flatMap((from) => planFault(dice, from)),
  };
}

/** Mixed days up to this one stay as they are: the slow suite plays them, and triggers take half as long again. */
const FIRST_WITH_TRIGGERS = 20_000;

interface MixedTriggers {
  readonly asked: Pick<SeedPlan, 'triggers'>;
  readonly faults: readonly FaultRule[];
  readonly cancelAlls: readonly PlannedCancelAll[];
}

/**
 * The triggers of a mixed day: on one afternoon in four, one night in four and one stretch in four. At night there is
 * nothing to place them at but Kite.
 */
export function triggersOf(plan: SeedPlan, kind: DayKind, only: string | null): MixedTriggers {
  const { seed, tradingRoute } = plan;
  const brokers = tradingRoute.filter((each) =>
    kind === 'night' ? each === 'alt' : each !== 'paper',
  );
  const isPlayed =
    only === null &&
    Number(seed) > FIRST_WITH_TRIGGERS &&
    brokers.length > 0 &&
    createDice(`${seed}/rich/with_triggers`).chance(0.25);
  if (!isPlayed) return { asked: {}, faults: [], cancelAlls: [] };
  const { triggers, faults } = planTriggers(plan);
  return { asked: { triggers }, faults, cancelAlls: cancelsOf(plan) };
}

/** Cancels of many orders with their triggers, of an account or of one key. */
function cancelsOf({ seed, hours }: SeedPlan): PlannedCancelAll[] {
  const dice = createDice(`${seed}/rich/trigger_cancels`);
  return Array.from({ length: dice.whole(0, 2) }, (): PlannedCancelAll => {
    const scope = dice.pick(['mine', 'account'] as const);
    return {
      ...{ at: momentIn(dice, hours.placing), scope, isNamed: dice.chance(0.3), side: null },
      caller: scope === 'mine' ? dice.pick(['caller-1', 'caller-2']) : 'person',
      ...{ byHand: 0, burst: 0, triggers: true },
    };
  });
}

function planAct(dice: Dice, at: number): TriggerAct {
  switch (dice.pick(['fire', 'fire', 'hand_place', 'hand_delete', 'hide'] as const)) {
    case 'fire':
      return { kind: 'fire', at, lateMs: dice.pick([0, 0, 5_000, 60_000]) };
    case 'hand_place':
      return { kind: 'hand_place', at, twin: dice.chance(0.4) };
    case 'hand_delete':
      return { kind: 'hand_delete', at };
    case 'hide':
      return { kind: 'hide', at, forMs: dice.pick([5_000, 20_000, 40_000, 150_000]) };
  }
}

/** Answers that are lost, in every way. */
const LOST = ['hang_after', 'reset_after', 'cut_after', 'error_after', 'html_2xx_after'] as const;
/** What is not done, and what a broker says of it. */
const UNDONE = ['refuse', 'hang_before', 'reset_before', 'error_before', 'rate_limited'] as const;
/** What is wrong with a list. */
const SPOILT = ['stale_book', 'truncated_book', 'bad_row', 'bad_field', 'foreign_hidden'] as const;

function planFault(dice: Dice, from: number): FaultRule[] {
  const path = '/gtt/triggers';
  const until = from + Math.round(dice.between(20_000, 3 * MINUTE_MS));
  const rule = (kind: FaultKind, method: string, more: Partial<FaultRule> = {}): FaultRule => ({
    ...{ broker: 'kite', kind, match: { method, path }, from, until, times: dice.whole(1, 3) },
    ...more,
  });
  const lost = dice.pick(LOST);
  switch (
    dice.pick(['lost', 'lost', 'late', 'undone', 'words', 'change', 'list', 'spoilt'] as const)
  ) {
    case 'lost':
      return [rule(lost, 'POST')];
    case 'late':
      // The answer is lost, and the row is long in coming; at most for less than the gateway waits.
      return [
        rule(lost, 'POST', { times: 1 }),
        rule('late_rows', 'POST', {
          ...{ times: 1, params: { delayMs: dice.pick([4_000, 30_000, 90_000, 240_000]) } },
        }),
      ];
    case 'undone':
      return [rule(dice.pick(UNDONE), dice.pick(['POST', 'PUT', 'DELETE']))];
    case 'words':
      return [
        rule('refused_after', dice.pick(['POST', 'PUT', 'DELETE']), {
          params: { refusal: dice.pick(OPEN_WORDS) },
        }),
      ];
    case 'change':
      return [rule(lost, dice.pick(['PUT', 'DELETE', 'DELETE']))];
    case 'list':
      return [
        rule(dice.pick([...UNDONE, 'mangled_2xx_after']), 'GET', {
          times: dice.pick([1, 4, 100_000]),
        }),
      ];
    case 'spoilt':
      // Not for as long as it takes until a trigger that lists lack is called ended.
      return [
        rule(dice.pick(SPOILT), 'GET', {
          ...{ times: dice.pick([1, 5, 100_000]), until: from + dice.whole(5_000, 40_000) },
          params: { ageMs: dice.pick([1_000, 10_000]), drop: 1 },
        }),
      ];
  }
}
