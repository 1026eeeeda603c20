import { faultKinds, type FaultKind, type FaultRule } from '../../sandbox/kernel/faults.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { Dice } from './dice.ts';
import type { Hours, Stretch } from './hours.ts';

/** A moment in one of some stretches. */
export const momentIn = momentOf;

/** Each stretch is as likely as any other, however short it is. */
export function moment(dice: Dice, { trouble }: Hours): number {
  return momentOf(dice, trouble);
}

/** A pick among one is no throw: the days of the one kind stay as they were. */
function momentOf(dice: Dice, stretches: readonly Stretch[]): number {
  const { from, until } = stretches.length === 1 ? stretches[0]! : dice.pick(stretches);
  return Math.round(dice.between(from, until));
}

/** Until when things go wrong at the latest. */
const lastTrouble = ({ trouble }: Hours): number => trouble.at(-1)!.until + 60_000;

const kitePlacing = ({ afterMarket }: Hours): string =>
  afterMarket ? '/orders/amo' : '/orders/regular';

/** The kinds that a seed has always drawn from: more of them would make each seed another day. */
const FIRST_KINDS = faultKinds.slice(0, faultKinds.indexOf('wrong_id_2xx_after'));

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
export function planDispute(dice: Dice, hours: Hours): FaultRule[] {
  const from = moment(dice, hours);
  const match = { method: 'POST', path: kitePlacing(hours) };
  const window = { broker: 'kite', match, from, until: from + 120_000, times: 2 } as const;
  return [
    { ...window, kind: 'foreign_id_2xx_after' },
    { ...window, kind: 'late_rows', params: { delayMs: 240_000 } },
  ];
}

/** An answer is lost, and the row is long in coming: what looks most like an order that was not placed. */
export function planHidden(dice: Dice, hours: Hours, route: readonly BrokerId[]): FaultRule[] {
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

export function planFault(dice: Dice, hours: Hours, route: readonly BrokerId[]): FaultRule {
  const kind = dice.pick(FIRST_KINDS);
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
