import type { ManagedFill, ManagedOrder } from '../exchange/managed-order.ts';
import { isFinal } from '../exchange/managed-order.ts';
import type { OrderChange } from '../exchange/order-steps.ts';
import { renderOnce } from '../kernel/rendered.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { formOf, oddOf } from '../kernel/routes.ts';
import type { KiteSettings } from '../kernel/settings.ts';
import { isWaiting, kiteOrderRow, kiteRowFields, kiteTradeRow } from './order-rows.ts';
import type { KiteParts } from './place.ts';
import { oneOf, wholeNumber } from './form-fields.ts';
import { pricesOf } from './order-prices.ts';
import { checkQuantity, kiteTicket, riskRefusal } from './place.ts';
import { badInput, createKiteList, KiteRefusal, kiteSuccess } from './refusal.ts';
import { endLater, exitSecondLeg, placeNextLegs, placeSecondLegs } from './varieties.ts';
import { minutesToLive } from './variety-fields.ts';

const MAX_MODIFICATIONS = 25;

const notFound = (): KiteRefusal =>
  new KiteRefusal(400, 'OrderException', "Couldn't find that `order_id`.");

/** On the way to the exchange, or being changed there. */
const IN_TRANSIT: ReadonlySet<string> = new Set(['received', 'validating', 'modify_pending']);

/**
 * The variety under which an order can be found: an after-market order becomes regular at the
 * exchange.
 */
const varietyNow = (order: ManagedOrder): unknown =>
  order.afterMarket && !isWaiting(order) ? 'regular' : order.extras['variety'];

function changeable(parts: KiteParts, call: Call, act: string): ManagedOrder {
  const order = parts.orders.find(call.parameters['order_id'] ?? '');
  const { variety } = call.parameters;
  if (!order || varietyNow(order) !== variety) {
    // What Kite's users see of an after-market order that has reached the exchange.
    if (order?.afterMarket && variety === 'amo') {
      throw new KiteRefusal(504, 'NetworkException', 'The request timed out.');
    }
    throw notFound();
  }
  if (isFinal(order.phase)) {
    throw new KiteRefusal(
      400,
      'OrderException',
      `Order cannot be ${act} as it is not open: it has been completed, cancelled or rejected.`,
    );
  }
  if (IN_TRANSIT.has(order.phase)) {
    throw badInput(`Order cannot be ${act} as it is being processed. Try later.`);
  }
  if (order.phase === 'cancel_pending') {
    throw new KiteRefusal(400, 'OrderException', 'Order is already being cancelled.');
  }
  return order;
}

function changeOf(parts: KiteParts, order: ManagedOrder, form: URLSearchParams): OrderChange {
  const orderType = oneOf(form, 'order_type', ['MARKET', 'LIMIT', 'SL', 'SL-M'], undefined);
  const quantity = form.has('quantity') ? wholeNumber(form, 'quantity') : order.quantity;
  checkQuantity(order.instrument, quantity);
  const { limit, trigger, extras } = pricesOf(
    parts.exchange,
    order.instrument,
    order.side,
    orderType,
    form,
  );
  const validity = oneOf(form, 'validity', ['DAY', 'IOC'], order.validity);
  const more = { ...order, quantity: quantity - order.quantity, limit, filled: 0 };
  const risk = quantity > order.quantity ? riskRefusal(parts, more) : null;
  if (risk) throw new KiteRefusal(400, risk.kind, risk.message);
  return { quantity, limit, trigger, orderType, validity, extras: { ...order.extras, ...extras } };
}

/** The complete form of a modification: omitted fields stay as they are. */
function completed(order: ManagedOrder, given: URLSearchParams): URLSearchParams {
  const form = new URLSearchParams(given);
  const { price, market_protection: protection } = order.extras;
  if (!form.has('order_type')) form.set('order_type', order.orderType);
  if (!form.has('price') && Number(price) > 0) form.set('price', String(price));
  if (!form.has('trigger_price') && order.trigger) {
    form.set('trigger_price', String(order.trigger.price / 100));
  }
  if (!form.has('market_protection')) form.set('market_protection', String(protection ?? 0));
  return form;
}

