import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import { bookDays } from '../order/order-day.ts';
import { fillOf, type OrderRecord } from '../order/order.ts';
import { putSeen } from './matching.ts';

/** Takes rows back from orders that they were given to, and turn out not to be. */

/** Takes an id from an order that it was bound to: on each day of that order, and today. */
export function disown(
  unit: UnitOfWork,
  owner: OrderRecord,
  brokerOrderId: BrokerOrderId,
  day: TradingDay,
  leaving: boolean,
): void {
  const { broker } = owner;
  const days = bookDays(owner).filter((each) => each !== day);
  for (const each of days) {
    const seen = unit.observed(broker, each, brokerOrderId);
    if (seen?.orderId === owner.id) {
      unit.putObserved({ ...seen, orderId: null, leaving, movedFrom: owner.id });
    }
  }
  if (!unit.observed(broker, day, brokerOrderId)) {
    putSeen(unit, { broker, day, brokerOrderId, orderId: null, leaving });
  }
  const today = unit.observed(broker, day, brokerOrderId);
  if (today) unit.putObserved({ ...today, orderId: null, leaving, movedFrom: owner.id });
}

export function acknowledgedPlacing(
  unit: UnitOfWork,
  order: OrderRecord,
): PlaceAttemptRecord | null {
  for (const id of unit.state.attemptsOf.get(order.id) ?? []) {
    const attempt = unit.attempt(id);
    if (attempt.kind === 'place' && attempt.state.kind === 'acknowledged') return attempt;
  }
  return null;
}

/**
 * Whether a cancel of the order may have reached the row that turned out to be another's: it did not cancel
 * the order then. Who was told that it was refused does not expect another one.
 */
export function wasCancelled(unit: UnitOfWork, order: OrderRecord): boolean {
  return [...(unit.state.attemptsOf.get(order.id) ?? [])].some((id) => {
    const { kind, state } = unit.attempt(id);
    return kind === 'cancel' && state.kind !== 'not_sent' && state.kind !== 'refused';
  });
}

/**
 * Modifications that went to a row which is another order's have not changed this one: its callers are told
 * that, and no later change repeats their terms.
 */
export function voidModifications(unit: UnitOfWork, orderId: OrderId, sentTo: BrokerOrderId): void {
  const reason = `it went to ${sentTo}, which is another order's: this order is as it was`;
  let isAny = false;
  for (const id of unit.state.attemptsOf.get(orderId) ?? []) {
    const attempt = unit.attempt(id);
    const { kind } = attempt.state;
    if (attempt.kind !== 'modify' || (kind !== 'acknowledged' && kind !== 'uncertain')) continue;
    unit.putAttempt({ ...attempt, state: { kind: 'refused', settledAt: unit.at, reason } });
    isAny = true;
  }
  if (!isAny) return;
  const message =
    `a modification of order ${orderId} went to ${sentTo}, which is another order's: it is not in effect, and ` +
    "may have changed that one. Look at both in the broker's app, then modify the order again";
  unit.alert('critical', orderId, message);
}

/** Whether fills of an order are known, or were told of by its row. */
export const hasFills = (unit: UnitOfWork, order: OrderRecord): boolean =>
  unit.fillsOf(order.id).length > 0 || (fillOf(order).filledQuantity ?? 0) > 0;

/**
 * Opens the outcome of an order again that was bound to a row which is not its own. One with fills, which
 * are that row's, becomes disputed: what was told of them is not taken back.
 */
export function takeBack(
  unit: UnitOfWork,
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  reason: string,
): void {
  unit.putAttempt({ ...attempt, state: { kind: 'uncertain', settledAt: unit.at, reason } });
  if (hasFills(unit, order)) {
    unit.dispute(order.id, reason, { unbind: true });
    return;
  }
  unit.move(order.id, { type: 'reopen', reason });
  if (wasCancelled(unit, order)) unit.move(order.id, { type: 'want_cancel' });
  unit.alert('critical', order.id, `outcome of order ${order.id} is open again: ${reason}`);
}
