import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { brokerOrderIdOf } from '../order/order.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import type { BookObservation } from './book-observation.ts';
import { lostOrders } from './lost-rows.ts';
import { attemptOfTag, isBoundElsewhere, type TaggedRead } from './tagged-rows.ts';

/** Rows with a tag of ours that belong to no order. */

/**
 * Whether a new row with the tag of an order that is bound to another row may be that row with a wrong id,
 * because this read does not show it: the next read decides.
 */
export function isUnconfirmed(
  read: Pick<TaggedRead, 'unit' | 'isOther' | 'rows' | 'unread'>,
  row: BrokerOrder,
): boolean {
  const attempt = attemptOfTag(read.unit, row.tags);
  if (attempt === null || !isBoundElsewhere(read, attempt, row)) return false;
  const named = brokerOrderIdOf(read.unit.order(attempt.orderId));
  return ![...read.rows, ...read.unread].some(({ brokerOrderId }) => brokerOrderId === named);
}

/**
 * Whether a row that was unconfirmed before is so still: the row that its order is bound to is missed, and
 * this one is the order once that has been missed for long enough.
 */
export function isStillUnconfirmed(
  unit: UnitOfWork,
  observation: BookObservation,
  row: BrokerOrder,
  day: TradingDay,
): boolean {
  if (!isUnconfirmed({ ...observation, unit }, row)) return false;
  const orderId = attemptOfTag(unit, row.tags)?.orderId;
  return lostOrders(unit, observation, day).some(({ id }) => id === orderId);
}

/**
 * A new row that nobody claims, with a tag of ours: of an order that was called refused or not sent,
 * or a second one of an order that is bound. Neither happens as long as brokers answer what is true.
 */
export function lookForOurTag(unit: UnitOfWork, row: BrokerOrder, day: TradingDay): void {
  const attempt = attemptOfTag(unit, row.tags);
  if (!attempt || attempt.state.kind === 'sending') return;
  // Sent when this read of yesterday's book had begun: today's will settle it.
  if (attempt.state.kind === 'uncertain' && day < attempt.day) return;
  const order = unit.order(attempt.orderId);
  // Of another day: a book that was not cleared, or an after-market order that ended in the night.
  if (brokerOrderIdOf(order) === row.brokerOrderId) return;
  const reason =
    `row ${row.brokerOrderId} at ${attempt.broker} carries the tag of order ${order.id}, ` +
    `whose request was ${attempt.state.kind}`;
  unit.alert('critical', order.id, reason);
  setKillSwitch(unit, { engaged: true, reason, changedBy: null });
  if (brokerOrderIdOf(order) === null && order.state.kind !== 'disputed') {
    // Another broker may get the order, or have it: two live ones, whatever it answers.
    const twin = { broker: attempt.broker, brokerOrderId: row.brokerOrderId };
    unit.move(order.id, { type: 'dispute', cause: reason, twin });
  }
}
