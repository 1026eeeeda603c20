import type { OrderResponse } from '../domain/order.ts';
import type { OrderRecord } from './records.ts';

/** An order of ours as callers see it. */
export function orderResponse(order: OrderRecord): OrderResponse {
  const { terms, filledQuantity } = order;
  return {
    id: order.id,
    clientOrderId: order.idempotencyKey,
    broker: order.broker,
    mode: order.mode,
    brokerOrderId: order.brokerOrderId,
    exchangeOrderId: order.exchangeOrderId,
    ...terms,
    filledQuantity,
    remainingQuantity: filledQuantity === null ? null : terms.quantity - filledQuantity,
    averagePrice: order.averagePrice,
    fillPriceSource: order.fillPriceSource,
    status: order.status,
    reason: order.reason,
    tag: order.callerTag,
    boundBy: order.boundBy,
    absentSince: order.absentSince,
    parentId: order.parentId,
    external: false,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}
