import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import { CLOCK_SKEW_MS } from '../../../src/execution/order/attempt.ts';
import { brokerOrderIdOf, statusOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import type { LiveBroker, Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { violation, wantedOf, type Day, type Violation } from './context.ts';
import { inspectorOf } from './orders.ts';

/** L4: what is left to a person is the exception: who disputes everything breaks no other promise. */
export function disputesAreFew({ world, state }: Day): Violation[] {
  // A directed day has little else than the trouble that ends in disputes.
  if (world.plan.directed !== null) return [];
  // Where an id has changed and no tag is shown, only a person can say which row an order is.
  const isUntold = (order: OrderRecord): boolean =>
    world.taken.some(
      (each) =>
        each.formerId !== undefined &&
        each.wanted === wantedOf(state, order) &&
        !isTagShown(world, each),
    );
  // The same of one whose answer was lost, and whose row came back without its tag, or with another.
  const isNameless = (order: OrderRecord): boolean => {
    const wanted = wantedOf(state, order);
    const isAnswered = world.sent.some(
      ({ placing, answer, ...sent }) =>
        placing && sent.wanted === wanted && answer?.reaction.kind === 'answer' && answer.honest,
    );
    return !isAnswered && world.taken.some((each) => each.wanted === wanted && isTagLost(each));
  };
  // What was sent in the session of another user is in that user's book, which nobody shows again.
  const isOfOther = (order: OrderRecord): boolean =>
    world.sandbox.otherUser?.order(brokerOrderIdOf(order) ?? '') !== undefined ||
    world.sent.some(
      ({ placing, ofOtherUser, wanted }) =>
        placing && ofOtherUser && wanted === wantedOf(state, order),
    );
  // A book that lacks a row for good proves no absence, and neither does one that shows nothing later
  // than the send: it may be stale. What was not placed then stays uncertain.
  const isGone = ({ hiddenUntil }: BrokerOrder): boolean => hiddenUntil === Infinity;
  const isUnproven = (order: OrderRecord): boolean => {
    if (order.mode !== 'live') return false;
    if (world.taken.some(({ wanted }) => wanted === wantedOf(state, order))) return false;
    const rows = inspectorOf(world, order.broker as LiveBroker).orders();
    const isStale = rows.every(({ updatedAt }) => updatedAt <= order.createdAt + CLOCK_SKEW_MS);
    return isStale || rows.some(isGone);
  };
  const orders = [...state.orders.values()].filter(
    (order) => !isOfOther(order) && !isUntold(order) && !isNameless(order),
  );
  const disputed = orders.filter(
    (order) => statusOf(order) === 'disputed' && !isUnproven(order),
  ).length;
  // Of a handful of orders a share says little.
  if (disputed <= Math.max(2, orders.length / 5)) return [];
  return [violation('L4', `${disputed} of ${orders.length} orders are disputed`)];
}

/** Whether the broker has lost the tag that an order was sent with. */
function isTagLost({ order: { tag, remarks, receipt } }: Taken): boolean {
  const sent = /(?:\btag=|"remarks":")(\w+)/.exec(receipt?.body ?? '')?.[1];
  return sent !== undefined && tag !== sent && remarks !== sent;
}

/** Whether the row of an order comes back with its tag. */
function isTagShown({ sandbox, plan }: World, { broker, brokerOrderId }: Taken): boolean {
  if (broker === 'alt') return (sandbox.kite.order(brokerOrderId)?.tag ?? null) !== null;
  return plan.remarks && (sandbox.primary.order(brokerOrderId)?.remarks ?? null) !== null;
}
