import type { OrderModification, OrderRequest, OrderResponse, Product } from '../domain/order.ts';
import { isFinal, PRODUCTS, SIDES, type Side } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import {
  isWordOfWaiting,
  type OwnTriggerStatus,
  type TriggerChangeStatus,
  type TriggerLegTerms,
  type TriggerRequest,
  type TriggerResponse,
} from '../domain/trigger.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { ExecutionResult } from './gateway.ts';
import type { TriggerCallResult, TriggerModification } from './triggers.ts';

/**
 * Triggers of a broker whose triggers are orders of its book: a smart order is an SL order of the gateway, with
 * all that the gateway does for orders (docs/triggers.md, "At the primary brokerage").
 */

/** Throws `not_supported` for a pair: the broker takes one only beside the order that opens the position. */
export function orderOfTrigger(
  { instrument, legs, mode }: TriggerRequest,
  broker: BrokerId,
): OrderRequest {
  const [leg, second] = legs;
  if (second !== undefined) {
    throw new GatewayProblem({
      code: 'not_supported',
      detail:
        `${broker} takes a pair only together with the order that opens the position, so it is not offered: ` +
        'send two triggers of one leg, and delete the other once one has triggered',
      broker,
      mayHaveExecuted: false,
    });
  }
  return { ...stopOf(leg), instrument, broker, mode };
}

const stopOf = (leg: TriggerLegTerms): Omit<OrderRequest, 'instrument' | 'broker' | 'mode'> => ({
  ...{ ...leg, orderType: 'SL', validity: 'DAY', amo: false, tag: null },
});

/** An order that no trigger was made as: it tells whether the key has made one. */
export const orderForKey = ({ instrument, legs, mode, broker }: TriggerRequest): OrderRequest => ({
  ...{ ...stopOf(legs[0]), instrument, broker, mode },
  ...(legs.length === 1 ? {} : { orderType: 'SL-M' as const }),
});

export function modificationOfTrigger({ legs }: TriggerModification): OrderModification {
  const [leg, second] = legs;
  if (leg === undefined || second !== undefined) {
    const detail = 'legs has one entry for each leg: this trigger has one leg';
    throw new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
  }
  return { ...leg, orderType: null, validity: null };
}

/** An SL order as the trigger that it is. Throws `unknown_trigger` for any other order. */
export function triggerOfOrder(order: OrderResponse): TriggerResponse {
  const { id, broker, mode, instrument, quantity, price, triggerPrice } = order;
  const [side, product] = [sideOf(order.side), productOf(order.product)];
  const isStop = order.orderType === 'SL' && price !== null && triggerPrice !== null;
  if (!isStop || side === null || product === null || order.external) {
    throw new GatewayProblem({
      code: 'unknown_trigger',
      detail: `Order ${id} is no trigger of the gateway.`,
    });
  }
  const status = statusOf(order);
  const brokerOrderId = status === 'triggered' ? order.brokerOrderId : null;
  const leg = { triggerPrice, side, quantity, product, price, brokerOrderId };
  return {
    ...{ id, clientOrderId: order.clientOrderId ?? '', broker, mode, instrument, status },
    reason: order.reason,
    triggerId: order.brokerOrderId,
    rawStatus: order.brokerStatus ?? null,
    legs: [
      {
        ...{ ...leg, reason: status === 'triggered' ? order.reason : null },
        filledQuantity: status === 'triggered' ? order.filledQuantity : null,
        averagePrice: status === 'triggered' ? order.averagePrice : null,
      },
    ],
    candidates: [],
    deleteWanted: false,
    ...{ createdAt: order.createdAt, updatedAt: order.updatedAt, expiresAt: null },
  };
}

const sideOf = (text: string): Side | null => SIDES.find((each) => each === text) ?? null;
const productOf = (text: string): Product | null => PRODUCTS.find((each) => each === text) ?? null;

function statusOf(order: OrderResponse): OwnTriggerStatus {
  const { status, filledQuantity, exchangeOrderId, brokerStatus } = order;
  switch (status) {
    case 'accepted':
    case 'sending':
      return 'sending';
    case 'uncertain':
    case 'disputed':
      return 'uncertain';
    case 'not_sent':
      return 'not_sent';
    case 'filled':
    case 'partial':
      return 'triggered';
    case 'cancelled':
      return 'ended';
    case 'rejected':
      return order.brokerOrderId === null ? 'refused' : 'ended';
    default: {
      if ((filledQuantity ?? 0) > 0) return 'triggered';
      const waits = exchangeOrderId === null || isWordOfWaiting(brokerStatus ?? '');
      return waits ? 'waiting' : 'triggered';
    }
  }
}

/** What became of a request about such an order, as a caller of triggers sees it. */
export function triggerCallResult(
  { order, idempotencyKey, repeated, settled, onDisk }: ExecutionResult,
  kind: 'place' | 'change' | 'delete',
): TriggerCallResult {
  const change: TriggerChangeStatus = settled || isFinal(order.status) ? 'taken' : 'uncertain';
  const trigger = triggerOfOrder(order);
  // The row of one that is being cancelled looks like that of one whose order is at the exchange.
  const isLeaving = kind === 'delete' && !isFinal(order.status) && !settled;
  return {
    trigger: isLeaving ? { ...trigger, deleteWanted: true } : trigger,
    ...{ idempotencyKey: idempotencyKey ?? trigger.clientOrderId, repeated },
    change: kind === 'place' ? null : { status: change, reason: null },
    ...(onDisk === false ? { onDisk } : {}),
  };
}
