import type { RmsRejects } from '../../sandbox/kernel/settings.ts';
import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import { createDice, type Dice } from './dice.ts';
import type { AnyDirectedDay } from './directed-days.ts';
import { HOURS, type DayKind, type Hours } from './hours.ts';
import { MISHAPS, type Mishap } from './mishaps.ts';
import type { PlannedCancelAll, PlannedClosing } from './planned-closing.ts';
import type { PlannedExit } from './planned-exit.ts';
import type { PlannedKeys } from './planned-keys.ts';
import type { PlannedSignals } from './planned-signals.ts';
import type { PlannedTriggers } from './planned-triggers.ts';
import { moment, planDispute, planFault, planHidden } from './plan-faults.ts';

export type CrashPoint = 'before_commit' | 'after_commit' | 'before_send' | 'after_send';

export interface CrashPlan {
  /** Armed from this instant: the next commit or send is the one. */
  readonly at: number;
  readonly point: CrashPoint;
  /** Power loss: what was not yet on disk is gone. */
  readonly power: boolean;
  readonly downMs: number;
  /** So many commits, or sends, come before the one. */
  readonly later?: number;
  /** Only a cancel is the one, where the point is a send. */
  readonly ofCancel?: true;
}

/** Last traded price, rupees: what a caller's limit is set from. */
export type PriceOf = (instrument: string) => number;

/** An order that a caller places at this moment; null for any other. */
export type Favourite = (dice: Dice, priceOf: PriceOf, now: number) => OrderRequest | null;

/**
 * What callers do over and over: lower the quantity of an order and raise it again, double it, ask for the same
 * price nearer to the market, change quantity and price by turns, cancel an order at
 * once or some seconds after they have placed it, or place at the same moment as the others,
 * and one of them cancels after a second; or cancel an order whose placing is not answered yet.
 */
export type Habit =
  | 'lower_and_raise'
  | 'raise'
  | 'reprice'
  | 'change_by_turns'
  | 'cancel_soon'
  | 'together'
  | 'together_and_cancel'
  | 'cancel_unanswered';

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
  readonly directed: AnyDirectedDay | null;
  readonly habit?: Habit;
  /** At 15:10 a person calls all uncertain orders absent whose row is not to be seen. */
  readonly hasty?: true;
  /** The brokers' replies do not tell the time. */
  readonly undated?: true;
  /** Connections for orders and changes take seconds to open. */
  readonly slowConnections?: true;
  /** The primary brokerage shows MARKET orders as LIMIT ones. */
  readonly marketAsLimit?: boolean;
  /** The primary brokerage's list of instruments has the ISINs of shares. */
  readonly listsIsins?: boolean;
  /** The ways out that callers ask for; none where absent. */
  readonly exits?: readonly PlannedExit[];
  /** The closings of many positions, and the cancels of many orders; none where absent. */
  readonly closings?: readonly PlannedClosing[];
  readonly cancelAlls?: readonly PlannedCancelAll[];
  /** The brakes of the gateway (docs/brakes.md), as settings; none where absent. */
  readonly brakes?: Readonly<Record<string, string>>;
  /** Programs that time out, and ask again under the same key while the first request is under way (impatience.ts). */
  readonly impatient?: true;
  /** When such programs ask for many things at once, epoch ms; never when absent. */
  readonly rushes?: readonly number[];
  /** Instruments that the primary brokerage does not list. */
  readonly unlisted?: readonly string[];
  /** How often a caller places a basket after an order, 0 to 1; never when absent. */
  readonly baskets?: number;
  /** The triggers that programs place; none where absent. */
  readonly triggers?: PlannedTriggers;
  /** What is different about the keys, and who compares their books; nothing where absent. */
  readonly keys?: PlannedKeys;
  /** The alerts that come in at hooks; none where absent. */
  readonly signals?: PlannedSignals;
  /** What rows have in the place of the exchange's id where there is none. */
  readonly noExchangeId?: string;
  /** How the alternative broker shows what its risk management refuses; as a row where absent. */
  readonly rmsRejects?: RmsRejects;
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
