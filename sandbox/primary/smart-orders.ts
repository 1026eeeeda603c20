import type { ManagedOrder, OrderTicket } from '../exchange/managed-order.ts';
import { isFinal } from '../exchange/managed-order.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { jsonOf, recordOf } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import { cancelOrder, changeable } from './order-routes.ts';
import type { PrimaryParts } from './place.ts';
import {
  checkRisk,
  invalid,
  limitOf,
  liveLimit,
  paiseOf,
  quantityOf,
  subjectOf,
  textOf,
  wordOf,
} from './place.ts';
import { primarySuccess, rupeeText } from './refusal.ts';

type Body = Record<string, unknown>;

interface Pair {
  trigger: number;
  limit: number;
}

/** A trigger and its limit: both, or neither. */
function pairOf(
  parts: PrimaryParts,
  body: Body,
  subject: OrderSubject,
  kind: 'sl' | 'tgt',
): Pair | null {
  const trigger = paiseOf(body, `${kind}_trigger_price`);
  const limit = paiseOf(body, `${kind}_limit_price`);
  if (trigger === null && limit === null) return null;
  if (trigger === null || limit === null) {
    throw invalid(`${kind}_trigger_price and ${kind}_limit_price go together`);
  }
  const { instrument } = subject;
  return {
    trigger: limitOf(parts.exchange, instrument, trigger),
    limit: limitOf(parts.exchange, instrument, limit),
  };
}

type OrderSubject = ReturnType<typeof subjectOf>;

const prices = (kind: 'sl' | 'tgt', pair: Pair | null): Record<string, string> =>
  pair
    ? {
        [`${kind}_trigger_price`]: rupeeText(pair.trigger),
        [`${kind}_limit_price`]: rupeeText(pair.limit),
      }
    : {};

function ticketOf(
  call: Call,
  subject: OrderSubject,
  more: Pick<OrderTicket, 'limit' | 'trigger' | 'orderType' | 'side'> & { extras: Body },
  remarks: string,
): OrderTicket {
  const { request, at } = call;
  const authorization = request.headers['authorization'] ?? null;
  return {
    instrument: subject.instrument,
    quantity: subject.quantity,
    product: subject.product,
    side: more.side,
    orderType: more.orderType,
    validity: 'DAY',
    limit: more.limit,
    trigger: more.trigger,
    placedBy: 'api',
    tag: null,
    remarks: call.tagKept(remarks === '' ? null : remarks.slice(0, 100)),
    receipt: { at, authorization, headers: request.headers, body: request.body },
    afterMarket: false,
    refusal: null,
    lateMs: call.lateMs(),
    rowLateMs: call.rowLateMs(),
    extras: { product: subject.word, smart: true, ...more.extras },
  };
}

/**
 * The exit of a filled entry: two legs that cancel each other. The book shows each as `OCO`, with
 * both pairs of prices.
 */
function placeExit(
  parts: PrimaryParts,
  call: Call,
  subject: OrderSubject,
  pairs: { sl: Pair | null; tgt: Pair | null },
): void {
  const side = subject.side === 'BUY' ? 'SELL' : 'BUY';
  const extras = { ...prices('sl', pairs.sl), ...prices('tgt', pairs.tgt) };
  const legs = [pairs.sl, pairs.tgt].flatMap((pair, index) => {
    if (!pair) return [];
    // The stop of a sell triggers when the price falls to it, the target when it rises to it.
    const rises = (side === 'SELL') === (index === 1);
    const trigger = { price: pair.trigger, rises };
    const ticket = ticketOf(
      call,
      subject,
      { limit: pair.limit, trigger, orderType: 'OCO', side, extras },
      '',
    );
    return [parts.orders.place(ticket).orderId];
  });
  const stop = parts.orders.onChange((order) => {
    if (!legs.includes(order.orderId) || (order.phase !== 'open' && !isFinal(order.phase))) return;
    stop();
    for (const other of legs) {
      const leg = other === order.orderId ? undefined : parts.orders.find(other);
      if (leg && !isFinal(leg.phase) && leg.phase !== 'cancel_pending') parts.orders.cancel(other);
    }
  });
}

