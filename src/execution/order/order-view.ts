import type { OrderResponse } from '../../domain/order.ts';
import { absentSinceOf, bindingOf, fillOf, reasonOf, statusOf, type OrderRecord } from './order.ts';

/** An order of ours as callers see it. */
export function orderResponse(order: OrderRecord): OrderResponse {
  const { terms } = order;
  const binding = bindingOf(order);
  const { filledQuantity, averagePrice, fillPriceSource } = fillOf(order);
  return {
    id: order.id,
    clientOrderId: order.idempotencyKey,
    broker: order.broker,
    mode: order.mode,
    brokerOrderId: binding?.brokerOrderId ?? null,
    exchangeOrderId: binding?.exchangeOrderId ?? null,
    ...terms,
    filledQuantity,
    remainingQuantity: filledQuantity === null ? null : terms.quantity - filledQuantity,
    averagePrice,
    fillPriceSource,
    status: statusOf(order),
    reason: reasonOf(order),
    tag: order.callerTag,
    boundBy: binding?.by ?? null,
    absentSince: absentSinceOf(order),
    parentId: order.parentId,
    external: false,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}
