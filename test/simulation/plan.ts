import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HandOrder } from '../../sandbox/kernel/inspector.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import { createDice, type Dice } from './dice.ts';
import { HOURS, type DayKind, type Hours } from './hours.ts';
import { moment, planDispute, planFault, planHidden } from './plan-faults.ts';

export type CrashPoint = 'before_commit' | 'after_commit' | 'before_send' | 'after_send';

export interface CrashPlan {
  /** Armed from this instant: the next commit or send is the one. */
  readonly at: number;
  readonly point: CrashPoint;
  /** Power loss: what was not yet on disk is gone. */
  readonly power: boolean;
  readonly downMs: number;
  /** Only a cancel is the one, where the point is a send. */
  readonly ofCancel?: true;
}

/** What befalls the machine or the account, other than through a broker's answers. */
export type Mishap =
  | { readonly kind: 'disk_full'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'clock_step'; readonly at: number; readonly byMs: number }
  | { readonly kind: 'sleep'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'token_death'; readonly at: number }
  | { readonly kind: 'kill_switch'; readonly at: number; readonly forMs: number }
  | {
      readonly kind: 'hand_order';
      readonly at: number;
      readonly twin: boolean;
      readonly order?: HandOrder;
      /** Where it is placed; otherwise at Kite if the route has it. */
      readonly broker?: FaultRule['broker'];
    }
  | { readonly kind: 'hand_cancel'; readonly at: number }
  | { readonly kind: 'hand_modify'; readonly at: number }
  /** The disk is full for long, or from the moment at which the next order has left. */
  | { readonly kind: 'disk_full_long'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'disk_full_at_send'; readonly at: number; readonly forMs: number }
  /** The clock is set wrong by hours or days, and right again after a while. */
  | {
      readonly kind: 'clock_jump';
      readonly at: number;
      readonly byMs: number;
      readonly forMs: number;
    }
  /** A row of an order placed by hand is gone from the book for good. */
  | { readonly kind: 'row_vanishes'; readonly at: number }
  /** The journal is deleted while the gateway is down, or its log alone, and put back later. */
  | { readonly kind: 'journal_lost'; readonly at: number; readonly logOnly: boolean }
  /** A trade comes for an order that has ended; its row may not show it. */
  | {
      readonly kind: 'late_fill';
      readonly at: number;
      readonly inRow: boolean;
      /** Of one that has lapsed, and not of one that was cancelled. */
      readonly ofLapsed?: true;
    }
  /** An order that was cancelled works again: the exchange has not cancelled it after all. */
  | { readonly kind: 'works_again'; readonly at: number }
  /**
   * Another user of the same app logs in, and the first one again after a while. Where it is `named`, the
   * setting is changed to that user and back, and the gateway started again each time.
   */
  | {
      readonly kind: 'other_login';
      readonly at: number;
      readonly forMs: number;
      readonly named: boolean;
      /** What that user's book holds: nothing, other orders, or orders like the first user's. */
      readonly book: 'empty' | 'orders' | 'twins';
    };

export type MishapKind = Mishap['kind'];
export const MISHAPS = [
  'disk_full',
  'clock_step',
  'sleep',
  'token_death',
  'kill_switch',
  'hand_order',
  'hand_cancel',
  'hand_modify',
] as const satisfies readonly MishapKind[];
/** What a rich day has besides. */
export const MORE_MISHAPS = [
  'disk_full_long',
  'disk_full_at_send',
  'clock_jump',
  'row_vanishes',
  'late_fill',
  'other_login',
  'journal_lost',
] as const satisfies readonly MishapKind[];

/** Last traded price, rupees: what a caller's limit is set from. */
export type PriceOf = (instrument: string) => number;

/** An order that a caller places at this moment; null for any other. */
export type Favourite = (dice: Dice, priceOf: PriceOf, now: number) => OrderRequest | null;

/** A day that concentrates on one kind of trouble (plan-directed.ts). */
export const DIRECTED_DAYS = [
  'exits_elsewhere',
  'exits_without_session',
  'terms_under_switch',
  'stale_positions',
  'odd_stops',
  'wrong_ids',
  'unknown_ids',
  'lost_tags',
  'refusals',
  'clock_hours',
  'clock_day',
  'late_after_close',
  'late_and_foreign_hidden',
  'late_trades_only',
  'late_disputed',
  'foreign_gone',
  'spoiled_rows',
  'fills_after_close',
  'paper_overnight',
  'placing_fails',
  'cancels_limited',
  'journal_lost',
  'cancels_crash',
  'cancels_kept',
  'full_disk',
  'slices',
  'lost_answers',
  'other_user_overnight',
  'crashes',
  'no_tags',
  'spellings',
  'twin_ids',
  'primary_refusals',
  'called_absent',
  'astray_ids',
  'swapped_ids',
  'quantities_lag',
  'exits_beside',
  'works_again',
  'undated',
] as const;
export type DirectedDay = (typeof DIRECTED_DAYS)[number];

