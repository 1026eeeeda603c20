import { faultKinds, type FaultKind, type FaultRule } from '../../sandbox/kernel/faults.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import { createDice, type Dice } from './dice.ts';
import { HOURS, type DayKind, type Hours, type Stretch } from './hours.ts';

export type CrashPoint = 'before_commit' | 'after_commit' | 'before_send' | 'after_send';

export interface CrashPlan {
  /** Armed from this instant: the next commit or send is the one. */
  readonly at: number;
  readonly point: CrashPoint;
  /** Power loss: what was not yet on disk is gone. */
  readonly power: boolean;
  readonly downMs: number;
}

/** What befalls the machine or the account, other than through a broker's answers. */
export type Mishap =
  | { readonly kind: 'disk_full'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'clock_step'; readonly at: number; readonly byMs: number }
  | { readonly kind: 'sleep'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'token_death'; readonly at: number }
  | { readonly kind: 'kill_switch'; readonly at: number; readonly forMs: number }
  | { readonly kind: 'hand_order'; readonly at: number; readonly twin: boolean }
  | { readonly kind: 'hand_cancel'; readonly at: number }
  | { readonly kind: 'hand_modify'; readonly at: number };

export type MishapKind = Mishap['kind'];
export const MISHAPS: readonly MishapKind[] = [
  'disk_full',
  'clock_step',
  'sleep',
  'token_death',
  'kill_switch',
  'hand_order',
  'hand_cancel',
  'hand_modify',
];

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
}

