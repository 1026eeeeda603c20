import type { ManagedFill, ManagedOrder } from '../exchange/managed-order.ts';
import { isFinal } from '../exchange/managed-order.ts';
import { renderOnce } from '../kernel/rendered.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { jsonOf, oddOf, recordOf } from '../kernel/routes.ts';
import type { PrimarySettings } from '../kernel/settings.ts';
import type { Reply } from '../kernel/wire.ts';
import {
  isSmart,
  primaryFillRow,
  primaryOldTradeRow,
  primaryOrderRow,
  primaryRowFields,
  primaryStatus,
  primaryTradeBookRow,
} from './order-rows.ts';
import type { PrimaryParts } from './place.ts';
import {
  checkRisk,
  invalid,
  limitOf,
  paiseOf,
  primaryTicket,
  quantityOf,
  textOf,
} from './place.ts';
import { createPrimaryList, primaryList, primarySuccess, refused } from './refusal.ts';

const MAX_MODIFICATIONS = 25;

/** Order id and segment, from the query or from a JSON body of the GET. */
export function orderIdOf(call: Call): string {
  const inQuery = call.query.get('order_id');
  const orderId = inQuery ?? textOf(recordOf(jsonOf(call.request)), 'order_id');
  if (orderId === '') throw invalid('order_id is required');
  return orderId;
}

/**
 * The order, if calls of this kind can still change it; otherwise throws the broker's refusal. The
 * ordinary calls do not find an order that waits for a price, and the calls for smart orders find
 * no other.
 */
export function changeable(
  parts: PrimaryParts,
  orderId: string,
  calls: 'ordinary' | 'smart',
): ManagedOrder {
  const order = parts.orders.find(orderId);
  const known = order !== undefined && (calls === 'smart') === isSmart(order);
  if (!order || !known || isFinal(order.phase)) {
    throw refused(400, 'OrderException', 'Position could not be found.');
  }
  if (order.phase === 'cancel_pending') {
    throw refused(400, 'OrderException', 'The order is already pending for cancellation.');
  }
  return order;
}

export function modifyOrder(parts: PrimaryParts, body: Record<string, unknown>): Reply {
  for (const name of ['order_id', 'segment', 'qty', 'limit_price']) {
    if (textOf(body, name) === '') throw invalid(`${name} is required`);
  }
  const order = changeable(parts, textOf(body, 'order_id'), 'ordinary');
  if (order.modifications >= MAX_MODIFICATIONS) {
    throw refused(400, 'OrderException', 'Maximum modifications of the order exceeded.');
  }
  const quantity = quantityOf(body, order.instrument);
  const price = paiseOf(body, 'limit_price');
  if (price === null) throw invalid('limit_price is required');
  const limit = limitOf(parts.exchange, order.instrument, price);
  const more = quantity - order.quantity;
  if (more > 0) checkRisk(parts, { ...order, quantity: more, limit });
  parts.orders.modify(order.orderId, { quantity, limit });
  return primarySuccess({ order_id: order.orderId, order_status: 'MODIFIED' });
}

export function cancelOrder(parts: PrimaryParts, call: Call, calls: 'ordinary' | 'smart'): Reply {
  const body = recordOf(jsonOf(call.request));
  for (const name of ['order_id', 'segment']) {
    if (textOf(body, name) === '') throw invalid(`${name} is required`);
  }
  const order = changeable(parts, textOf(body, 'order_id'), calls);
  parts.orders.cancel(order.orderId, call.isUndone());
  return primarySuccess({ order_id: order.orderId, order_status: 'CANCELLED' });
}

/** Placing, modifying, cancelling; the order book, one order, fills. */
export function orderRoutes(parts: PrimaryParts, settings: PrimarySettings): Route[] {
  const { orders } = parts;
  const echo = settings.remarks ?? false;
  const rows = {
    echoRemarks: echo,
    marketAsLimit: settings.marketAsLimit ?? false,
    noExchangeId: settings.noExchangeId ?? '',
  };
  const row = renderOnce((order: ManagedOrder) => primaryOrderRow(order, settings.clientId, rows));
  const tradeRow = renderOnce((fill: ManagedFill) => primaryTradeBookRow(fill, echo));
  const book = createPrimaryList();
  const trades = { EQUITY: createPrimaryList(), DERIVATIVE: createPrimaryList() };
  const post = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'POST',
    pattern,
    category: 'order',
    run,
  });
  const get = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'GET',
    pattern,
    category: 'reading',
    run,
  });
  return [
    post('/order', (call) => {
      const { request, at } = call;
      const body = recordOf(jsonOf(request));
      const ticket = primaryTicket(parts, body);
      const authorization = request.headers['authorization'] ?? null;
      const order = orders.place({
        ...ticket,
        placedBy: 'api',
        receipt: { at, authorization, headers: request.headers, body: request.body },
        remarks: call.tagKept(ticket.remarks),
        ...oddOf(call),
        lateMs: call.lateMs(),
        rowLateMs: call.rowLateMs(),
      });
      return primarySuccess({ order_id: order.orderId, order_status: primaryStatus(order) });
    }),
    post('/order/modify', (call) => modifyOrder(parts, recordOf(jsonOf(call.request)))),
    post('/order/cancel', (call) => cancelOrder(parts, call, 'ordinary')),
    get('/order', (call) => {
      const view = call.view();
      const orderId = orderIdOf(call);
      const order = orders.visible(view).find((one) => one.orderId === orderId);
      if (!order) throw refused(404, 'NotFoundException', 'Order not found.');
      return primarySuccess(view.spoil([row(order)], primaryRowFields)[0] ?? null);
    }),
    get('/order-book', (call) => {
      const view = call.view();
      return book(view.spoil(orders.visible(view).map(row), primaryRowFields));
    }),
    get('/order/trades', (call) => {
      const orderId = orderIdOf(call);
      const fills = orders.visibleFills(call.view()).filter((fill) => fill.orderId === orderId);
      return primaryList(fills.map(primaryFillRow));
    }),
    get('/trades/:order_id', (call) => {
      const orderId = call.parameters['order_id'] ?? '';
      const fills = orders.visibleFills(call.view()).filter((fill) => fill.orderId === orderId);
      const product = orders.find(orderId)?.extras['product'];
      return primaryList(fills.map((fill) => primaryOldTradeRow(fill, product)));
    }),
    get('/trade-book', (call) => {
      const segment = call.query.get('segment');
      if (segment !== 'EQUITY' && segment !== 'DERIVATIVE') throw invalid('segment is required');
      const fills = orders
        .visibleFills(call.view())
        .filter((fill) => fill.instrument.primary.segment === segment);
      return trades[segment](fills.map(tradeRow));
    }),
  ];
}
