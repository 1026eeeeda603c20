import type { BrokerId, Mode } from '../domain/broker.ts';
import { type BrokerOrder, externalId } from '../domain/broker-order.ts';
import {
  type OrderResponse,
  type OrderStatus,
  reasonOfEnd,
  remainingQuantityOf,
} from '../domain/order.ts';
import type { BrokerOrderId, EpochMs, TriggerId } from '../units/branded.ts';

export interface ExternalName {
  readonly broker: BrokerId;
  readonly brokerOrderId: BrokerOrderId;
}

/** What the id of an order placed elsewhere names; null for the id of an order of ours. */
export function externalName(id: string): ExternalName | null {
  const colon = id.indexOf(':');
  if (colon < 0) return null;
  return { broker: id.slice(0, colon), brokerOrderId: id.slice(colon + 1) };
}

/**
 * A row of the book that is not one of our orders, as callers see it. Enum values that the gateway
 * does not know stay as the broker wrote them. `createdAt` (epoch ms) is the time under which it is
 * listed; `triggeredBy` the trigger of the gateway that has placed it.
 */
export function externalOrder(
  { broker, mode }: { readonly broker: BrokerId; readonly mode: Mode },
  row: BrokerOrder,
  createdAt: EpochMs,
  triggeredBy: TriggerId | null = null,
): OrderResponse {
  const { filledQuantity, quantity } = row;
  const status = externalStatus(row);
  return {
    id: externalId(broker, row.brokerOrderId),
    clientOrderId: null,
    broker,
    mode,
    brokerOrderId: row.brokerOrderId,
    exchangeOrderId: row.exchangeOrderId,
    instrument: row.instrument,
    side: row.side,
    quantity,
    orderType: row.orderType,
    product: row.product,
    validity: row.validity,
    price: row.price,
    triggerPrice: row.triggerPrice,
    amo: false,
    filledQuantity,
    remainingQuantity: remainingQuantityOf(status, quantity, filledQuantity),
    averagePrice: row.averagePrice,
    fillPriceSource: row.averagePrice === null ? null : 'order_row',
    status,
    reason: row.reason ?? reasonOfEnd(status, row.rawStatus),
    tag: row.tags[0] ?? null,
    boundBy: null,
    absentSince: null,
    parentId: null,
    external: true,
    ...(triggeredBy === null ? {} : { triggeredBy }),
    ...{ brokerTags: row.tags, brokerStatus: row.rawStatus },
    createdAt,
    updatedAt: row.updatedAt ?? row.createdAt ?? createdAt,
  };
}

/**
 * An unrecognised status is read as working, and an order whose whole quantity has traded as filled,
 * whatever its status (docs/spec/statuses.md).
 */
export function externalStatus(row: BrokerOrder): OrderStatus {
  if (row.quantity > 0 && (row.filledQuantity ?? 0) >= row.quantity) return 'filled';
  return row.status === 'unrecognised' ? 'working' : row.status;
}
