import { z } from 'zod';
import { istIso } from '../domain/ist.ts';
import { ORDER_STATUSES } from '../domain/order-status.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { OrderFill } from '../router/gateway.ts';
import { answeringBroker, answeringMode } from './envelope.ts';
import { isoOrNull, time } from './time.ts';

const count = z.int().nonnegative();
const rupees = z.number();

/**
 * An order as callers see it. Enum values that the gateway does not know stay as the broker wrote
 * them.
 */
export const orderSchema = z
  .object({
    id: z.string(),
    clientOrderId: z.string().nullable(),
    broker: answeringBroker,
    mode: answeringMode,
    brokerOrderId: z.string().nullable(),
    exchangeOrderId: z.string().nullable(),
    instrument: z.string(),
    side: z.string(),
    quantity: count,
    filledQuantity: count.nullable().meta({ description: 'Null while unknown' }),
    remainingQuantity: count.nullable(),
    averagePrice: rupees.nullable(),
    fillPriceSource: z
      .enum(['trades', 'order_row', 'trade_book', 'average', 'estimate'])
      .nullable(),
    orderType: z.string(),
    product: z.string(),
    validity: z.string(),
    price: rupees.nullable(),
    triggerPrice: rupees.nullable(),
    amo: z.boolean(),
    status: z.enum(ORDER_STATUSES),
    reason: z.string().nullable(),
    tag: z
      .string()
      .nullable()
      .meta({ description: 'The caller’s own label; it is not sent to ' + 'the broker' }),
    boundBy: z.enum(['id', 'tag', 'fingerprint', 'person']).nullable().meta({
      description:
        'How the gateway matched the broker’s row; `tag` is the one that the gateway sends',
    }),
    absentSince: time.nullable(),
    parentId: z.string().nullable().meta({
      description: 'The order that this one is a slice of; null for an order that is not a slice',
    }),
    external: z.boolean().meta({ description: 'True for orders that the gateway did not place' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Order' });

export const fillSchema = z
  .object({ id: z.string(), orderId: z.string(), quantity: count, price: rupees, at: time })
  .meta({ id: 'Fill' });

/** Field by field, so that a field added to the internal order is not published by accident. */
export function orderView(order: OrderResponse): z.output<typeof orderSchema> {
  return {
    id: order.id,
    clientOrderId: order.clientOrderId,
    broker: order.broker,
    mode: order.mode,
    brokerOrderId: order.brokerOrderId,
    exchangeOrderId: order.exchangeOrderId,
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    remainingQuantity: order.remainingQuantity,
    averagePrice: order.averagePrice,
    fillPriceSource: order.fillPriceSource,
    orderType: order.orderType,
    product: order.product,
    validity: order.validity,
    price: order.price,
    triggerPrice: order.triggerPrice,
    amo: order.amo,
    status: order.status,
    reason: order.reason,
    tag: order.tag,
    boundBy: order.boundBy,
    absentSince: isoOrNull(order.absentSince),
    parentId: order.parentId,
    external: order.external,
    createdAt: istIso(order.createdAt),
    updatedAt: istIso(order.updatedAt),
  };
}

export function fillView(fill: OrderFill): z.output<typeof fillSchema> {
  return {
    id: fill.id,
    orderId: fill.orderId,
    quantity: fill.quantity,
    price: fill.price,
    at: istIso(fill.at),
  };
}
