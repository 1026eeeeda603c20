import { type OrderResponse, reasonOfEnd, remainingQuantityOf } from '../../domain/order.ts';
import { absentSinceOf, bindingOf, fillOf, type OrderRecord, reasonOf, statusOf } from './order.ts';

/** An order of ours as callers see it. */
export function orderResponse(order: OrderRecord): OrderResponse {
  const { terms } = order;
  const binding = bindingOf(order);
  const status = statusOf(order);
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
    remainingQuantity: remainingQuantityOf(status, terms.quantity, filledQuantity),
    averagePrice,
    fillPriceSource,
    status,
    reason: reasonOf(order) ?? reasonOfEnd(status, binding?.row?.rawStatus),
    tag: order.callerTag,
    boundBy: binding?.by ?? null,
    absentSince: absentSinceOf(order),
    parentId: order.parentId,
    external: false,
    ...(binding?.row ? { brokerTags: binding.row.tags, brokerStatus: binding.row.rawStatus } : {}),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}
