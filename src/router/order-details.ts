import type { OrderResponse } from '../domain/order.ts';
import type { Execution } from '../execution/execution.ts';

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
