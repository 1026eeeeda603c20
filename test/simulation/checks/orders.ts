import type { BrokerFill, BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import { fillsOfOrder } from '../../../src/execution/journal/state.ts';
import {
  brokerOrderIdOf,
  fillOf,
  reasonOf,
  statusOf,
  type OrderRecord,
} from '../../../src/execution/order/order.ts';
import { istDay } from '../../../src/domain/ist.ts';
import { epochMs } from '../../../src/units/branded.ts';
import type { LiveBroker, Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import {
  isOfGoneBook,
  sentUnder,
  violation,
  wantedOf,
  type Day,
  type Violation,
} from './context.ts';
import { isRefusedUnseen } from './refused-unseen.ts';
import { isNeverRead } from './late-trades.ts';

export const inspectorOf = (world: Pick<World, 'sandbox'>, broker: LiveBroker) =>
  broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;

/** S1: at most one broker order for each order, or for each of its slices, over all brokers. */
export function atMostOnce({ world, state }: Day): Violation[] {
  const byWanted = new Map<string, Taken[]>();
  for (const taken of world.taken) {
    byWanted.set(taken.wanted, [...(byWanted.get(taken.wanted) ?? []), taken]);
  }
  return [...byWanted].flatMap(([wanted, all]) => {
    const taken = all.filter((each) => !isForgottenOther(world, each));
    const orders = sentUnder(state, wanted);
    const asked = orders.reduce((sum, { terms }) => sum + terms.quantity, 0);
    if (taken.length === 1) return [];
    // That each slice is taken once is seen where they are bound, each to one.
    const placed = taken.map((each) => quantityPlaced(world, each));
    const sum = placed.reduce((total, quantity) => total + quantity, 0);
    if (taken.length <= orders.length && sum <= asked) return [];
    const ids = taken.map(({ broker, brokerOrderId }) => `${broker} ${brokerOrderId}`).join(', ');
    return [violation('S1', `${wanted} was taken ${taken.length} times: ${ids}`)];
  });
}

/**
 * Whether the key of an order was used again, for another quantity, after an older data directory without that
 * order had been restored: nothing is left that could tell that it is a conflict (a stated limit).
 */
export function isForgottenOther(world: World, taken: Taken): boolean {
  const restoredAt = world.restoredAt();
  if (restoredAt === null || taken.order.createdAt >= restoredAt) return false;
  return world.taken.some(
    (later) =>
      later.wanted === taken.wanted &&
      later.order.createdAt >= restoredAt &&
      quantityPlaced(world, later) !== quantityPlaced(world, taken),
  );
}

/** As the request said: what is changed later is another matter. */
function quantityPlaced(world: World, { broker, brokerOrderId }: Taken): number {
  const body = inspectorOf(world, broker).order(brokerOrderId)?.receipt?.body ?? '';
  return Number(/(?:quantity=|"qty":)(\d+)/.exec(body)?.[1]);
}

/** S3: every order of ours is bound exactly once, and none by hand is (twins counted apart). */
export function boundOnce(day: Day): Violation[] {
  const { world, state } = day;
  const violations: Violation[] = [];
  const owners = new Map<string, OrderRecord[]>();
  for (const order of state.orders.values()) {
    const brokerOrderId = brokerOrderIdOf(order);
    if (brokerOrderId === null || order.mode === 'paper') continue;
    const key = `${order.broker} ${brokerOrderId}`;
    owners.set(key, [...(owners.get(key) ?? []), order]);
  }
  for (const [key, orders] of owners) {
    if (orders.length > 1)
      violations.push(violation('S3', `${key} is bound ${orders.length} times`));
    const taken = world.taken.find((each) => `${each.broker} ${each.brokerOrderId}` === key);
    const [order] = orders;
    const mixUp = isTwinMixUp(day, order);
    if (!taken && !isNobodysDisputed(day, order) && (!mixUp || isMadeLater(day, order))) {
      violations.push(
        violation('S3', `${wantedOf(state, order!)} is bound to ${key}, placed by hand`),
      );
    }
    // What is disputed is a person's to look at, and says so.
    if (order?.state.kind === 'disputed') continue;
    if (taken && taken.wanted !== wantedOf(state, order!) && !mixUp) {
      violations.push(
        violation('S3', `${wantedOf(state, order!)} is bound to ${key} of ${taken.wanted}`),
      );
    }
  }
  for (const taken of world.taken) {
    const orders = sentUnder(state, taken.wanted);
    const isBound = (each: OrderRecord): boolean =>
      brokerOrderIdOf(each) === taken.brokerOrderId && each.broker === taken.broker;
    const order =
      orders.find(isBound) ?? orders.find((each) => brokerOrderIdOf(each) === null) ?? orders[0];
    const bound = order !== undefined && isBound(order);
    const disputed = orders.some(({ state: { kind } }) => kind === 'disputed');
    // The slice that was sent, and not one behind it, is the one that a twin was taken for.
    const quantity = quantityPlaced(world, taken);
    const isTwin = orders.some(
      (each) => each.terms.quantity === quantity && isTwinMixUp(day, each),
    );
    if (bound || disputed || isTwin || isTwinMixUp(day, order)) continue;
    if (isRefusedUnseen(world, taken)) continue;
    if (order && day.worded.has(order.id) && isHidden(world, taken)) continue;
    const now = order ? `${statusOf(order)} (${reasonOf(order)})` : 'unknown to the journal';
    violations.push(
      violation(
        'S3',
        `${taken.broker} ${taken.brokerOrderId} of ${taken.wanted} is not bound; the order is ${now}`,
      ),
    );
  }
  return violations;
}

/**
 * A hand-made twin that equals ours in every field cannot be told from it where tags do not come
 * back: whether it was meant as a twin, or became one by chance.
 */
function isTwinMixUp({ world }: Day, order: OrderRecord | undefined): boolean {
  if (order?.broker !== 'primary') return false;
  const { instrument, side, quantity } = order.terms;
  return inspectorOf(world, 'primary')
    .orders()
    .some(
      (other) =>
        other.placedBy === 'hand' &&
        other.instrument === instrument &&
        other.side === side &&
        other.quantity === quantity,
    );
}

/** Whether an order was given an id that nobody has, which broke, and a person is asked to look. */
function isNobodysDisputed({ world }: Day, order: OrderRecord | undefined): boolean {
  if (order?.state.kind !== 'disputed') return false;
  const inspector = inspectorOf(world, order.broker as LiveBroker);
  return inspector.order(brokerOrderIdOf(order) ?? '') === undefined;
}

/** How long after its send a row can be an order's: what somebody places later is not (docs/orders.md). */
const MADE_WITHIN_MS = 200_000;

/**
 * Whether an order is bound to a row that somebody made long after the order was sent; of an after-market
 * order, also before or after the minutes in which brokers release it.
 */
function isMadeLater({ world, state }: Day, order: OrderRecord | undefined): boolean {
  if (order === undefined) return false;
  const { sandbox, plan } = world;
  // By a clock that is wrong nobody can tell.
  if (plan.mishaps.some(({ kind }) => kind === 'clock_jump')) return false;
  const row = sandbox.primary.order(brokerOrderIdOf(order) ?? '');
  const wanted = wantedOf(state, order);
  const left = world.sent.filter((each) => each.placing && each.wanted === wanted);
  // One that a crash kept from leaving has its time by a clock that steps by 90 seconds at most.
  const sent = left.length > 0 ? left.map(({ at }) => at) : [order.createdAt + 90_000];
  if (row === undefined || (order.terms.amo && isReleasedThen(row.createdAt))) return false;
  // Where the broker had told no time for ten seconds, the send has its time by that clock as well.
  const off = plan.mishaps.some(({ kind }) => kind === 'clock_step') ? 90_000 : 0;
  return sent.every((at) => row.createdAt > at + MADE_WITHIN_MS + off);
}

/** Whether brokers release after-market orders at that time of day: from 09:00 to 09:15, and rows are late. */
const isReleasedThen = (at: number): boolean => {
  const opens = Date.parse(`${istDay(epochMs(at))}T09:00:00+05:30`);
  return at >= opens && at <= opens + 15 * 60_000 + MADE_WITHIN_MS;
};

/**
 * Whether the broker never came to show an order before its book was gone, or the one in which it ended; one
 * of the other user's, while that user was logged in.
 */
function isHidden({ sandbox, time, users }: World, taken: Taken): boolean {
  const order = inspectorOf({ sandbox }, taken.broker).order(taken.brokerOrderId);
  if (order === undefined) return false;
  const isOfOther = sandbox.otherUser?.order(taken.brokerOrderId) !== undefined;
  const shownUntil = (isOfOther ? users.backAt : null) ?? time.now();
  return order.hiddenUntil > shownUntil || isOfGoneBook(order, order.hiddenUntil);
}

/** S4: the fills equal the brokers' fills, but for those that could never be known. */
export function fillsAgree({ world, state }: Day): Violation[] {
  const violations: Violation[] = [];
  for (const order of state.orders.values()) {
    const brokerOrderId = brokerOrderIdOf(order);
    if (order.mode === 'paper' || brokerOrderId === null) continue;
    if (order.state.kind === 'disputed') continue;
    const inspector = inspectorOf(world, order.broker as LiveBroker);
    const theirs = inspector.fills().filter((fill) => fill.orderId === brokerOrderId);
    const row = inspector.order(brokerOrderId);
    const ours = fillsOfOrder(state, order.id)
      .map((fill) => `${fill.quantity}@${Math.round(fill.price * 100)}`)
      .sort();
    const known = theirs.filter((fill) => !isNeverRead(world, fill));
    const expected = textsOf(theirs);
    if (![expected.join(), textsOf(known).join()].includes(ours.join())) {
      violations.push(
        violation(
          'S4',
          `${order.id}: fills [${ours.join(' ')}], the broker has [${expected.join(' ')}]`,
        ),
      );
    }
    violations.push(...endsAgree(order, row, quantityOf(theirs) - quantityOf(known)));
  }
  return violations;
}

const textsOf = (fills: readonly BrokerFill[]): string[] =>
  fills.map((fill) => `${fill.quantity}@${fill.pricePaise}`).sort();

const quantityOf = (fills: readonly BrokerFill[]): number =>
  fills.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * S15: the average price of an order is that of its fills at the broker, weighted by quantity, to four
 * decimals. Where the broker's row is the source, its average is rounded as the broker rounds it.
 */
export function averagesAgree({ world, state }: Day): Violation[] {
  return [...state.orders.values()].flatMap((order) => {
    const brokerOrderId = brokerOrderIdOf(order);
    const { averagePrice, filledQuantity } = fillOf(order);
    if (order.mode === 'paper' || brokerOrderId === null || !filledQuantity) return [];
    if (order.state.kind === 'disputed') return [];
    const fills = inspectorOf(world, order.broker as LiveBroker)
      .fills()
      .filter((fill) => fill.orderId === brokerOrderId);
    const paise = fills.reduce((sum, fill) => sum + fill.quantity * fill.pricePaise, 0);
    const theirs = paise / quantityOf(fills) / 100;
    if (averagePrice !== null && Math.abs(averagePrice - theirs) < 0.006) return [];
    const text = `${order.id}: average ${averagePrice}, at the broker ${theirs.toFixed(4)}`;
    return [violation('S15', text)];
  });
}

/** `unknown`: how much of it has filled in trades that could never be known. */
function endsAgree(order: OrderRecord, row: BrokerOrder | undefined, unknown: number): Violation[] {
  if (!row) {
    const bound = `${order.id} is bound to ${brokerOrderIdOf(order)}`;
    return [violation('S4', `${bound}, which is not there`)];
  }
  const { filledQuantity } = fillOf(order);
  if (filledQuantity === row.filledQuantity) return [];
  if (unknown > 0 && filledQuantity === row.filledQuantity - unknown) return [];
  return [
    violation('S4', `${order.id}: filled ${filledQuantity}, at the broker ${row.filledQuantity}`),
  ];
}

/** L1: once faults have stopped and the day is over, every order is final or disputed. */
export function allEnd(day: Day): Violation[] {
  const ends = new Set(['filled', 'partial', 'cancelled', 'rejected', 'not_sent', 'disputed']);
  return [...day.state.orders.values()]
    .filter((order) => !ends.has(statusOf(order)) && !isOfNextSession(day, order))
    .map((order) => violation('L1', `${order.id} is still ${statusOf(order)}`));
}

/**
 * Whether an after-market order was written down by a clock that was a day off: nobody can tell by its time
 * which session it is for, and the next one's book is yet to come.
 */
function isOfNextSession({ world, state }: Day, order: OrderRecord): boolean {
  const wanted = wantedOf(state, order);
  const left = world.sent.filter((each) => each.placing && each.wanted === wanted);
  const isOff = ({ at }: { at: number }): boolean => Math.abs(at - order.createdAt) > HALF_DAY_MS;
  return order.terms.amo && left.length > 0 && left.every(isOff);
}

const HALF_DAY_MS = 12 * 3_600_000;

/** L2: no request stays on its way for ever. */
export function nothingStaysSending({ state }: Day): Violation[] {
  return [...state.attempts.values()]
    .filter((attempt) => attempt.state.kind === 'sending')
    .map(({ id, kind }) => violation('L2', `the ${kind} ${id} is still being sent`));
}

/** L2: no duplicate guard stays held but behind a dispute. */
export function duplicateGuardsFree(day: Day): Violation[] {
  const { state } = day;
  return [...state.openPlaces].flatMap((id) => {
    const attempt = state.attempts.get(id)!;
    const order = state.orders.get(attempt.orderId)!;
    if (order.state.kind === 'disputed' || isOfNextSession(day, order)) return [];
    return [violation('L2', `attempt ${id} of ${order.id} (${statusOf(order)}) is still open`)];
  });
}
