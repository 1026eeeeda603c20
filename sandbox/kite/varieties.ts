import type { ManagedOrder } from '../exchange/managed-order.ts';
import { isFinal } from '../exchange/managed-order.ts';
import type { Side } from '../exchange/instrument.ts';
import { protectedLimit } from './order-prices.ts';
import { type KiteParts, riskRefusal } from './place.ts';
import { badInput } from './refusal.ts';
import { icebergOf } from './variety-fields.ts';

/** Once the first leg of a cover order is complete, places its stop at the exchange. */
export function placeSecondLegs(parts: KiteParts): void {
  const { orders, exchange } = parts;
  orders.onChange((order, cause) => {
    const stop = order.extras['stop'];
    if (cause !== 'fill' || order.phase !== 'complete' || typeof stop !== 'number') return;
    const side: Side = order.side === 'BUY' ? 'SELL' : 'BUY';
    orders.place({
      ...ticketOf(order),
      side,
      orderType: 'SL-M',
      limit: protectedLimit(exchange, order.instrument, side, -1, stop),
      trigger: { price: stop, rises: side === 'BUY' },
      receipt: null,
      lateMs: 0,
      extras: {
        variety: 'co',
        product: 'CO',
        price: 0,
        market_protection: -1,
        parent_order_id: order.orderId,
      },
    });
  });
}

/** Once a leg of an iceberg is complete, places the next one, as an order of its own. */
export function placeNextLegs(parts: KiteParts): void {
  const { orders } = parts;
  orders.onChange((order, cause) => {
    const iceberg = icebergOf(order.extras);
    if (cause !== 'fill' || order.phase !== 'complete' || iceberg === null) return;
    const { leg_quantity: size, remaining_quantity: left } = iceberg;
    if (left <= 0) return;
    const quantity = Math.min(size, left);
    const next = { ...iceberg, leg: iceberg.leg + 1, remaining_quantity: left - quantity };
    const { side, orderType, validity, limit, trigger, extras } = order;
    const placed = orders.place({
      ...{ ...ticketOf(order), side, quantity, orderType, validity, limit, trigger },
      ...{ refusal: riskRefusal(parts, { ...order, quantity }), receipt: null, lateMs: 0 },
      extras: { ...extras, meta: { iceberg: next } },
    });
    const minutes = extras['validity_ttl'];
    if (typeof minutes === 'number') endLater(parts, placed.orderId, minutes);
  });
}

function ticketOf(order: ManagedOrder) {
  const { instrument, quantity, product, placedBy, tag } = order;
  return {
    instrument,
    quantity,
    product,
    placedBy,
    tag,
    validity: 'DAY' as const,
    remarks: null,
    afterMarket: false,
    refusal: null,
  };
}

/**
 * A second leg is not cancelled but exited: it becomes a market order. True when the order was one.
 */
export function exitSecondLeg(
  parts: KiteParts,
  order: ManagedOrder,
  parent: string | null,
): boolean {
  const owner = order.extras['parent_order_id'];
  if (typeof owner !== 'string') return false;
  if (parent !== owner) throw badInput('Invalid `parent_order_id`.');
  const { exchange, orders } = parts;
  const last = exchange.prices.last(order.instrument, exchange.clock.now());
  const limit = protectedLimit(exchange, order.instrument, order.side, -1, last);
  orders.modify(order.orderId, { trigger: null, limit, orderType: 'MARKET' });
  return true;
}

export function endLater(parts: KiteParts, orderId: string, minutes: number): void {
  parts.exchange.clock.after(minutes * 60_000, () => {
    const order = parts.orders.find(orderId);
    if (order && !isFinal(order.phase)) parts.orders.cancel(orderId);
  });
}
