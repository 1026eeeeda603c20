import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { brokerOrderIdOf } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';

/** Our order behind an id in the book of one of the broker's days; null for one placed elsewhere. */
export function orderOfRow(
  unit: UnitOfWork,
  broker: BrokerId,
  day: string,
  brokerOrderId: string,
): string | null {
  const observed = unit.observed(broker, day, brokerOrderId);
  if (observed && observed.orderId !== null) return observed.orderId;
  // An after-market order is in the book of the next day under the same id, even where that book was
  // read before the order was bound.
  for (const orderId of unit.state.afterMarket) {
    const order = unit.order(orderId);
    if (order.broker !== broker || brokerOrderIdOf(order) !== brokerOrderId) continue;
    // A later book that still holds it has not been cleared; its trades are recorded already.
    if (order.day < day && day <= lastBookDay(order)) return orderId;
  }
  return null;
}

/**
 * Whether a row is of an earlier day, in a book not cleared yet: the next book may be complete
 * without it.
 */
export function isOfEarlierDay(row: BrokerOrder, day: string): boolean {
  return row.createdAt !== null && tradingDay(row.createdAt) < day;
}

/** Whether a row says the same as the last one that was taken in. */
export function isSameRow(known: BrokerOrder | null, row: BrokerOrder | null): boolean {
  if (!known || !row) return row === null;
  if (known === row) return true;
  return (
    known.rawStatus === row.rawStatus &&
    known.status === row.status &&
    known.filledQuantity === row.filledQuantity &&
    known.averagePrice === row.averagePrice &&
    known.quantity === row.quantity &&
    known.price === row.price &&
    known.triggerPrice === row.triggerPrice &&
    known.exchangeOrderId === row.exchangeOrderId &&
    known.reason === row.reason &&
    known.updatedAt === row.updatedAt
  );
}