function place(parts: PrimaryParts, call: Call): Reply {
  const body = recordOf(jsonOf(call.request));
  const subject = subjectOf(parts, body);
  const { instrument, side, quantity, product } = subject;
  if (instrument.primary.exchange !== 'NSE') throw invalid('Smart orders are for NSE only');
  wordOf(body, 'validity', ['DAY']);
  const orderType = wordOf(body, 'order_type', ['LIMIT', 'MARKET', 'TRIGGER']);
  const sl = pairOf(parts, body, subject, 'sl');
  const tgt = pairOf(parts, body, subject, 'tgt');
  const { exchange, orders } = parts;
  const last = exchange.prices.last(instrument, exchange.clock.now());
  let limit = liveLimit(exchange, instrument, side);
  let trigger: OrderTicket['trigger'] = null;
  let extras: Body = {};
  if (orderType === 'LIMIT') {
    const asked = paiseOf(body, 'limit_price');
    if (asked === null) throw invalid('limit_price is required');
    limit = limitOf(exchange, instrument, asked);
  }
  if (orderType === 'TRIGGER') {
    const [at, asked] = [paiseOf(body, 'trigger_price'), paiseOf(body, 'trigger_limit_price')];
    if (at === null || asked === null) throw invalid('trigger_price is required');
    limit = limitOf(exchange, instrument, asked);
    trigger = { price: limitOf(exchange, instrument, at), rises: at > last };
    // The row has its prices in the target's fields, as seen live.
    extras = prices('tgt', { trigger: trigger.price, limit });
  }
  checkRisk(parts, { instrument, side, quantity, product, limit });
  const shown = orderType === 'TRIGGER' ? 'GTT_LIMIT' : orderType;
  const ticket = ticketOf(
    call,
    subject,
    { limit, trigger, orderType: shown, side, extras },
    textOf(body, 'remarks'),
  );
  const parent = orders.place(ticket);
  if (sl || tgt) {
    const stop = orders.onChange((order) => {
      if (order.orderId !== parent.orderId || !isFinal(order.phase)) return;
      stop();
      if (order.filled > 0)
        placeExit(parts, call, { ...subject, quantity: order.filled }, { sl, tgt });
    });
  }
  const waits = sl || tgt ? { order_id: `${parent.orderId}-C`, order_status: 'CREATED' } : null;
  return primarySuccess({
    order_data: [{ order_id: parent.orderId, order_status: 'CREATED', child_order_details: waits }],
  });
}

function modify(parts: PrimaryParts, call: Call): Reply {
  const body = recordOf(jsonOf(call.request));
  for (const name of ['order_id', 'segment', 'algo_id']) {
    if (textOf(body, name) === '') throw invalid(`${name} is required`);
  }
  const order: ManagedOrder = changeable(parts, textOf(body, 'order_id'), 'smart');
  const { instrument } = order;
  const quantity = textOf(body, 'qty') === '' ? order.quantity : quantityOf(body, instrument);
  const asked = paiseOf(body, 'trigger_limit_price') ?? paiseOf(body, 'limit_price');
  const limit = asked === null ? order.limit : limitOf(parts.exchange, instrument, asked);
  const at = paiseOf(body, 'trigger_price');
  const moved = at === null ? null : limitOf(parts.exchange, instrument, at);
  const last = parts.exchange.prices.last(instrument, parts.exchange.clock.now());
  const trigger =
    moved === null || !order.trigger ? order.trigger : { price: moved, rises: moved > last };
  const extras = trigger
    ? { ...order.extras, ...prices('tgt', { trigger: trigger.price, limit }) }
    : order.extras;
  parts.orders.modify(order.orderId, { quantity, limit, trigger, extras });
  return primarySuccess({ order_id: order.orderId, order_status: 'MODIFIED' });
}

/** Orders that wait at the broker for a price. */
export function smartRoutes(parts: PrimaryParts): Route[] {
  const post = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'POST',
    pattern,
    category: 'order',
    run,
  });
  return [
    post('/smart/order', (call) => place(parts, call)),
    post('/smart/order/modify', (call) => modify(parts, call)),
    post('/smart/order/cancel', (call) => cancelOrder(parts, call, 'smart')),
  ];
}
