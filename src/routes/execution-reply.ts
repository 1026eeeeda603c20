import type { ProblemFields } from '../domain/problem.ts';
import type { ExecutionResult } from '../router/gateway.ts';
import { json, problem, type Reply } from './define-route.ts';
import { success } from './envelope.ts';
import { orderView } from './order-view.ts';

/**
 * The reply to a request to place an order (docs/orders.md). An open outcome is handled first:
 * while it is open, no reply says that the order was not placed.
 */
export function placedReply(result: ExecutionResult): Reply {
  const headers = {
    ...replayHeaders(result),
    Location: `/api/v1/orders/${encodeURIComponent(result.order.id)}`,
  };
  const { order } = result;
  if (isOpen(result)) return json(202, orderBody(result), headers);
  if (order.status === 'rejected') {
    const detail = order.reason ?? 'The broker refused the order; it was not placed.';
    return problem(422, closed('order_refused', detail, result), headers);
  }
  if (order.status === 'not_sent') {
    const detail = order.reason ?? 'The order was not sent to any broker.';
    return problem(503, closed('order_not_sent', detail, result), headers);
  }
  return json(201, orderBody(result), headers);
}

/** The reply to a cancel or a modification: the order in its present state. */
export function changedReply(result: ExecutionResult): Reply {
  return json(isOpen(result) ? 202 : 200, orderBody(result), replayHeaders(result));
}

function isOpen({ order, settled }: ExecutionResult): boolean {
  return !settled || order.status === 'uncertain' || order.status === 'disputed';
}

function orderBody({ order }: ExecutionResult) {
  return success(orderView(order), { meta: { broker: order.broker, mode: order.mode } });
}

function replayHeaders(result: ExecutionResult): Record<string, string> {
  return {
    'Idempotency-Key': result.idempotencyKey,
    ...(result.repeated ? { 'Idempotent-Replayed': 'true' } : {}),
  };
}

function closed(
  code: 'order_refused' | 'order_not_sent',
  detail: string,
  { order }: ExecutionResult,
): ProblemFields {
  return {
    code,
    detail,
    broker: order.broker,
    mayHaveExecuted: false,
    retrySafe: true,
    extra: { order },
  };
}
