import type { OrderRecord } from '../order/order.ts';
import type { OrderId, TradingDay } from '../../units/branded.ts';

/** Sets and lists that are kept in step with the rows of the journal. */

/** An order that changes keeps its place: they are listed in the order in which they came in. */
export function listOnDay(
  days: Map<TradingDay, Map<OrderId, OrderRecord>>,
  order: OrderRecord,
  present: boolean,
): void {
  const orders = days.get(order.day) ?? new Map<OrderId, OrderRecord>();
  if (present) orders.set(order.id, order);
  else orders.delete(order.id);
  if (orders.size > 0) days.set(order.day, orders);
  else days.delete(order.day);
}

export function member<Id extends string>(
  sets: Map<OrderId, Set<Id>>,
  key: OrderId,
  value: Id,
  present: boolean,
): void {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set()));
  inSet(set, value, present);
}

export function inSet<Id extends string>(set: Set<Id>, value: Id, present: boolean): void {
  if (present) set.add(value);
  else set.delete(value);
}
