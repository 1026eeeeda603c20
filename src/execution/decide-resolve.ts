import { GatewayProblem } from '../domain/problem.ts';
import type { Decision } from '../platform/single-writer.ts';
import { Draft } from './draft.ts';
import { bookDays } from './order-day.ts';
import { bindOrder } from './binding.ts';
import type { AttemptRecord, Change, OrderRecord } from './records.ts';
import { attemptsOfOrder, isSliced, type ExecutionState } from './state.ts';

export type PersonsWord =
  { readonly kind: 'placed'; readonly brokerOrderId: string } | { readonly kind: 'absent' };

/**
 * Takes a person's word on an order that is uncertain or disputed. Throws `order_state` where there
 * is nothing for a person to say, and where the word contradicts what is known.
 */
export function decideResolve(
  state: ExecutionState,
  command: { orderId: string; word: PersonsWord; at: number },
): Decision<Change, OrderRecord> {
  const order = state.orders.get(command.orderId)!;
  const refuse = (detail: string): never => {
    throw new GatewayProblem({ code: 'order_state', detail, broker: order.broker });
  };
  if (order.status !== 'uncertain' && order.status !== 'disputed') {
    refuse(`the order is ${order.status}: nothing about it is open`);
  }
  if (isSliced(state, order.id)) {
    refuse('the order went out in slices: each is settled under its own id');
  }
  const attempt = attemptsOfOrder(state, order.id).findLast(
    (each) => each.kind === 'place' && each.state !== 'refused' && each.state !== 'not_sent',
  );
  if (!attempt || order.brokerOrderId !== null)
    return refuse('the order is bound to one at the broker already');
  const draft = new Draft(state, command.at);
  const { word } = command;
  if (word.kind === 'absent') callAbsent(draft, order, attempt);
  else bindByWord(draft, order, attempt, word.brokerOrderId, refuse);
  return { changes: draft.changes, reply: draft.order(order.id)! };
}

function callAbsent(draft: Draft, order: OrderRecord, attempt: AttemptRecord): void {
  draft.putAttempt({ ...attempt, state: 'absent', settledAt: draft.at });
  draft.putOrder({
    ...order,
    status: 'rejected',
    reason: 'absent: a person has looked, and said so',
    filledQuantity: 0,
    calledAbsent: { by: 'person', at: draft.at },
    cancelWanted: false,
  });
}

function bindByWord(
  draft: Draft,
  order: OrderRecord,
  attempt: AttemptRecord,
  brokerOrderId: string,
  refuse: (detail: string) => never,
): void {
  const seen = [...new Set([attempt.day, ...bookDays(order)])].flatMap(
    (day) => draft.seen(attempt.broker, day, brokerOrderId) ?? [],
  );
  if (seen.length === 0)
    return refuse(`${attempt.broker} has shown no order ${brokerOrderId} on ${attempt.day}`);
  const other = seen.find(({ orderId }) => orderId !== null && orderId !== order.id);
  if (other) refuse(`order ${brokerOrderId} is that of ${other.orderId}`);
  draft.putAttempt({ ...attempt, state: 'acknowledged', settledAt: draft.at });
  for (const each of seen) draft.putSeen({ ...each, orderId: order.id });
  bindOrder(draft, order, brokerOrderId, 'person');
}