function modify(parts: KiteParts, call: Call): ReturnType<typeof kiteSuccess> {
  const order = changeable(parts, call, 'modified');
  const { orderId } = order;
  if (order.modifications >= MAX_MODIFICATIONS) {
    throw new KiteRefusal(400, 'NetworkException', 'Maximum allowed order modifications exceeded.');
  }
  parts.orders.modify(orderId, changeOf(parts, order, completed(order, formOf(call.request))));
  return kiteSuccess({ order_id: orderId });
}

/** Placing, modifying, cancelling; the order book, histories and fills. */
export function orderRoutes(parts: KiteParts, settings: KiteSettings): Route[] {
  const { orders } = parts;
  placeSecondLegs(parts);
  placeNextLegs(parts);
  const noId = settings.noExchangeId ?? null;
  const row = renderOnce((order: ManagedOrder) => kiteOrderRow(order, settings.userId, noId));
  // No modification changes the product of an order.
  const tradeRow = renderOnce((fill: ManagedFill) =>
    kiteTradeRow(fill, orders.find(fill.orderId)?.extras['product']),
  );
  const book = createKiteList();
  const trades = createKiteList();
  return [
    {
      method: 'POST',
      pattern: '/orders/:variety',
      category: 'order',
      run(call) {
        const { request, at } = call;
        const variety = call.parameters['variety'] ?? '';
        const rmsRejects = settings.rmsRejects ?? 'row';
        const form = formOf(request);
        const ticket = kiteTicket(parts, variety, form, rmsRejects);
        const { refusal: risk } = ticket;
        const authorization = request.headers['authorization'] ?? null;
        const order = orders.place({
          ...ticket,
          placedBy: 'api',
          receipt: { at, authorization, headers: request.headers, body: request.body },
          tag: call.tagKept(ticket.tag),
          ...oddOf(call),
          lateMs: call.lateMs(),
          rowLateMs: call.rowLateMs(),
        });
        const minutes = minutesToLive(form);
        if (minutes !== null) endLater(parts, order.orderId, minutes);
        if (rmsRejects === 'both' && risk !== null) {
          orders.reject(order.orderId);
          throw new KiteRefusal(400, risk.kind, risk.message);
        }
        return kiteSuccess({ order_id: order.orderId });
      },
    },
    {
      method: 'PUT',
      pattern: '/orders/:variety/:order_id',
      category: 'order',
      run: (call) => modify(parts, call),
    },
    {
      method: 'DELETE',
      pattern: '/orders/:variety/:order_id',
      category: 'order',
      run(call) {
        const order = changeable(parts, call, 'cancelled');
        const { orderId } = order;
        const isLeg = exitSecondLeg(parts, order, call.query.get('parent_order_id'));
        if (!isLeg) orders.cancel(orderId, call.isUndone());
        return kiteSuccess({ order_id: orderId });
      },
    },
    {
      method: 'GET',
      pattern: '/orders',
      category: 'other',
      run(call) {
        const view = call.view();
        return book(view.spoil(orders.visible(view).map(row), kiteRowFields));
      },
    },
    {
      method: 'GET',
      pattern: '/orders/:order_id',
      category: 'other',
      run(call) {
        const view = call.view();
        const rows = orders.history(call.parameters['order_id'] ?? '', view);
        if (rows.length === 0) throw notFound();
        return kiteSuccess(view.spoil(rows.map(row), kiteRowFields));
      },
    },
    {
      method: 'GET',
      pattern: '/trades',
      category: 'other',
      run: (call) => trades(orders.visibleFills(call.view()).map(tradeRow)),
    },
    {
      method: 'GET',
      pattern: '/orders/:order_id/trades',
      category: 'other',
      run(call) {
        const orderId = call.parameters['order_id'] ?? '';
        const fills = orders.visibleFills(call.view()).filter((fill) => fill.orderId === orderId);
        return kiteSuccess(fills.map(tradeRow));
      },
    },
  ];
}
