import { attemptsOfOrder } from '../../../src/execution/journal/state.ts';
import { brokerOrderIdOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import type { OrderId } from '../../../src/units/branded.ts';
import { isFinal } from '../../../src/domain/order.ts';
import type { LiveBroker, Sent } from '../traffic.ts';
import { changedOrderId, isCancel } from '../traffic.ts';
import type { World } from '../world.ts';
import { sentUnder, violation, type Day, type Violation } from './context.ts';

const MINUTE_MS = 60_000;
/** A cancel of the same process may be under way for this long: its deadline, and the wait before it. */
const UNDER_WAY_MS = 15_000;

/** When the process began that was up at a moment: what an earlier one sent may be lost. */
const lifeAt = ({ births }: World, at: number): number =>
  births.findLast((birth) => birth <= at) ?? -Infinity;

/**
 * L6: a cancel that was asked for, and answered with an order that was still open, is carried out in the
 * end, unless the broker refuses it, or the answer said that a restart forgets it and one came. Looked at where the order filled or lapsed after three minutes in which
 * its row was to be seen, the gateway up, its session alive, every book whole, and the order not disputed.
 */
export function cancelsAreSent(day: Day): Violation[] {
  const { world, state } = day;
  const violations: Violation[] = [];
  for (const { wanted, at, status, isOnDisk } of world.asked.cancels) {
    if (isFinal(status) || status === 'disputed') continue;
    if (!isOnDisk && world.births.some((birth) => birth > at)) continue;
    const orders = sentUnder(state, wanted);
    if (orders.some((order) => order.state.kind === 'disputed')) continue;
    // It went to a row that was taken for the order: S3 looks at that.
    if (orders.some((order) => isBoundToHand(world, order))) continue;
    for (const taken of world.taken.filter((each) => each.wanted === wanted)) {
      const { broker, brokerOrderId } = taken;
      const resolvedAt = orders.map(({ id }) => day.undisputed.get(id) ?? -Infinity);
      const from = Math.max(at, ...resolvedAt);
      if (!livedOn(world, broker, brokerOrderId, from)) continue;
      const since = Math.max(at - UNDER_WAY_MS, lifeAt(world, at));
      const isSent = world.sent.some(
        (sent) => sent.at >= since && isCancelOf(sent, broker, brokerOrderId),
      );
      if (isSent && orders.some(({ id }) => isRefused(day.state, id))) continue;
      // It was carried out: that the order works again is for a person to look at (L11).
      if (isSent && world.worksAgain.has(brokerOrderId)) continue;
      const what = isSent ? 'lived on after its last one' : 'never sent one';
      violations.push(
        violation('L6', `a cancel of ${wanted} was answered, and ${brokerOrderId} ${what}`),
      );
    }
  }
  return violations;
}

/** Whether an order is bound to a row that was placed by hand. */
function isBoundToHand({ sandbox }: World, order: OrderRecord): boolean {
  const inspector = order.broker === 'alt' ? sandbox.kite : sandbox.primary;
  return inspector.order(brokerOrderIdOf(order) ?? '')?.placedBy === 'hand';
}

/** Refusals after which a cancel that was answered as kept is sent again. */
const PASSING: readonly string[] = ['rate_limited', 'auth', 'address'];

/** Whether the broker's last word on a cancel was that it refuses, for good. */
function isRefused(state: Day['state'], orderId: OrderId): boolean {
  const last = attemptsOfOrder(state, orderId).findLast(({ kind }) => kind === 'cancel')?.state;
  return last?.kind === 'refused' && !PASSING.includes(last.rejection ?? '');
}

const isCancelOf = ({ broker, request }: Sent, of: LiveBroker, brokerOrderId: string): boolean =>
  broker === of && isCancel(request) && changedOrderId(request) === brokerOrderId;

/** Whether the order filled or lapsed, and that only after minutes in which nothing was in the way. */
function livedOn(world: World, broker: LiveBroker, id: string, from: number): boolean {
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const order = inspector.order(id);
  if (order?.phase !== 'expired' && order?.phase !== 'complete') return false;
  // Trades alone do not tell where a cancel is to go.
  const shownFrom = Math.max(order.hiddenUntil, order.rowHiddenUntil);
  const quietFrom = Math.max(from, shownFrom, lastTrouble(world, order.updatedAt));
  return order.updatedAt - quietFrom >= 3 * MINUTE_MS;
}

/** The last time until `until` at which something went wrong: a fault, a crash, a dead session. */
function lastTrouble(world: World, until: number): number {
  const { plan, births, reads, impaired, sessions } = world;
  const planned = [...plan.hours.trouble, ...impaired]
    .filter(({ from }) => from < until)
    .map((each) => Math.min(each.until + MINUTE_MS, until));
  const bad = reads.filter(({ honest }) => !honest).map(({ at }) => at);
  const times = [...births, ...sessions, ...bad].filter((at) => at < until);
  return Math.max(-Infinity, ...times, ...planned);
}
