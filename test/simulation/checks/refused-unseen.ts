import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import type { Sent, Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { meaningOf } from './refused-words.ts';

/** A broker makes an order as it is handed in. */
const HANDED_IN_MS = 1_000;

/**
 * Whether an order was refused in words that are believed, and nothing that the gateway could read since tells
 * otherwise (docs/orders.md, "After a refusal"): its row cannot be read and lacks the order's tag, its row is rejected and
 * has another tag or none, or the session of its account ended before a book of it could be read.
 */
export function isRefusedUnseen(world: World, taken: Taken): boolean {
  const refused = world.sent.find(
    (sent) =>
      sent.wanted === taken.wanted &&
      sent.broker === taken.broker &&
      (meaningOf(sent) === 'known' || isOfRisk(world, sent, taken)) &&
      Math.abs(sent.at - taken.order.createdAt) < HANDED_IN_MS,
  );
  if (refused === undefined) return false;
  const { broker, brokerOrderId } = taken;
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const row = inspector.order(brokerOrderId);
  const isOfOther = world.sandbox.otherUser?.order(brokerOrderId) !== undefined;
  const until = isOfOther ? (world.users.backAt ?? Infinity) : Infinity;
  const isRead = world.reads.some(
    (read) => read.broker === broker && read.honest && read.at > refused.at && read.at < until,
  );
  if (!isRead) return true;
  return row !== undefined && (isOddWithoutTag(world, taken) || isRejectedWithoutTag(row));
}

/** Whether the broker's risk management has refused an order for what the account has, and listed it as rejected. */
function isOfRisk({ plan, sandbox }: World, { answer }: Sent, { broker, brokerOrderId }: Taken) {
  const row = (broker === 'alt' ? sandbox.kite : sandbox.primary).order(brokerOrderId);
  const isRefused = answer?.reaction.kind === 'answer' && answer.reaction.status === 400;
  return plan.rmsRejects === 'both' && isRefused && row?.phase === 'rejected';
}

/** Such a row bears the refusal out, and nothing ties it to the order. */
function isRejectedWithoutTag({ phase, filledQuantity, tag, remarks, receipt }: BrokerOrder) {
  if (phase !== 'rejected' || filledQuantity > 0) return false;
  const shown = tag ?? remarks;
  return shown === null || receipt?.body.includes(shown) !== true;
}

/** Whether the broker writes the row of an order so that it cannot be read, and without its tag. */
function isOddWithoutTag({ plan }: World, { broker, order }: Taken): boolean {
  const name = broker === 'alt' ? 'kite' : 'primary';
  const odd = plan.faults.some(
    (fault) =>
      fault.kind === 'odd_row' &&
      fault.broker === name &&
      order.createdAt >= Number(fault.from ?? 0) &&
      order.createdAt <= Number(fault.until ?? Infinity),
  );
  const tag = /tag=(\w+)/.exec(order.receipt?.body ?? '')?.[1];
  return odd && order.tag !== tag;
}
