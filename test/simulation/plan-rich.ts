import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../sandbox/primary/refusal.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import { createDice, type Dice } from './dice.ts';
import { type DayKind, HOURS, type Hours, onExpiryDay } from './hours.ts';
import { planBrakes } from './plan-brakes.ts';
import { planClosings } from './plan-closings.ts';
import { planExits } from './plan-exits.ts';
import { signalsOf } from './plan-signals.ts';
import { keysOf } from './plan-keys.ts';
import { directedDay, planDirectedDay } from './plan-directed.ts';
import { momentIn } from './plan-faults.ts';
import { triggersOf } from './plan-triggers.ts';
import { MORE_MISHAPS, type Mishap, type MishapKind } from './mishaps.ts';
import { planDay, type CrashPlan, type SeedPlan } from './plan.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A day with every kind of caller and of trouble: the day of the seed as it was recorded, and more.
 * `only` keeps one kind of fault or mishap.
 */
export function planRichDay(
  seed: string,
  only: string | null = null,
  kind: DayKind = 'session',
): SeedPlan {
  const directed = only === null ? directedDay(seed, kind) : null;
  if (directed !== null) return planDirectedDay(seed, directed, kind);
  const plan = planDay(seed, only, kind, hoursOf(seed, only, kind));
  const dice = createDice(`${seed}/rich`);
  const isPlayed = (name: string): boolean => only === null || name === only;
  const rules = KINDS.flatMap((each) => {
    // Each is drawn from a stream of its own: a kind more leaves the others as they are.
    const own = createDice(`${seed}/rich/${each}`);
    const rule = own.chance(only === each ? 1 : 0.16) ? planRule(own, plan, each) : [];
    return isPlayed(each) ? rule : [];
  });
  const mishaps = MORE_MISHAPS.flatMap((each) => {
    const own = createDice(`${seed}/rich/${each}`);
    const mishap = own.chance(only === each ? 1 : 0.16) ? planMore(own, plan, each) : [];
    return isPlayed(each) ? mishap : [];
  });
  const hands = rules
    .filter((rule) => rule.kind === 'foreign_hidden')
    .map((rule) => handOrderBefore(rule, plan.hours));
  const begun = rules.filter((rule) => !isFurtherRefusal(rule, rules));
  const times = [...begun.map(({ from }) => from ?? 0), ...mishaps.map(({ at }) => at)];
  const crash: CrashPlan = {
    at: momentIn(dice, plan.hours.placing),
    point: dice.pick(['before_send', 'before_send', 'after_send']),
    power: dice.chance(0.5),
    downMs: 2_000,
    ofCancel: true,
  };
  // Over HTTP, one day in ten.
  const http = createDice(`${seed}/routes`).chance(0.1);
  const ways = waysOut(plan, kind, only);
  const waiting = triggersOf(plan, kind, only);
  return {
    ...plan,
    rich: true,
    ...ways.asked,
    baskets: basketsOf(seed, only),
    ...waiting.asked,
    ...(ways.asked.cancelAlls || waiting.cancelAlls.length > 0
      ? { cancelAlls: [...(ways.asked.cancelAlls ?? []), ...waiting.cancelAlls] }
      : {}),
    ...{ ...keysOf(plan, only, http), ...signalsOf(plan, kind, only) },
    http,
    marketAsLimit: createDice(`${seed}/rich/market_as_limit`).chance(0.5),
    ...rmsRejectsOf(seed, only),
    ...(createDice(`${seed}/rich/zeros`).chance(0.3) ? { noExchangeId: '0' } : {}),
    crashes: [...plan.crashes, ...(dice.chance(0.3) ? [crash] : []), ...ways.crashes],
    // Three sessions are long enough for more.
    ordersEach: kind === 'stretch' ? plan.ordersEach * 2 : plan.ordersEach,
    faults: [...plan.faults, ...rules, ...waiting.faults],
    mishaps: [...plan.mishaps, ...mishaps, ...hands, ...planSwitches(dice, times), ...ways.mishaps],
  };
}

/** Mixed days below seed 1001 find planted bugs by their seeds: those stay as they are. */
const basketsOf = (seed: string, only: string | null): number =>
  only === null && Number(seed) > 1_000 && createDice(`${seed}/rich/baskets`).chance(0.4) ? 0.2 : 0;

/** How the alternative broker shows what its risk management refuses; as a row below seed 1001, for the same reason. */
const rmsRejectsOf = (seed: string, only: string | null): Pick<SeedPlan, 'rmsRejects'> =>
  only === null && Number(seed) > 1_000
    ? { rmsRejects: createDice(`${seed}/rich/rms`).pick(['row', 'answer', 'both']) }
    : {};

/** One afternoon in twenty is that of the day on which the options expire. */
function hoursOf(seed: string, only: string | null, kind: DayKind): Hours {
  const isExpiry = kind === 'session' && only === null;
  return isExpiry && createDice(`${seed}/rich/expiry`).chance(0.05)
    ? onExpiryDay(HOURS[kind])
    : HOURS[kind];
}

