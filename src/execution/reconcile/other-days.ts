import type { BrokerOrder } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import { accountField } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { brokerOrderIdOf, isOver } from '../order/order.ts';
import type { OrderId, TradingDay } from '../../units/branded.ts';
import type { BookObservation } from './book-observation.ts';
import { orderOfRow, putSeen } from './matching.ts';

/**
 * Finds the orders of rows that were written down under another day than that of the read, because this
 * computer's clock was a day off then or is now: those of a day that has not come yet, and those of the
 * day that the clock shows where the broker's differs. Their rows are noted under the day of the read, so
 * that everything else finds them there. Ids may come again on another day, so instrument and side have
 * to agree.
 */
export function adoptFromOtherDays(
  unit: UnitOfWork,
  observation: BookObservation,
  rows: readonly BrokerOrder[],
  day: TradingDay,
): void {
  const { broker, account, localAt } = observation;
  const local = tradingDay(localAt);
  const days = unit.state.observedIn.days(broker).filter((each) => each > day || each === local);
  for (const each of days) {
    if (each === day) continue;
    for (const row of rows) {
      const { brokerOrderId } = row;
      const seen = unit.observed(broker, each, brokerOrderId);
      if (!seen || seen.orderId === null) continue;
      if (orderOfRow(unit, broker, day, brokerOrderId) !== null) continue;
      if (!isRowOf(unit, observation, seen.orderId, row, each > day)) continue;
      const { orderId } = seen;
      putSeen(unit, {
        ...accountField(account),
        broker,
        day,
        brokerOrderId,
        orderId,
        leaving: false,
      });
      // The book of that other day need not show it.
      unit.putObserved({ ...seen, leaving: true, movedFrom: orderId });
    }
  }
}

function isRowOf(
  unit: UnitOfWork,
  { broker, isOther }: BookObservation,
  orderId: OrderId,
  row: BrokerOrder,
  isLater: boolean,
): boolean {
  if (!unit.state.orders.has(orderId)) return false;
  const order = unit.order(orderId);
  if (order.broker !== broker || brokerOrderIdOf(order) !== row.brokerOrderId) return false;
  if (!isLater && isOver(order)) return false;
  return row.side === order.terms.side && !isOther(order, row);
}
