import type { BrokerOrder } from '../../domain/broker-order.ts';
import { istTime } from '../../domain/ist.ts';
import type { ElapsedMs, OrderId, TradingDay } from '../../units/branded.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { bindingOf, brokerOrderIdOf, type OrderRecord } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { BookObservation } from './book-observation.ts';
import { acknowledgedPlacing } from './take-back.ts';

/**
 * Open orders whose rows a book should show and does not, or shows so that they cannot be read. What such a
 * row said before is of the past: the order may fill meanwhile (docs/orders.md, "Rows that cannot be read,
 * and rows that vanish").
 */

/** For so long a row has to be lost before what it said counts as old: one read can be truncated. */
const LOST_AFTER_MS = 5_000;
/** An after-market order is at the exchange from then on, and can fill. */
const EXCHANGE_OPENS = '09:00';

/** The working orders whose rows a read of the book should show, and lacks. */
export function lostOrders(
  unit: UnitOfWork,
  observation: Pick<BookObservation, 'broker' | 'account' | 'begunAt' | 'rows'>,
  day: TradingDay,
): OrderRecord[] {
  const sought = [...unit.state.watched]
    .map((id) => unit.order(id))
    .filter((order) => isDue(unit, observation, order, day));
  return withoutRow(sought, observation.rows);
}

/** Whether a book that was begun then should show the row of an order. */
function isDue(
  unit: UnitOfWork,
  { broker, account, begunAt }: Pick<BookObservation, 'broker' | 'account' | 'begunAt'>,
  order: OrderRecord,
  day: TradingDay,
): boolean {
  if (order.broker !== broker || order.state.kind !== 'working') return false;
  const last = lastBookDay(order);
  if (day < order.day || day > last) return false;
  if (order.terms.amo && begunAt < istTime(last, EXCHANGE_OPENS)) return false;
  const attempt = acknowledgedPlacing(unit, order);
  return attempt === null || !isOfOtherAccount(attempt, account);
}

/** Those of the orders that are bound to a row which is not among these. */
export function withoutRow(
  orders: readonly OrderRecord[],
  rows: readonly BrokerOrder[],
): OrderRecord[] {
  const bound = new Map(orders.map((order) => [brokerOrderIdOf(order), order]));
  bound.delete(null);
  for (const row of bound.size > 0 ? rows : []) bound.delete(row.brokerOrderId);
  return [...bound.values()];
}

/** Whether what the last row of an order said is old, given for how long (ms) its row has been lost. */
export const isRowOld = (lostFor: number | undefined): boolean => (lostFor ?? 0) >= LOST_AFTER_MS;

/** Whether a row tells how much has filled, where that was not known. */
export function tellsFill(order: OrderRecord, row: BrokerOrder | null): boolean {
  const { state } = order;
  return (
    (row?.filledQuantity ?? null) !== null &&
    bindingOf(order) !== null &&
    'fill' in state &&
    state.fill.filledQuantity === null
  );
}

/** Keeps for how long reads of a book have lacked the rows of orders. Times are elapsed ms. */
export interface LostRows {
  /** The read that began then lacks the rows of these orders, and of no others. */
  note(orderIds: readonly OrderId[], begun: ElapsedMs): void;
  /** For how long (ms) reads have lacked the row of each, as of a read that begins then. */
  lostFor(begun: ElapsedMs): ReadonlyMap<OrderId, number>;
}

export function createLostRows(): LostRows {
  let since = new Map<OrderId, ElapsedMs>();
  return {
    note(orderIds, begun) {
      since = new Map(orderIds.map((id) => [id, since.get(id) ?? begun]));
    },
    lostFor: (begun) => new Map([...since].map(([id, at]) => [id, begun - at])),
  };
}