/** The ways out that are asked for on a day, what goes wrong at them, and the brakes that may not hold them. */
function waysOut(plan: SeedPlan, kind: DayKind, only: string | null) {
  if (only !== null) return { asked: { exits: [] }, crashes: [], mishaps: [] };
  const { exits, ...around } = planExits(plan, kind);
  const { closings, cancelAlls, ...beside } = planClosings(plan, kind);
  const isExiting = exits.length + closings.length > 0;
  return {
    asked: { exits, closings, cancelAlls, brakes: isExiting ? planBrakes(plan.seed) : {} },
    crashes: [...around.crashes, ...beside.crashes],
    mishaps: [...around.mishaps, ...beside.mishaps],
  };
}

/**
 * An order placed by hand at the broker, and in the session, of which a rule hides such rows: it must have
 * been seen before. A book that lacks nothing that was seen is whole, and proves absence.
 */
function handOrderBefore({ broker, from = 0 }: FaultRule, { placing }: Hours): Mishap {
  const session = placing.findLast((each) => each.from <= from) ?? placing[0];
  // No order of a caller is of this quantity, so this one is no twin.
  const terms = { instrument: 'NSE:INFY', side: 'BUY', product: 'intraday' } as const;
  const order = { ...terms, quantity: 3, limitPaise: 140_000 };
  return { kind: 'hand_order', at: session?.from ?? from, twin: false, broker, order };
}

/** Refusals come in a row: one moment for all of them. */
const isFurtherRefusal = (rule: FaultRule, rules: readonly FaultRule[]): boolean =>
  rule.kind === 'refused_after' && rules.find(({ kind }) => kind === rule.kind) !== rule;

/** Somebody engages the kill switch in the middle of each kind of trouble. */
function planSwitches(dice: Dice, times: readonly number[]): Mishap[] {
  return times
    .filter(() => dice.chance(0.4))
    .map((at) => ({ kind: 'kill_switch', at, forMs: dice.whole(20_000, 120_000) }));
}

const KINDS = [
  'wrong_id_2xx_after',
  'refused_after',
  'mangled_2xx_after',
  'tag_lost',
  'late_row_only',
  'late_past_close',
  'bad_field',
  'bad_id',
  'status_back',
  'foreign_hidden',
  'frozen_book',
  'odd_row',
  'cancel_undone',
] as const satisfies readonly FaultKind[];
type RichKind = (typeof KINDS)[number];

/** From when a book may prove that an order placed at `from` is not there: 20:00 of its session. */
function provenFrom({ evening, evenings }: Hours, from: number): number {
  const own = [...evenings, evening].find((each) => each > from + HOUR_MS / 2) ?? evening;
  return own + 3 * HOUR_MS + 50 * MINUTE_MS;
}

/** The rules of one kind, at the broker that the route names first or second. */
function planRule(dice: Dice, { hours, tradingRoute }: SeedPlan, kind: RichKind): FaultRule[] {
  const live = tradingRoute.filter((each: BrokerId) => each !== 'paper');
  const broker = dice.pick(live) === 'alt' ? 'kite' : 'primary';
  const from = momentIn(dice, hours.placing);
  const placing =
    broker === 'primary' ? '/order' : hours.afterMarket ? '/orders/amo' : '/orders/regular';
  const book = broker === 'primary' ? '/order-book' : '/orders';
  const rule = {
    broker,
    kind,
    from,
    until: from + 4 * MINUTE_MS,
    times: dice.whole(1, 3),
  } as const;
  const placed = { ...rule, match: { method: 'POST', path: placing } };
  const read = { ...rule, match: { method: 'GET', path: book } };
  switch (kind) {
    case 'wrong_id_2xx_after':
      return [{ ...placed, params: { row: dice.pick(['hand', 'ours', 'ended', 'nobody']) } }];
    case 'refused_after':
      return live.flatMap((each) => planRefusals(dice, each === 'alt' ? 'kite' : 'primary', rule));
    case 'tag_lost': {
      // With an answer that is lost too, the row is all that there is.
      const lost = { ...placed, kind: dice.pick<FaultKind>(['hang_after', 'reset_after']) };
      const tag = { ...placed, params: { mode: dice.pick(['lost', 'replaced']) } };
      return dice.chance(0.7) ? [tag, lost] : [tag];
    }
    case 'late_row_only': {
      const close = provenFrom(hours, from) - 2 * MINUTE_MS;
      const delayMs = close + 15 * MINUTE_MS - from;
      const lost = { ...placed, kind: dice.pick<FaultKind>(['hang_after', 'reset_after']) };
      const trades = broker === 'primary' ? '/trade-book' : '/trades';
      const unread = { broker, kind: 'error_before', match: { path: trades } } as const;
      return [
        { ...placed, params: { delayMs } },
        lost,
        { ...unread, from: close, until: close + 8 * MINUTE_MS },
      ];
    }
    case 'late_past_close': {
      const proven = provenFrom(hours, from);
      const lost = { ...placed, kind: dice.pick<FaultKind>(['hang_after', 'reset_after']) };
      // Later than the hour of proof only where the book is not whole meanwhile.
      const isLater = dice.chance(0.5);
      const shown = isLater ? proven + 20 * MINUTE_MS : proven - dice.whole(5, 250) * MINUTE_MS;
      const late = { ...placed, params: { delayMs: shown - from } };
      const hidden = { ...read, kind: 'foreign_hidden', times: 100_000 } as const;
      // Until after the last of the rows is shown: a whole book without it would prove absence.
      const night = { from: proven - 10 * MINUTE_MS, until: proven + 26 * MINUTE_MS };
      return isLater ? [late, lost, { ...hidden, ...night }] : [late, lost];
    }
    case 'odd_row': {
      const lost = { ...placed, kind: dice.pick<FaultKind>(['hang_after', 'reset_after']) };
      return [{ ...placed, params: { suffix: dice.pick(['', '-BE']) } }, lost];
    }
    case 'cancel_undone':
      return [rule];
    case 'frozen_book':
      return [{ ...read, times: 100_000, until: from + dice.pick([90_000, 8 * MINUTE_MS]) }];
    case 'mangled_2xx_after': {
      const path = dice.pick(['/portfolio', book, '/portfolio']);
      return [{ ...rule, match: { method: 'GET', path }, times: dice.whole(1, 20) }];
    }
    case 'foreign_hidden':
      return [{ ...read, times: 100_000, until: from + dice.pick([20_000, 120_000]) }];
    case 'bad_field':
    case 'bad_id':
      return [{ ...read, times: dice.pick([1, 3, 60]) }];
    case 'status_back':
      return [{ ...read, times: dice.pick([1, 5, 30]) }];
  }
}