/**
 * What callers do over and over: lower the quantity of an order and raise it again, cancel an order at
 * once or some seconds after they have placed it, or place at the same moment as the others.
 */
export type Habit = 'lower_and_raise' | 'cancel_soon' | 'together';

export interface SeedPlan {
  readonly seed: string;
  readonly hours: Hours;
  readonly tradingRoute: readonly BrokerId[];
  /** Whether the primary echoes remarks, and the gateway sends them. */
  readonly remarks: boolean;
  /** The user changes that setting with every restart. */
  readonly remarksChange: boolean;
  readonly pollSeconds: number;
  /** The freeze quantity that the gateway is told: what is above goes out in slices. */
  readonly freezeQuantity: number | null;
  readonly callers: number;
  readonly ordersEach: number;
  readonly faults: readonly FaultRule[];
  readonly crashes: readonly CrashPlan[];
  readonly mishaps: readonly Mishap[];
  /**
   * Callers and faults of every kind. Without it, a day is as it was when the seeds of
   * `differential/recorded.txt` were recorded.
   */
  readonly rich: boolean;
  /** Callers come over HTTP, in memory, instead of calling the router. */
  readonly http: boolean;
  /** Callers look at all their orders again and again, also in the evening. */
  readonly watchful: boolean;
  /** What callers place most of the time; null where it is anything. */
  readonly favourite: Favourite | null;
  /** What the day is about; null where it is about everything. */
  readonly directed: DirectedDay | null;
  readonly habit?: Habit;
  /** At 15:10 a person calls all uncertain orders absent whose row is not to be seen. */
  readonly hasty?: true;
  /** The brokers' replies do not tell the time. */
  readonly undated?: true;
}

/** Everything that will go wrong on one day; `only` keeps one kind of fault or mishap. */
export function planDay(
  seed: string,
  only: string | null = null,
  kind: DayKind = 'session',
  hours: Hours = HOURS[kind],
): SeedPlan {
  const dice = createDice(`${seed}/plan`);
  const tradingRoute = dice.pick<readonly BrokerId[]>([
    ['alt', 'paper'],
    ['alt', 'paper'],
    ['primary', 'paper'],
    ['primary', 'paper'],
    ['alt', 'primary', 'paper'],
  ]);
  const plan = {
    seed,
    hours,
    tradingRoute,
    remarks: dice.chance(0.4),
    remarksChange: dice.chance(0.15),
    // Three days at a read each second take a minute to play.
    pollSeconds: dice.pick(kind === 'stretch' ? [5, 5, 10, 10] : [1, 5, 5, 10, 10, 10]),
    freezeQuantity: dice.chance(0.3) ? 150 : null,
    callers: 3,
    ordersEach: dice.whole(11, 14),
    faults: Array.from({ length: dice.whole(10, 22) }, () => planFault(dice, hours, tradingRoute)),
    crashes: Array.from({ length: dice.whole(3, 5) }, () => planCrash(dice, hours)),
    mishaps: Array.from({ length: dice.whole(4, 9) }, () => planMishap(dice, hours)),
    rich: false,
    http: false,
    watchful: false,
    favourite: null,
    directed: null,
  };
  if (tradingRoute.includes('alt') && dice.chance(0.06))
    plan.faults.push(...planDispute(dice, hours));
  if (dice.chance(hours.afterMarket ? 0.5 : 0.15))
    plan.faults.push(...planHidden(dice, hours, tradingRoute));
  if (only === null) return plan;
  return {
    ...plan,
    faults: plan.faults.filter((fault) => fault.kind === only),
    mishaps: plan.mishaps.filter((mishap) => mishap.kind === only),
  };
}

function planCrash(dice: Dice, hours: Hours): CrashPlan {
  return {
    at: moment(dice, hours),
    point: dice.pick<CrashPoint>(['before_commit', 'after_commit', 'before_send', 'after_send']),
    power: dice.chance(0.5),
    downMs: Math.round(dice.pick([300, 2_000, 15_000, 60_000])),
  };
}

function planMishap(dice: Dice, hours: Hours): Mishap {
  const kind = dice.pick(MISHAPS);
  const at = moment(dice, hours);
  switch (kind) {
    case 'disk_full':
      return { kind, at, forMs: dice.whole(200, 8_000) };
    case 'clock_step':
      return { kind, at, byMs: dice.pick([-90_000, -8_000, -1_500, 1_500, 8_000, 90_000]) };
    case 'sleep':
      return { kind, at, forMs: dice.pick([3_000, 20_000, 120_000]) };
    case 'kill_switch':
      return { kind, at, forMs: dice.whole(1_000, 60_000) };
    case 'hand_order':
      return { kind, at, twin: dice.chance(0.4) };
    default:
      return { kind, at };
  }
}