/** Everything that will go wrong on one day; `only` keeps one kind of fault or mishap. */
export function planDay(
  seed: string,
  only: string | null = null,
  kind: DayKind = 'session',
): SeedPlan {
  const hours = HOURS[kind];
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
    pollSeconds: dice.pick([1, 5, 5, 10, 10, 10]),
    freezeQuantity: dice.chance(0.3) ? 150 : null,
    callers: 3,
    ordersEach: dice.whole(11, 14),
    faults: Array.from({ length: dice.whole(10, 22) }, () => planFault(dice, hours, tradingRoute)),
    crashes: Array.from({ length: dice.whole(3, 5) }, () => planCrash(dice, hours)),
    mishaps: Array.from({ length: dice.whole(4, 9) }, () => planMishap(dice, hours)),
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

/** Each stretch is as likely as any other, however short it is. */
function moment(dice: Dice, { trouble }: Hours): number {
  return momentOf(dice, trouble);
}

function momentOf(dice: Dice, stretches: readonly Stretch[]): number {
  const { from, until } = stretches.length === 1 ? stretches[0]! : dice.pick(stretches);
  return Math.round(dice.between(from, until));
}

/** Until when things go wrong at the latest. */
const lastTrouble = ({ trouble }: Hours): number => trouble.at(-1)!.until + 60_000;

const kitePlacing = ({ afterMarket }: Hours): string =>
  afterMarket ? '/orders/amo' : '/orders/regular';

const READ_FAULTS: ReadonlySet<FaultKind> = new Set([
  'stale_book',
  'truncated_book',
  'bad_row',
  'contradictory_row',
]);
/** What orders lean on besides books: lists of instruments, and what the account has. */
const KITE_READS = ['/instruments', '/portfolio/positions'] as const;
const PRIMARY_READS = ['/market/instruments', '/portfolio/positions'] as const;
const KITE_ONLY: ReadonlySet<FaultKind> = new Set([
  // The primary's token comes from the settings: a dead one would end its day (docs/simulation.md).
  'dead_token',
  'timeout_400',
  'postback_lost',
  'postback_doubled',
  'postback_reordered',
  'postback_forged',
]);

/** A broker that is away altogether: for longer than any breaker's patience. */
function planOutage(dice: Dice, hours: Hours, broker: FaultRule['broker']): FaultRule {
  const from = moment(dice, hours);
  return {
    broker,
    kind: dice.pick<FaultKind>(['refuse', 'hang_before', 'error_before', 'reset_before']),
    from,
    until: Math.min(lastTrouble(hours), from + Math.round(dice.between(20_000, 150_000))),
    times: 100_000,
  };
}

/**
 * Where rows carry tags, little is ever disputed: an answer that names another order is, until the row
 * turns up. Hidden for minutes, it gives other trouble the time to meet a disputed order.
 */
function planDispute(dice: Dice, hours: Hours): FaultRule[] {
  const from = moment(dice, hours);
  const match = { method: 'POST', path: kitePlacing(hours) };
  const window = { broker: 'kite', match, from, until: from + 120_000, times: 2 } as const;
  return [
    { ...window, kind: 'foreign_id_2xx_after' },
    { ...window, kind: 'late_rows', params: { delayMs: 240_000 } },
  ];
}

/** An answer is lost, and the row is long in coming: what looks most like an order that was not placed. */
function planHidden(dice: Dice, hours: Hours, route: readonly BrokerId[]): FaultRule[] {
  const from = hours.afterMarket ? momentOf(dice, hours.placing) : moment(dice, hours);
  const [broker, path] =
    route[0] === 'alt' ? (['kite', kitePlacing(hours)] as const) : (['primary', '/order'] as const);
  const match = { method: 'POST', path };
  const window = { broker, match, from, until: from + 120_000, times: 2 };
  // What is taken in the evening may show at the opening only, in the next day's book.
  const atOpening = Math.max(240_000, hours.trouble.at(-1)!.from - from);
  const delays = hours.afterMarket ? [90_000, 240_000, atOpening] : [30_000, 90_000, 240_000];
  return [
    { ...window, kind: dice.pick<FaultKind>(['hang_after', 'reset_after', 'error_after']) },
    { ...window, kind: 'late_rows', params: { delayMs: dice.pick(delays) } },
  ];
}

function planFault(dice: Dice, hours: Hours, route: readonly BrokerId[]): FaultRule {
  const kind = dice.pick(faultKinds);
  const kite = route.includes('alt') && (!route.includes('primary') || dice.chance(0.6));
  const broker = kite || KITE_ONLY.has(kind) ? 'kite' : 'primary';
  if (dice.chance(0.06)) return planOutage(dice, hours, broker);
  const from = moment(dice, hours);
  const until = Math.min(lastTrouble(hours), from + Math.round(dice.between(2_000, 90_000)));
  const path =
    broker === 'kite'
      ? dice.pick([kitePlacing(hours), '/orders', '/trades', ...KITE_READS])
      : dice.pick(['/order', '/smart/order', '/order-book', '/trade-book', ...PRIMARY_READS]);
  // Half of the faults strike where money moves: at placing.
  const placing =
    broker === 'kite' ? kitePlacing(hours) : dice.pick(['/order', '/order', '/smart/order']);
  const match = READ_FAULTS.has(kind)
    ? { method: 'GET' }
    : dice.chance(0.5) || kind === 'foreign_id_2xx_after'
      ? { method: 'POST', path: placing }
      : { path };
  return {
    broker,
    kind,
    ...(kind.startsWith('postback') || kind === 'late_rows' ? {} : { match }),
    from,
    until,
    times: dice.whole(1, 4),
    probability: dice.pick([1, 0.7, 0.4]),
    params: paramsOf(kind, dice),
  };
}

function paramsOf(kind: FaultKind, dice: Dice): Record<string, string | number> {
  switch (kind) {
    case 'error_before':
    case 'error_after':
      return { status: dice.pick([500, 502, 503, 504]), body: dice.pick(['json', 'html']) };
    case 'timeout_400':
      return { delayMs: dice.pick([500, 8_000, 90_000]) };
    case 'late_rows':
      // Without a bound but the day: what is later than any rule of the gateway's is planned too.
      return { delayMs: dice.pick([3_000, 30_000, 90_000, 240_000]) };
    case 'stale_book':
      return { ageMs: dice.pick([1_000, 10_000, 60_000]) };
    case 'truncated_book':
      return { drop: dice.whole(1, 3) };
    case 'rate_limited':
      return { retryAfter: dice.whole(1, 4) };
    case 'postback_reordered':
      return { delayMs: dice.whole(1_000, 20_000) };
    case 'postback_forged':
      return { mode: dice.pick(['wrong_checksum', 'replayed']) };
    case 'bad_row':
      return { form: dice.whole(0, 3) };
    default:
      return {};
  }
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
