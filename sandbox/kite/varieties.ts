import type { DeskOrder } from '../exchange/desk-order.ts';
import { isFinal } from '../exchange/desk-order.ts';
import type { Side } from '../exchange/instrument.ts';
import { protectedLimit } from './order-prices.ts';
import type { KiteDesk } from './place.ts';
import { badInput } from './refusal.ts';

/** Once the first leg of a cover order is complete, its stop stands at the exchange. */
export function placeSecondLegs(parts: KiteDesk): void {
  const { desk, exchange } = parts;
  desk.onChange((order, cause) => {
    const stop = order.extras['stop'];
    if (cause !== 'fill' || order.phase !== 'complete' || typeof stop !== 'number') return;
    const side: Side = order.side === 'BUY' ? 'SELL' : 'BUY';
    desk.place({
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

function ticketOf(order: DeskOrder) {
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

/** A second leg is not taken away but exited: it goes to the market now. True when it was one. */
export function exitSecondLeg(parts: KiteDesk, order: DeskOrder, parent: string | null): boolean {
  const owner = order.extras['parent_order_id'];
  if (typeof owner !== 'string') return false;
  if (parent !== owner) throw badInput('Invalid `parent_order_id`.');
  const { exchange, desk } = parts;
  const last = exchange.prices.last(order.instrument, exchange.clock.now());
  const limit = protectedLimit(exchange, order.instrument, order.side, -1, last);
  desk.modify(order.orderId, { trigger: null, limit, orderType: 'MARKET' });
  return true;
}

export function endLater(parts: KiteDesk, orderId: string, minutes: number): void {
  parts.exchange.clock.after(minutes * 60_000, () => {
    const order = parts.desk.find(orderId);
    if (order && !isFinal(order.phase)) parts.desk.cancel(orderId);
  });
}
