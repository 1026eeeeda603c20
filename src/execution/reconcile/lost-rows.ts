import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import { type ElapsedMs, type OrderId, type TradingDay } from '../../units/branded.ts';
import { accountField, isOfOtherAccount, type ObservedOrder } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { bindingOf, brokerOrderIdOf, type OrderRecord } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { BookObservation } from './book-observation.ts';
import { putSeen } from './matching.ts';
import { rowsById } from './rows-by-id.ts';
import { releasedBy, releasedFrom } from './when-made.ts';
import { acknowledgedPlacing, disown, hasFills, takeBack } from './take-back.ts';

/**
 * Open orders whose rows a book should show and does not, or shows so that they cannot be read. What such a
 * row said before is of the past: the order may fill meanwhile (docs/orders.md, "Rows that cannot be read,
 * and rows that vanish").
 */

/** For so long a row has to be lost before what it said counts as old: one read can be truncated. */
const LOST_AFTER_MS = 5_000;

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
  // Until then an after-market order is not at the exchange, and cannot fill.
  if (order.terms.amo && begunAt < releasedFrom(last)) return false;
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
  const shown = rowsById(rows);
  return [...bound].flatMap(([id, order]) => (id !== null && shown.has(id) ? [] : [order]));
}

/**
 * Whether what is remembered of the row that an order is bound to is of the book of `day`. That of an
 * after-market order may be of the evening before: in the morning it can have another id.
 */
export function isRowOfDay(unit: UnitOfWork, order: OrderRecord, day: TradingDay): boolean {
  if (day <= order.day || day > lastBookDay(order)) return true;
  return unit.observed(order.broker, day, brokerOrderIdOf(order) ?? '')?.leaving === false;
}

/**
 * Notes open rows of after-market orders that a book shows once they are released as rows of that day: one
 * that is gone later is missed. Until then the book may be the one of the evening before.
 */
export function noteReleased(
  unit: UnitOfWork,
  { broker, account, begunAt }: Pick<BookObservation, 'broker' | 'account' | 'begunAt'>,
  rows: readonly BrokerOrder[],
  day: TradingDay,
): void {
  for (const { brokerOrderId, status } of unit.state.afterMarket.size > 0 ? rows : []) {
    if (isFinalRow(status)) continue;
    const seen = unit.observed(broker, day, brokerOrderId);
    if (!seen?.leaving || seen.orderId === null || !unit.state.orders.has(seen.orderId)) continue;
    const order = unit.order(seen.orderId);
    if (!order.terms.amo || brokerOrderIdOf(order) !== brokerOrderId) continue;
    if (day === lastBookDay(order) && begunAt >= releasedBy(day)) stayInBook(unit, seen, account);
  }
}

/**
 * After-market orders whose id no book of their session has shown for as long as rows may be late: their
 * outcome is open again. One of which that day has told fills, or a person the id, works on, and its row is
 * missed like any other that is gone (unread-rows.ts).
 */
export function reopenLost(
  unit: UnitOfWork,
  { broker, account, begunAt, lostFor, rule, unread }: BookObservation,
  lost: readonly OrderId[],
  day: TradingDay,
): void {
  for (const orderId of lost) {
    const order = unit.order(orderId);
    const binding = bindingOf(order);
    if (binding === null || isRowOfDay(unit, order, day)) continue;
    const isLate = (lostFor.get(orderId) ?? 0) >= rule.afterMs;
    if (!isLate || begunAt < releasedBy(lastBookDay(order))) continue;
    const { brokerOrderId } = binding;
    const attempt = acknowledgedPlacing(unit, order);
    const isShown = unread.some((row) => row.brokerOrderId === brokerOrderId);
    if (isShown || attempt === null || binding.by === 'person' || hasFills(unit, order)) {
      stayInBook(unit, { broker, day, brokerOrderId, orderId }, account);
      continue;
    }
    const reason = `it was at ${broker} as ${brokerOrderId}, which no book of ${day} shows`;
    takeBack(unit, order, { ...attempt, namedId: brokerOrderId }, reason);
    disown(unit, order, brokerOrderId, day, true);
  }
}

/** Notes an id of an order as one that later books of the day have to show. */
function stayInBook(
  unit: UnitOfWork,
  of: Pick<ObservedOrder, 'broker' | 'day' | 'brokerOrderId' | 'orderId'>,
  account: string | null,
): void {
  const seen = unit.observed(of.broker, of.day, of.brokerOrderId);
  // The journal lets the owner of an id change only with the one that it had before.
  if (seen && of.orderId) unit.putObserved({ ...seen, leaving: false, movedFrom: of.orderId });
  else putSeen(unit, { ...of, leaving: false, ...accountField(account) });
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

/** Keeps for how long reads of a book have said the same of orders. Times are elapsed ms. */
export interface RowsFor {
  /** The read that began then says it of these orders, and of no others. */
  note(orderIds: readonly OrderId[], begun: ElapsedMs): void;
  /** For how long (ms) reads have said it of each, as of a read that begins then. */
  lastedFor(begun: ElapsedMs): ReadonlyMap<OrderId, number>;
}

export function createRowsFor(): RowsFor {
  let since = new Map<OrderId, ElapsedMs>();
  return {
    note(orderIds, begun) {
      since = new Map(orderIds.map((id) => [id, since.get(id) ?? begun]));
    },
    lastedFor: (begun) => new Map([...since].map(([id, at]) => [id, begun - at])),
  };
}
