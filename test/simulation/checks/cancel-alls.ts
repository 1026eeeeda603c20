import type { BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import type { AskedCancelAll } from '../asked.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { activeOf, keyOf, takenForTwins, triggerRequests } from './trigger-books.ts';
import { wasHidden } from './trigger-truth.ts';
import { type Day, sentUnder, violation, type Violation, wantedOf } from './context.ts';
import { inspectorOf, READ_WITHIN_MS, timeLost } from './exit-books.ts';

/** S29 and L17: what docs/many-orders.md promises of a cancel of many orders. */
export function cancelAllsAreTrue(day: Day): Violation[] {
  return day.world.asked.cancelAlls.flatMap((asked) => [
    ...cancelledIsCancelled(day, asked),
    ...unreadIsTold(day, asked),
    ...answeredInTime(day, asked),
    ...triggersAreOver(day, asked),
    ...waitingIsTold(day, asked),
  ]);
}

/** S29: what is told as cancelled, or as over, is over at the broker by then. */
function cancelledIsCancelled(
  { world, state }: Day,
  { wanted, answer, answeredAt }: AskedCancelAll,
): Violation[] {
  return answer.orders.flatMap(({ order, result }) => {
    const { id, broker } = order;
    if (result !== 'cancelled' && result !== 'over') return [];
    if (broker !== 'alt' && broker !== 'primary') return [];
    const own = state.orders.get(id);
    // A person has called it absent, while the broker did not show it.
    if (order.reason?.startsWith('absent:') === true) return [];
    const inspector = inspectorOf(world, broker);
    const ids = own ? idsOf(world, wantedOf(state, own)) : [id.slice(id.indexOf(':') + 1)];
    const isBound = !own || sentUnder(state, wantedOf(state, own)).length > 0;
    const open = ids.find((each) => isBound && wasOpen(world, inspector, each, answeredAt));
    if (open === undefined) return [];
    return [violation('S29', `${wanted} was told that ${id} is ${result}, and ${open} was open`)];
  });
}

const idsOf = ({ taken }: World, wanted: string): readonly string[] =>
  taken.filter((each) => each.wanted === wanted).map(({ brokerOrderId }) => brokerOrderId);

function wasOpen(world: World, inspector: BrokerInspector, id: string, at: number): boolean {
  const order = inspector.order(id);
  if (order === undefined || world.worksAgain.has(id) || order.createdAt > at) return false;
  if (world.lateTrades.some(({ brokerOrderId }) => brokerOrderId === id)) return false;
  return !order.final || order.updatedAt > at;
}

/**
 * S29: of an account, each order that rests in the broker's own app is in the answer, unless its book is named as
 * one that could not be read. Looked at where every read of the book was answered in full, in the first answer.
 */
function unreadIsTold({ world }: Day, asked: AskedCancelAll): Violation[] {
  const { wanted, request, answer, at, answeredAt, isFirst } = asked;
  if (request.scope !== 'account' || !isFirst) return [];
  return asked.restingThen.flatMap((id) => {
    const broker: LiveBroker = id.startsWith('alt:') ? 'alt' : 'primary';
    const order = inspectorOf(world, broker).order(id.slice(broker.length + 1));
    if (!world.plan.tradingRoute.includes(broker) || order === undefined) return [];
    if (request.broker !== null && request.broker !== broker) return [];
    if (request.side !== null && request.side !== order.side) return [];
    if (order.createdAt > at - READ_WITHIN_MS || order.isRowGone) return [];
    if (order.hiddenUntil > at || order.rowHiddenUntil > at) return [];
    if (world.sandbox.otherUser !== null) return [];
    const reads = world.reads.filter(
      (each) => each.broker === broker && each.at >= at && each.at <= answeredAt,
    );
    if (reads.some(({ honest, failed }) => !honest && !failed)) return [];
    if (answer.errors.some((each) => each.broker === broker)) return [];
    if (answer.orders.some((each) => each.order.id === id)) return [];
    return [violation('S29', `${wanted} was not told of ${id}, which rested, nor of its book`)];
  });
}

/** S29: a trigger that is told as cancelled, or as over, places no order any more. */
function triggersAreOver(day: Day, { wanted, answer, answeredAt }: AskedCancelAll): Violation[] {
  const { world, state } = day;
  if (!answer.triggers) return [];
  const twins = takenForTwins(day);
  return answer.triggers.flatMap(({ id, triggerId, result }) => {
    const own = state.triggers.get(id ?? '');
    if ((result !== 'cancelled' && result !== 'over') || (own && twins.has(keyOf(own)))) return [];
    const trigger = world.sandbox.kite.trigger(triggerId ?? '');
    if (trigger === undefined || activeOf(trigger).until <= answeredAt) return [];
    if (trigger.createdAt > answeredAt || wasHidden(world, trigger, answeredAt)) return [];
    const name = id ?? triggerId ?? '';
    return [violation('S29', `${wanted} was told that ${name} is ${result}, and it waits`)];
  });
}

/**
 * S29: of an account, each trigger that waits in the broker's own app is in the answer, unless the list is named as one
 * that could not be read. Looked at where all lists were answered in full.
 */
function waitingIsTold({ world }: Day, asked: AskedCancelAll): Violation[] {
  const { wanted, request, answer, at, answeredAt, isFirst } = asked;
  const isAsked = request.triggers === true && request.scope === 'account' && isFirst;
  if (!isAsked || request.side !== null || (request.broker ?? 'alt') !== 'alt') return [];
  if (!world.plan.tradingRoute.includes('alt') || world.sandbox.otherUser !== null) return [];
  if (answer.errors.some(({ broker }) => broker === 'alt')) return [];
  const lists = triggerRequests(world).filter(
    ({ sent, call }) => call.kind === 'list' && sent.at >= at && sent.at <= answeredAt,
  );
  if (lists.some(({ sent }) => sent.answer?.honest !== true)) return [];
  const told = new Set(answer.triggers?.map(({ triggerId }) => triggerId));
  return asked.waitingThen
    .filter((id) => !told.has(id))
    .map((id) => violation('S29', `${wanted} was not told of trigger ${id}, which waited`));
}

/** Ten seconds, and the longest that reads take which it waits for. */
const ANSWER_MS = 16_000;

/** L17: a cancel of many orders is answered in time. */
function answeredInTime({ world }: Day, { wanted, at, answeredAt }: AskedCancelAll): Violation[] {
  const seen = { begunAt: at, runningAt: at, overAt: answeredAt };
  const took = answeredAt - at - timeLost(world, seen);
  if (took <= ANSWER_MS) return [];
  return [violation('L17', `${wanted} was answered after ${Math.round(took / 1_000)} s`)];
}
