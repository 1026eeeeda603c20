import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import { average } from '../../domain/money.ts';
import { isStop } from './engine.ts';
import type { LedgerState, PaperFill, PaperOrder } from './state.ts';

/** The book, in the order in which orders were taken. */
export function bookRows(state: LedgerState, now: number): readonly BrokerOrder[] {
  const orders = [...state.orders.values()].sort((a, b) => a.number - b.number);
  return orders.map((order) => bookRow(order, now));
}

/** Rows of orders that have ended: nothing in them changes any more, and a day has thousands. */
const endedRows = new WeakMap<PaperOrder, BrokerOrder>();

function bookRow(order: PaperOrder, now: number): BrokerOrder {
  const known = endedRows.get(order);
  if (known !== undefined) return known;
  const row = newRow(order, now);
  if (order.status !== 'working') endedRows.set(order, row);
  return row;
}

function newRow(order: PaperOrder, now: number): BrokerOrder {
  return {
    brokerOrderId: order.id,
    // No exchange has ever seen it.
    exchangeOrderId: null,
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    averagePrice: average(order.filledValue, order.filledQuantity),
    orderType: order.orderType,
    product: order.product,
    validity: order.validity,
    price: order.price,
    triggerPrice: order.triggerPrice,
    status: order.status,
    rawStatus: rawStatus(order, now),
    reason: order.reason,
    tags: order.tag === '' ? [] : [order.tag],
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

function rawStatus(order: PaperOrder, now: number): string {
  if (order.status !== 'working') return order.status.toUpperCase();
  if (order.activeFrom > now) return 'WAITING FOR SESSION';
  return isStop(order.orderType) && !order.triggered ? 'WAITING FOR TRIGGER' : 'OPEN';
}

/** Executions of the orders in the book, in the order in which they happened. */
export function tradeRows(state: LedgerState): readonly BrokerFill[] {
  return [...state.fills]
    .flatMap(([id, fills]) => fills.map((fill) => tradeRow(fill, state.orders.get(id))))
    .sort((a, b) => a.number - b.number)
    .map(({ row }) => row);
}

function tradeRow(fill: PaperFill, order: PaperOrder | undefined) {
  const row: BrokerFill = {
    fillId: fill.id,
    brokerOrderId: fill.orderId,
    exchangeOrderId: null,
    exchange: order?.instrument.split(':')[0] ?? null,
    quantity: fill.quantity,
    price: fill.price,
    at: fill.at,
  };
  return { number: fill.number, row };
}