/**
 * Four refusals of any kind by one broker, each of the next order that it takes from then on. On two days of
 * five Kite also loses the tag of the first, whose words are known ones: it is disputed while the others come.
 */
function planRefusals(
  dice: Dice,
  broker: FaultRule['broker'],
  { from, kind }: Pick<Required<FaultRule>, 'from' | 'kind'>,
): FaultRule[] {
  const refusals = broker === 'kite' ? kiteRefusals : primaryRefusals;
  const path = broker === 'kite' ? /^\/orders\/[a-z]+$/ : /^\/(smart\/)?order$/;
  const once = { broker, match: { method: 'POST', path }, until: from + 15 * MINUTE_MS, times: 1 };
  const isTagLost = broker === 'kite' && dice.chance(0.4);
  const known = refusals.flatMap(({ means }, index) => (means === 'known' ? [index] : []));
  const four = Array.from({ length: 4 }, (_, index): FaultRule => {
    const any = dice.whole(0, refusals.length - 1);
    const refusal = index === 0 && isTagLost ? dice.pick(known) : any;
    return { ...once, kind, from: from + index * MINUTE_MS, params: { refusal } };
  });
  const params = { mode: dice.pick(['lost', 'replaced']) };
  return isTagLost ? [...four, { ...once, kind: 'tag_lost', from, params }] : four;
}

function planMore(dice: Dice, { hours, tradingRoute }: SeedPlan, kind: MishapKind): Mishap[] {
  const at = momentIn(dice, hours.trouble);
  switch (kind) {
    case 'disk_full_long':
      return [{ kind, at, forMs: dice.pick([60_000, 5 * MINUTE_MS, 12 * MINUTE_MS]) }];
    case 'disk_full_at_send':
      return [{ kind, at, forMs: dice.pick([3_000, 20_000]) }];
    case 'clock_jump': {
      const byMs = dice.pick([-26, -5, -1, 1, 5, 26]) * HOUR_MS;
      return [{ kind, at, byMs, forMs: dice.pick([20_000, 4 * MINUTE_MS]) }];
    }
    case 'row_vanishes': {
      const hand = { kind: 'hand_order', at: at - MINUTE_MS, twin: false } as const;
      return [hand, { kind, at }];
    }
    case 'late_fill':
      return [{ kind, at, inRow: dice.chance(0.5) }];
    case 'other_login': {
      if (!tradingRoute.includes('alt')) return [];
      const forMs = dice.pick([30_000, 3 * MINUTE_MS, 8 * MINUTE_MS]);
      const book = dice.pick(['empty', 'orders', 'twins'] as const);
      return [{ kind, at, forMs, named: dice.chance(0.7), book }];
    }
    case 'ids_change': {
      const morning = hours.trouble[1];
      if (!hours.afterMarket || !morning) return [];
      return [{ kind, at: morning.until + 20 * MINUTE_MS, tagged: dice.pick([0, 0.5, 1]) }];
    }
    case 'own_row_hidden': {
      const forMs = dice.pick([20_000, 2 * MINUTE_MS, 6 * MINUTE_MS]);
      const what = dice.pick(['row', 'row', 'all'] as const);
      return [{ kind, at, forMs, what, fills: dice.pick(['part', 'whole'] as const) }];
    }
    default:
      return [];
  }
}
