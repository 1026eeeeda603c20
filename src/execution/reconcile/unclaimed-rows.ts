import { type BrokerOrder, realId } from '../../domain/broker-order.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';
import { accountField } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { brokerOrderIdOf } from '../order/order.ts';
import { dayBefore, isOfEarlierDay } from '../order/order-day.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import type { BookObservation } from './book-observation.ts';
import { lostOrders } from './lost-rows.ts';
import { orderOfRow, putSeen } from './matching.ts';
import { rowsById } from './rows-by-id.ts';
import { attemptOfTag } from './orders-of-tags.ts';
import { isBoundElsewhere, type TaggedRead } from './tagged-rows.ts';

/** Rows of a book that belong to no order of ours. */

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
  if (named !== null && rowsById(read.rows).has(named)) return false;
  return !read.unread.some(({ brokerOrderId }) => brokerOrderId === named);
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

/**
 * Notes the ids that a book shows, and which of them are of orders placed elsewhere. Those in `awaited` may be
 * of an order of ours, or misread: the next read decides, and need not show them.
 */
export function noteObserved(
  unit: UnitOfWork,
  observation: BookObservation,
  rows: readonly BrokerOrder[],
  day: TradingDay,
  awaited: ReadonlySet<BrokerOrderId>,
): void {
  const { broker, account } = observation;
  for (const row of rows) {
    const { brokerOrderId } = row;
    const seen = unit.observed(broker, day, brokerOrderId);
    if (seen && seen.orderId !== null) continue;
    const orderId = orderOfRow(unit, broker, day, brokerOrderId);
    // A book that has not been cleared yet, or a clock that is ahead: it is gone from the next one.
    const earlier = unit.observed(broker, dayBefore(day), brokerOrderId) !== undefined;
    const leaving = earlier || isOfEarlierDay(row, day);
    const isElsewhere = orderId === null && row.childOf === undefined;
    const exchangeOrderId = realId(row.exchangeOrderId);
    const ofExchange = isElsewhere && exchangeOrderId !== null ? { exchangeOrderId } : {};
    if (seen) {
      // Read before its order was known.
      const { unconfirmed, ...confirmed } = seen;
      if (orderId !== null) unit.putObserved({ ...seen, orderId });
      else if (awaited.has(brokerOrderId)) continue;
      else if (unconfirmed && !isStillUnconfirmed(unit, observation, row, day)) {
        unit.putObserved({ ...confirmed, ...ofExchange, leaving: false });
        lookForOurTag(unit, row, day);
      }
      // Another read had misread its id, or it was acknowledged before a book showed it.
      else if (!unconfirmed && seen.leaving && !leaving) {
        unit.putObserved({ ...seen, leaving: false });
      }
      continue;
    }
    const of = accountField(account);
    const isAwaited = awaited.has(brokerOrderId) || isUnconfirmed({ ...observation, unit }, row);
    if (orderId === null && !earlier && isAwaited) {
      const unconfirmed = { leaving: true, unconfirmed: true } as const;
      putSeen(unit, { broker, day, brokerOrderId, orderId, ...unconfirmed, ...of });
      continue;
    }
    putSeen(unit, { broker, day, brokerOrderId, orderId, leaving, ...ofExchange, ...of });
    if (orderId === null && !earlier) lookForOurTag(unit, row, day);
  }
}
