import { istStamp } from '../kernel/ist.ts';
import type { ManagedFill, ManagedOrder } from '../exchange/managed-order.ts';
import { asOdd, type RowFields } from '../kernel/book-view.ts';
import { rupees } from './refusal.ts';

export const kiteRowFields: RowFields = {
  id: 'order_id',
  quantity: 'quantity',
  filled: 'filled_quantity',
  status: 'status',
  symbol: 'tradingsymbol',
  side: 'transaction_type',
  tags: ['tag', 'tags'],
  complete: 'COMPLETE',
  partial: 'OPEN',
  open: 'OPEN',
};

/** Whether it is an after-market order that has not reached the exchange yet. */
export const isWaiting = (order: ManagedOrder): boolean =>
  order.afterMarket && order.exchangeOrderId === null;

/** Kite's status of an order. */
export function kiteStatus(order: ManagedOrder): string {
  switch (order.phase) {
    case 'received':
      return 'PUT ORDER REQ RECEIVED';
    case 'validating':
      // Both occur on the way in; which of them a reader sees is chance.
      return order.sequence % 2 === 0 ? 'VALIDATION PENDING' : 'OPEN PENDING';
    case 'after_market':
      return order.modifications > 0 ? 'MODIFY AMO REQ RECEIVED' : 'AMO REQ RECEIVED';
    case 'trigger_pending':
      return 'TRIGGER PENDING';
    case 'open':
      return 'OPEN';
    case 'modify_pending':
      return order.sequence % 2 === 0 ? 'MODIFY VALIDATION PENDING' : 'MODIFY PENDING';
    case 'cancel_pending':
      return 'CANCEL PENDING';
    case 'complete':
      return 'COMPLETE';
    case 'cancelled':
      return isWaiting(order) ? 'CANCELLED AMO' : 'CANCELLED';
    case 'rejected':
      return 'REJECTED';
    case 'expired':
      // At the close, Kite shows unfilled DAY orders as either.
      return order.sequence % 2 === 0 ? 'CANCELLED' : 'LAPSED';
  }
}

const stamp = (at: number | null): string | null => (at === null ? null : istStamp(at));

/** An order row as `GET /orders` has it. */
export function kiteOrderRow(
  order: ManagedOrder,
  userId: string,
  noExchangeId: string | null,
): Record<string, unknown> {
  const status = kiteStatus(order);
  const filled = order.filled - order.filledLate;
  const unfilled = order.quantity - filled;
  const ended = order.phase === 'cancelled' || order.phase === 'expired';
  const average = order.filled > 0 ? rupees(order.filledValue / order.filled) : 0;
  const row = {
    placed_by: userId,
    order_id: order.orderId,
    exchange_order_id: order.exchangeOrderId ?? noExchangeId,
    parent_order_id: order.extras['parent_order_id'] ?? null,
    status,
    status_message: order.phase === 'rejected' ? (order.refusal?.message ?? null) : null,
    status_message_raw: order.phase === 'rejected' ? (order.refusal?.raw ?? null) : null,
    order_timestamp: istStamp(order.actedAt),
    exchange_update_timestamp: stamp(order.exchangeUpdatedAt),
    exchange_timestamp: stamp(order.exchangeAt),
    variety: order.extras['variety'],
    modified: order.modifications > 0,
    exchange: order.instrument.exchange,
    tradingsymbol: order.instrument.symbol,
    instrument_token: order.instrument.kiteToken,
    order_type: order.orderType,
    transaction_type: order.side,
    validity: order.extras['validity'] ?? order.validity,
    validity_ttl: order.extras['validity_ttl'] ?? 0,
    product: order.extras['product'],
    quantity: order.quantity,
    disclosed_quantity: order.extras['disclosed_quantity'] ?? 0,
    price: order.extras['price'] ?? 0,
    trigger_price: order.trigger ? rupees(order.trigger.price) : 0,
    average_price: average,
    filled_quantity: filled,
    // Kite keeps the rest as pending on half of its cancelled rows (both occur in its payloads).
    pending_quantity:
      order.phase === 'rejected' || (ended && order.sequence % 2 === 0) ? 0 : unfilled,
    cancelled_quantity: ended ? unfilled : 0,
    market_protection: order.extras['market_protection'] ?? 0,
    meta: order.extras['meta'] ?? {},
    tag: order.tag,
    ...(order.tag === null ? {} : { tags: [order.tag] }),
    guid: `sandbox${order.sequence}`,
  };
  return asOdd(row, order.odd, kiteRowFields, 'price');
}

/** A fill as `GET /trades` has it. */
export function kiteTradeRow(fill: ManagedFill, product: unknown): Record<string, unknown> {
  return {
    trade_id: String(fill.fillId),
    order_id: fill.orderId,
    exchange: fill.instrument.exchange,
    tradingsymbol: fill.instrument.symbol,
    instrument_token: fill.instrument.kiteToken,
    product,
    average_price: rupees(fill.price),
    quantity: fill.quantity,
    exchange_order_id: fill.exchangeOrderId,
    transaction_type: fill.side,
    fill_timestamp: istStamp(fill.at),
    order_timestamp: istStamp(fill.at).slice(11),
    exchange_timestamp: istStamp(fill.at),
  };
}
