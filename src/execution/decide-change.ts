import { tradingDay } from '../domain/ist.ts';
import type { OrderModification } from '../domain/order.ts';
import { isFinal } from '../domain/order-status.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Decision } from '../platform/single-writer.ts';
import { Draft } from './draft.ts';
import { killSwitchOf } from './kill-switch.ts';
import { lastBookDay } from './order-day.ts';
import type { AttemptRecord, Change, OrderRecord } from './records.ts';
import { attemptsOfOrder, type ExecutionState } from './state.ts';
import { trueOwner } from './wrong-ids.ts';

export interface ChangeCommand {
  readonly orderId: string;
  readonly attemptId: string;
  /** Null cancels. */
  readonly changes: OrderModification | null;
  readonly at: number;
}

export type ChangeReply =
  /** On disk; the request may leave now. */
  | { readonly kind: 'sending'; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  /** A cancel of an order that is not bound yet: sent when it is. */
  | { readonly kind: 'kept'; readonly order: OrderRecord }
  /** A request of the same kind is on its way. */
  | { readonly kind: 'under_way'; readonly order: OrderRecord }
  | { readonly kind: 'impossible'; readonly order: OrderRecord; readonly reason: string };

/** Brokers refuse more (docs/spec/kite-limits.md, docs/spec/primary-brokerage.md). */
const MOST_MODIFICATIONS = 25;

/** Decides that a cancel or a modification goes out, before its first byte does. */
export function decideChange(
  state: ExecutionState,
  command: ChangeCommand,
): Decision<Change, ChangeReply> {
  const order = state.orders.get(command.orderId)!;
  const kind = command.changes === null ? 'cancel' : 'modify';
  const impossible = (reason: string): Decision<Change, ChangeReply> => ({
    changes: [],
    reply: { kind: 'impossible', order, reason },
  });
  if (isFinal(order.status)) return impossible(`the order is ${order.status}`);
  if (order.brokerOrderId === null) {
    if (kind === 'modify')
      return impossible(`the order is ${order.status}, and not known at the broker yet`);
    if (order.status === 'disputed') return impossible('the order is disputed: resolve it first');
    return keepCancel(state, order, command.at);
  }
  const owner = trueOwner(state, order);
  if (owner !== null) {
    return impossible(`${order.brokerOrderId} at the broker carries the tag of order ${owner}`);
  }
  if (order.status === 'disputed' && lastBookDay(order) < tradingDay(command.at)) {
    return impossible(`its day is over: ${order.brokerOrderId} means nothing to the broker now`);
  }
  const more = command.changes?.quantity ?? 0;
  if (killSwitchOf(state)?.thrown && more > order.terms.quantity) {
    return impossible('the kill switch is thrown: a quantity can be lowered, not raised');
  }
  const attempts = attemptsOfOrder(state, order.id);
  const modified = attempts.filter(
    (attempt) => attempt.kind === 'modify' && attempt.state !== 'not_sent',
  );
  if (kind === 'modify' && modified.length >= MOST_MODIFICATIONS) {
    return impossible(`an order can be modified ${MOST_MODIFICATIONS} times`);
  }
  const underWay = attempts.some((attempt) => attempt.kind === kind && attempt.state === 'sending');
  if (underWay) return { changes: [], reply: { kind: 'under_way', order } };
  const draft = new Draft(state, command.at);
  const attempt: AttemptRecord = {
    id: command.attemptId,
    orderId: order.id,
    kind,
    broker: order.broker,
    day: tradingDay(command.at),
    state: 'sending',
    tag: null,
    tagSent: false,
    fingerprint: null,
    baseline: null,
    changes: command.changes,
    sentAt: command.at,
    settledAt: null,
    detail: null,
  };
  draft.putAttempt(attempt);
  return { changes: draft.changes, reply: { kind: 'sending', order, attempt } };
}

function keepCancel(
  state: ExecutionState,
  order: OrderRecord,
  at: number,
): Decision<Change, ChangeReply> {
  if (order.cancelWanted) return { changes: [], reply: { kind: 'kept', order } };
  const draft = new Draft(state, at);
  const kept = { ...order, cancelWanted: true };
  draft.putOrder(kept);
  return { changes: draft.changes, reply: { kind: 'kept', order: kept } };
}

/**
 * What came of a cancel or a modification. Whatever it is, the order's own state is left to the
 * broker's row: a cancel races a fill, and its answer proves neither.
 */
export function decideChanged(
  state: ExecutionState,
  command: { attemptId: string; outcome: Outcome; at: number },
): Decision<Change, OrderRecord> {
  const { outcome, at } = command;
  const draft = new Draft(state, at);
  const attempt = state.attempts.get(command.attemptId)!;
  const order = state.orders.get(attempt.orderId)!;
  const detail = outcome.kind === 'acknowledged' ? null : outcome.reason;
  draft.putAttempt({ ...attempt, state: outcome.kind, settledAt: at, detail });
  draft.event('order.attempt', order.id, { kind: attempt.kind, outcome: outcome.kind, detail });
  if (attempt.kind === 'cancel') {
    const cancelWanted = staysWanted(order, outcome);
    if (cancelWanted !== order.cancelWanted) draft.putOrder({ ...order, cancelWanted });
  }
  return { changes: draft.changes, reply: draft.order(order.id)! };
}

/** Whether the order is to be cancelled still, after what came of a cancel of it. */
function staysWanted({ status, cancelWanted }: OrderRecord, outcome: Outcome): boolean {
  if (outcome.kind === 'acknowledged') return false;
  if (outcome.kind !== 'refused') return cancelWanted;
  if (!isPassing(outcome)) return false;
  // The broker is still at the order, and would forget the wish: it is kept here.
  const open = !isFinal(status) && status !== 'disputed';
  return cancelWanted || (outcome.pending === true && open);
}

/** A refusal of the moment: a kept cancel is tried again. */
function isPassing(outcome: Extract<Outcome, { kind: 'refused' }>): boolean {
  const { pending, rejection } = outcome;
  return pending === true || rejection === 'rate_limited' || rejection === 'auth';
}

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Whether a kept cancel goes out now: at once the first time, then 1, 2, 4 … seconds after the last
 * one was answered, at most a minute: every request counts against the broker's limits, refused or not.
 */
export function isKeptCancelDue(state: ExecutionState, orderId: string, at: number): boolean {
  const order = state.orders.get(orderId)!;
  if (!order.cancelWanted || order.brokerOrderId === null) return false;
  const cancels = attemptsOfOrder(state, orderId).filter(({ kind }) => kind === 'cancel');
  if (cancels.some((attempt) => attempt.state === 'sending')) return false;
  const last = cancels.at(-1);
  if (last === undefined) return true;
  const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** cancels.length);
  const passed = at - (last.settledAt ?? last.sentAt);
  // A clock that was put back since has no say in it: once, as the next one is of the new time.
  return passed >= pause || passed < 0;
}

/** An order whose status nobody declared for too long is cancelled, and read again. */
export function decideUnrecognised(
  state: ExecutionState,
  command: { olderThan: number; broker: string; at: number },
): Decision<Change, number> {
  const draft = new Draft(state, command.at);
  for (const orderId of state.watched) {
    const order = state.orders.get(orderId)!;
    if (order.broker !== command.broker || order.cancelWanted) continue;
    if (order.unrecognisedSince === null || order.unrecognisedSince > command.olderThan) continue;
    // Once for each status: an order that outlives its cancel is not cancelled every second.
    const tried = attemptsOfOrder(state, orderId).some(
      (attempt) => attempt.kind === 'cancel' && attempt.sentAt >= order.unrecognisedSince!,
    );
    if (!tried) draft.putOrder({ ...order, cancelWanted: true });
  }
  return { changes: draft.changes, reply: draft.changes.length };
}
