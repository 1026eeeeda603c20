import { tradingDay } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import type { Execution } from '../execution/execution.ts';
import type { OrderRecord } from '../execution/order/order.ts';
import type { Clock } from '../platform/clock.ts';
import { shownOrder } from './shown-order.ts';

/**
 * Adds to an order what the last book of its broker tells besides, where the book has it: of today, and of
 * the same instrument, since a broker may use an id twice.
 */
export function withDetails(
  order: OrderResponse,
  { poller }: Pick<Execution, 'poller'>,
): OrderResponse {
  const { broker, brokerOrderId, instrument, external } = order;
  if (brokerOrderId === null) return order;
  const details = poller(broker)?.trading.details?.(brokerOrderId) ?? null;
  if (details === null || details.instrument !== instrument) return order;
  return { ...order, details, ...(external ? { amo: details.amo === true } : {}) };
}

export interface AnswerParts {
  readonly execution: Execution;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * An order of ours with these details, as every answer about one order has it: a caller that reads the answer to its
 * change must not find null where `GET /orders/{id}` has a value.
 */
export const answeredOrder = (
  { execution, clock }: AnswerParts,
  order: OrderRecord,
): OrderResponse => shownToday({ execution, clock }, shownOrder(execution, order));

/** The last book tells nothing of an order of an earlier day, whose id may be another's by now. */
export function shownToday({ execution, clock }: AnswerParts, order: OrderResponse): OrderResponse {
  const isOfToday = tradingDay(order.createdAt) === tradingDay(clock.now());
  return isOfToday || order.external ? withDetails(order, execution) : order;
}
