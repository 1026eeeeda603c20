import type { KeyLimits } from '../../../src/callers/caller.ts';
import { callerOf } from './key-truth.ts';
import type { Sent } from '../traffic.ts';
import { violation, type Day, type Violation } from './context.ts';
import { reducesOnly } from './kill-switch.ts';

const MINUTE_MS = 60_000;

/**
 * S40: an order of a key that is above one of the key's limits does not leave, unless it only reduces a position. And S41:
 * no order of a key that is confined to a broker or a mode leaves for another one.
 */
export function keysKeepTheirLimits(day: Day): Violation[] {
  const { keys } = day.world.plan;
  if (!keys) return [];
  return [...withinLimits(day, keys.limited), ...whereConfined(day, keys.confined)];
}

function withinLimits(
  day: Day,
  limited: { readonly caller: string; readonly limits: KeyLimits } | null,
): Violation[] {
  if (limited === null) return [];
  const { caller, limits } = limited;
  const sent = placingsOf(day, caller);
  return sent.flatMap((each) => {
    if (reducesOnly(day, each)) return [];
    const above = whatIsAbove(day, each, sent, limits);
    return above === null ? [] : [violation('S40', `${each.wanted} was sent, and ${above}`)];
  });
}

const placingsOf = ({ world }: Day, caller: string): readonly Sent[] =>
  world.sent.filter((each) => each.placing && callerOf(each.wanted) === caller);

/** The limit that an order is above, in words; null for none. One in slices is compared as a whole. */
function whatIsAbove(
  { world }: Day,
  { at, age, wanted, broker }: Sent,
  sent: readonly Sent[],
  limits: KeyLimits,
): string | null {
  const asked = world.asked.orders.get(wanted ?? '');
  if (asked === undefined) return null;
  const { instrument, request } = asked;
  const { quantity, price } = request;
  const { every } = limits.maxOrderQuantity;
  if (every !== null && quantity > every && !instrument.startsWith('NFO')) {
    return `${quantity} are more than ${every}`;
  }
  const { maxOrderValue, maxOrdersPerMinute, maxOpenOrders } = limits;
  if (maxOrderValue !== null && price !== null && price * quantity > maxOrderValue) {
    return `${price * quantity} rupees are more than ${maxOrderValue}`;
  }
  const isEarlier = (other: Sent): boolean => other.at < at && other.wanted !== wanted;
  // An order in slices counts once, from its first, and is compared when that leaves.
  const begun = new Map(sent.map((each) => [each.wanted, each.at] as const).toReversed());
  const isFirst = begun.get(wanted) === at;
  // By a clock that steps nobody can tell how long a minute is.
  const steps = world.plan.mishaps.some(({ kind }) => kind.startsWith('clock'));
  // An order counts from when its request was read; it may leave seconds later.
  const readAt = ({ at: leftAt, age }: Pick<Sent, 'at' | 'age'>): number => leftAt - (age ?? 0);
  const firsts = sent.filter((each) => begun.get(each.wanted) === each.at);
  const ofMinute = new Set(
    firsts
      .filter(isEarlier)
      // The gateway counts when an order is let through, which lies between the two: within a minute by both.
      .filter((each) => readAt(each) > readAt({ at, age }) - MINUTE_MS && each.at > at - MINUTE_MS)
      .map((each) => each.wanted),
  ).size;
  if (maxOrdersPerMinute !== null && isFirst && !steps && ofMinute >= maxOrdersPerMinute) {
    return `${ofMinute} orders had left within the minute before`;
  }
  const most = maxOpenOrders.every;
  const open = new Set(
    world.taken
      .filter((other) => other.broker === broker && callerOf(other.wanted) === callerOf(wanted))
      .filter(({ order, wanted: of }) => order.instrument === instrument && of !== wanted)
      .filter(({ order, brokerOrderId }) => {
        const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
        const row = inspector.order(brokerOrderId);
        return order.createdAt < at && row !== undefined && (!row.final || row.updatedAt > at);
      })
      .map((other) => other.wanted),
  ).size;
  return most !== null && open >= most ? `${open} of ${instrument} were open` : null;
}

function whereConfined(
  day: Day,
  confined: {
    readonly caller: string;
    readonly broker: string | null;
    readonly mode: string | null;
  } | null,
): Violation[] {
  if (confined === null) return [];
  const { caller, broker, mode } = confined;
  const isPaper = broker === 'paper' || mode === 'paper';
  const astray = placingsOf(day, caller).filter(
    (each) => isPaper || (broker !== null && each.broker !== broker),
  );
  const isLive = mode === 'live' || (broker !== null && broker !== 'paper');
  const onPaper = [...day.state.orders.values()].filter(
    (order) => isLive && order.caller === caller && order.mode === 'paper',
  );
  return [
    ...astray.map((each) => `${each.wanted} was sent to ${each.broker}`),
    ...onPaper.map(({ id }) => `${id} went to paper`),
  ].map((text) => violation('S41', `${text}, and ${caller} is for ${broker ?? mode} alone`));
}
