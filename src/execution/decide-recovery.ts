import { tradingDay } from '../domain/ist.ts';
import { isFinal } from '../domain/order-status.ts';
import type { Decision } from '../platform/single-writer.ts';
import { Draft } from './draft.ts';
import { lastBookDay } from './order-day.ts';
import type { Change } from './records.ts';
import { isSliced, type ExecutionState } from './state.ts';

/**
 * What a crash leaves behind: every attempt found `sending` is uncertain, whatever it was; an order
 * between two brokers was sent to none.
 */
export function decideRecovery(
  state: ExecutionState,
  command: { at: number },
): Decision<Change, number> {
  const draft = new Draft(state, command.at);
  const detail = 'the gateway stopped while the request was on its way';
  for (const attempt of state.attempts.values()) {
    if (attempt.state !== 'sending') continue;
    draft.putAttempt({ ...attempt, state: 'uncertain', settledAt: command.at, detail });
    const order = state.orders.get(attempt.orderId);
    if (attempt.kind === 'place' && order?.status === 'sending') {
      draft.putOrder({ ...order, status: 'uncertain', reason: detail });
    }
  }
  for (const order of state.orders.values()) {
    if (order.status !== 'accepted' || isSliced(state, order.id)) continue;
    const reason = order.reason ?? 'the gateway stopped before the order was sent';
    draft.putOrder({ ...order, status: 'not_sent', reason, filledQuantity: 0 });
  }
  return { changes: draft.changes, reply: draft.changes.length };
}

/**
 * A day's book is gone at 06:00: what it has not told by then is for a person to look at. A status
 * or a fill that can no longer be read is not guessed.
 */
export function decideDayOver(
  state: ExecutionState,
  command: { broker: string; at: number },
): Decision<Change, number> {
  const draft = new Draft(state, command.at);
  const today = tradingDay(command.at);
  for (const orderId of state.watched) {
    const order = state.orders.get(orderId)!;
    if (order.broker !== command.broker || lastBookDay(order) >= today) continue;
    if (order.calledAbsent !== null) {
      // Its book is gone without it: the day agrees with the person.
      draft.putOrder({ ...order, calledAbsent: { ...order.calledAbsent, by: 'close' } });
      continue;
    }
    const reason = isFinal(order.status)
      ? `not every fill was read before the book of ${lastBookDay(order)} was gone`
      : `still ${order.status} when the book of ${lastBookDay(order)} was gone`;
    draft.putOrder({ ...order, status: 'disputed', reason, cancelWanted: false });
    draft.alert('critical', orderId, `order ${orderId} is disputed: ${reason}`);
  }
  return { changes: draft.changes, reply: draft.changes.length };
}
