import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import type { OrderModification } from '../../../src/domain/order.ts';

import { changedOrderId, isCancel, type Sent } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, violation, type Violation } from './context.ts';
import { netAt } from './kill-switch.ts';
import { agrees, fieldsOf, paise } from './wire.ts';

/**
 * S51: what a change repeats that did not ask for it makes no order larger than the broker has it, and trades no
 * sooner. S52: no change makes an order that opens a position worth more than the settings allow.
 */
export function changesKeepTheirOrders({ world }: Day): Violation[] {
  const changed = world.sent.flatMap((sent): Changed[] => {
    const { request, before } = sent;
    if (changedOrderId(request) === null || isCancel(request) || before === null) return [];
    const asked = askedBy(world, sent);
    return asked === null ? [] : [{ sent, before, asked }];
  });
  return [...changed.flatMap((each) => repeated(world, each)), ...aboveValue(world, changed)];
}

interface Changed {
  readonly sent: Sent;
  /** The order as the broker had it when the request arrived. */
  readonly before: BrokerOrder;
  readonly asked: OrderModification;
}

/** The change that a request is of: a program asks for those of one order one after another. */
const askedBy = ({ asked }: World, { wanted, at, request, before }: Sent) =>
  asked.changes.findLast(
    (each) =>
      each.wanted === wanted && each.at <= at && agrees(request.body ?? '', each.changes, before),
  )?.changes ?? null;

function repeated(world: World, { sent, before, asked }: Changed): Violation[] {
  // Kite Connect is sent what is asked for alone.
  if (sent.broker !== 'primary') return [];
  // The exchange does not have yet what its broker has accepted: to repeat the old price would take that back.
  if (before.phase === 'modify_pending' || before.exchangeOrderId === null) return [];
  if (!isShown(world, sent, before) && !isAccepted(world, sent, before)) return [];
  const received = fieldsOf(sent.request.body ?? '');
  const what: string[] = [];
  const quantity = Number(received.get('qty') ?? before.quantity);
  if (asked.quantity === null && quantity > before.quantity) {
    what.push(`${quantity} of ${before.quantity}`);
  }
  const price = paise(Number(received.get('limit_price') ?? 0)) ?? 0;
  const shown = before.limitPaise ?? 0;
  const isSooner = before.side === 'BUY' ? price > shown : price < shown;
  if (asked.price === null && before.orderType === 'LIMIT' && price > 0 && isSooner) {
    what.push(`${price} paise for ${shown}`);
  }
  const type = received.get('order_type');
  if (asked.orderType === null && type === 'MARKET' && before.orderType === 'LIMIT') {
    what.push(`${type} for ${before.orderType}`);
  }
  return what.map((each) =>
    violation('S51', `${sent.wanted} was changed to ${each}, which its request did not ask for`),
  );
}

/** For so long what was accepted counts, whatever the book shows. */
const ACCEPTED_MS = 9_000;
/** How long a book may lag behind the answer to a change. */
const LAG_MS = 10_500;
const MINUTE_MS = 60_000;

/** Whether the gateway's clock went on evenly since an order was placed, and agreed with the broker's to a minute. */
const isClockSteady = ({ mishaps }: World['plan'], { createdAt }: BrokerOrder): boolean =>
  mishaps.every(
    (each) =>
      !each.kind.startsWith('clock') ||
      (each.kind === 'clock_step' && each.at < createdAt && Math.abs(each.byMs) < MINUTE_MS),
  );

/** Whether honest reads have shown an order as it is, and each change of it has been answered long before. */
function isShown({ sent: all, reads, plan }: World, sent: Sent, order: BrokerOrder): boolean {
  if (!isClockSteady(plan, order)) return false;
  const changes = all.filter(
    (other) => other.at < sent.at && changedOrderId(other.request) === order.orderId,
  );
  const answers = changes.map(({ at, answer, request }) => answer?.at ?? at + request.deadlineMs);
  const { updatedAt, hiddenUntil, rowHiddenUntil } = order;
  const since = Math.max(
    ...[updatedAt, hiddenUntil, rowHiddenUntil],
    ...answers.map((at) => at + LAG_MS),
  );
  const later = reads.filter(
    ({ broker, at }) => broker === sent.broker && at > since && at < sent.at - 1_000,
  );
  return later.length > 0 && later.every(({ honest }) => honest);
}

/** Whether the broker has told the gateway that the order was changed to what it has, a moment before. */
function isAccepted({ sent: all, plan }: World, sent: Sent, order: BrokerOrder): boolean {
  if (!isClockSteady(plan, order)) return false;
  const accepted = all.findLast(
    (other) =>
      other.at < sent.at && changedOrderId(other.request) === order.orderId && other.hasChanged,
  );
  const answer = accepted?.answer;
  if (!accepted || !answer?.honest || accepted.life !== sent.life) return false;
  const told = fieldsOf(accepted.request.body ?? '');
  const quantity = Number(told.get('qty') ?? order.quantity);
  const price = paise(Number(told.get('limit_price') ?? 0)) ?? 0;
  // The exchange can refuse the change before the answer that it was accepted arrives.
  if (quantity !== order.quantity || (price > 0 && price !== order.limitPaise)) return false;
  // Nobody else has changed it since.
  return (
    answer.reaction.kind === 'answer' &&
    answer.reaction.status === 200 &&
    answer.at < sent.at &&
    order.updatedAt <= answer.at &&
    sent.at - answer.at < ACCEPTED_MS
  );
}

function aboveValue(world: World, changed: readonly Changed[]): Violation[] {
  const most = Number(world.plan.brakes?.APP_MAX_ORDER_VALUE ?? Infinity);
  return changed.flatMap(({ sent, before, asked }) => {
    if (before.orderType !== 'LIMIT' || !isOwnFigures(world, sent, before)) return [];
    const quantity = asked.quantity ?? before.quantity;
    const price = paise(asked.price) ?? before.limitPaise ?? 0;
    const isMore = quantity > before.quantity || price > (before.limitPaise ?? 0);
    const rupees = (quantity * price) / 100;
    if (!isMore || rupees <= most) return [];
    const net = netAt(world, sent, before);
    if (before.side === 'BUY' ? net < 0 : net > 0) return [];
    return [violation('S52', `${sent.wanted} was changed to ${rupees} rupees, more than ${most}`)];
  });
}

/** Whether an order has what its own program has asked for: the gateway may know of another's change too late. */
function isOwnFigures({ asked }: World, { wanted }: Sent, { quantity, limitPaise }: BrokerOrder) {
  const placed = asked.orders.get(wanted ?? '')?.request;
  const changes = asked.changes.filter((each) => each.wanted === wanted);
  const quantities = [placed, ...changes.map((each) => each.changes)].map((each) => each?.quantity);
  const prices = [placed, ...changes.map((each) => each.changes)].map((each) => each?.price);
  return (
    quantities.includes(quantity) &&
    prices.some((price) => typeof price === 'number' && paise(price) === limitPaise)
  );
}
