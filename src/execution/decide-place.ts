import type { BrokerId, Mode } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Segment } from '../domain/instrument.ts';
import type { OrderTerms } from '../domain/order.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Decision } from '../platform/single-writer.ts';
import { Draft } from './draft.ts';
import { fingerprint } from './fingerprint.ts';
import { passesKillSwitch } from './kill-switch.ts';
import { lastBookDay } from './order-day.ts';
import { ownerOf } from './owner.ts';
import { callerKey, type AttemptRecord, type Change, type OrderRecord } from './records.ts';
import type { ExecutionState } from './state.ts';

/** All that one placing needs, gathered before it is decided. */
export interface SendCommand {
  readonly orderId: string;
  readonly attemptId: string;
  readonly tag: string;
  /** Whether the broker is sent the tag. */
  readonly tagSent: boolean;
  readonly caller: string;
  readonly idempotencyKey: string;
  readonly requestHash: string;
  readonly callerTag: string | null;
  readonly terms: OrderTerms;
  readonly scripCode: string | null;
  readonly segment: Segment;
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** Ids in the broker's book before the send; null where rows carry our tag. */
  readonly baseline: readonly string[] | null;
  readonly at: number;
}

export type SendReply =
  /** On disk; the request may leave now. */
  | { readonly kind: 'sending'; readonly order: OrderRecord; readonly attempt: AttemptRecord }
  /** The key has made an order before. */
  | { readonly kind: 'known'; readonly order: OrderRecord }
  /** Another order like it is open at a broker without tags: it has to wait. */
  | { readonly kind: 'lane_busy' }
  | { readonly kind: 'kill_switch'; readonly reason: string }
  /** It was cancelled while another broker was being tried. */
  | { readonly kind: 'cancelled' };

/**
 * Decides that a request goes out, before its first byte does: the order (or the next leg of one
 * that was not sent), its attempt `sending`, tag and baseline.
 */
export function decideSend(
  state: ExecutionState,
  command: SendCommand,
): Decision<Change, SendReply> {
  const known = state.orderByKey.get(callerKey(command.caller, command.idempotencyKey));
  if (known !== undefined && known !== command.orderId) {
    return { changes: [], reply: { kind: 'known', order: state.orders.get(known)! } };
  }
  if (state.orders.get(command.orderId)?.cancelWanted) {
    return { changes: [], reply: { kind: 'cancelled' } };
  }
  const blocked = passesKillSwitch(
    state,
    command.broker,
    command.terms,
    command.orderId,
    command.at,
  );
  if (blocked !== null) return { changes: [], reply: { kind: 'kill_switch', reason: blocked } };
  const print = fingerprint(command.broker, command.terms);
  if (command.baseline !== null && laneHolder(state, print, tradingDay(command.at)) !== null) {
    return { changes: [], reply: { kind: 'lane_busy' } };
  }
  const draft = new Draft(state, command.at);
  const attempt: AttemptRecord = {
    id: command.attemptId,
    orderId: command.orderId,
    kind: 'place',
    broker: command.broker,
    day: tradingDay(command.at),
    state: 'sending',
    tag: command.tag,
    tagSent: command.tagSent,
    fingerprint: print,
    baseline: command.baseline,
    changes: null,
    sentAt: command.at,
    settledAt: null,
    detail: null,
  };
  const before = state.orders.get(command.orderId);
  const order: OrderRecord = before
    ? { ...before, broker: command.broker, mode: command.mode, status: 'sending', reason: null }
    : newOrder(command, attempt.day);
  draft.putOrder(order);
  draft.putAttempt(attempt);
  return { changes: draft.changes, reply: { kind: 'sending', order, attempt } };
}

/** What an order is asked for with; what is sent of it comes later. */
export type OrderCommand = Omit<SendCommand, 'attemptId' | 'tag' | 'tagSent' | 'baseline'>;

export function newOrder(command: OrderCommand, day: string): OrderRecord {
  return {
    id: command.orderId,
    caller: command.caller,
    idempotencyKey: command.idempotencyKey,
    requestHash: command.requestHash,
    parentId: null,
    day,
    terms: command.terms,
    scripCode: command.scripCode,
    segment: command.segment,
    callerTag: command.callerTag,
    broker: command.broker,
    mode: command.mode,
    status: 'sending',
    reason: null,
    filledQuantity: null,
    averagePrice: null,
    fillPriceSource: null,
    brokerOrderId: null,
    exchangeOrderId: null,
    boundBy: null,
    row: null,
    absentSince: null,
    calledAbsent: null,
    cancelWanted: false,
    unrecognisedSince: null,
    createdAt: command.at,
    updatedAt: command.at,
  };
}

/**
 * The order whose placing has the lane of a fingerprint; null when it is free. At most one is open at a
 * time where rows cannot be told apart by tag. A disputed order keeps its lane until a person resolves
 * it, or its day is over and its book gone.
 */
export function laneHolder(state: ExecutionState, print: string, day: string): string | null {
  for (const id of state.openPlaces) {
    const attempt = state.attempts.get(id)!;
    if (attempt.fingerprint !== print) continue;
    // An after-market order is in the next session's book as well.
    const last = lastBookDay(state.orders.get(attempt.orderId)!);
    if (day <= attempt.day || day <= last) return attempt.orderId;
  }
  return null;
}

/** What came of a placing. `last` is false while the route has another broker to try. */
export function decidePlaced(
  state: ExecutionState,
  command: { attemptId: string; outcome: Outcome; last: boolean; at: number },
): Decision<Change, OrderRecord> {
  const { outcome, at } = command;
  const draft = new Draft(state, at);
  const attempt = state.attempts.get(command.attemptId)!;
  const order = state.orders.get(attempt.orderId)!;
  const settled: AttemptRecord = {
    ...attempt,
    state: outcome.kind,
    settledAt: at,
    detail: outcome.kind === 'acknowledged' ? outcome.brokerOrderId : outcome.reason,
    // What resolving alone needs is as long as the book, for every order of the day.
    baseline: outcome.kind === 'uncertain' ? attempt.baseline : null,
  };
  draft.putAttempt(settled);
  switch (outcome.kind) {
    case 'acknowledged':
      bindAcknowledged(draft, order, attempt, outcome.brokerOrderId);
      break;
    case 'refused':
      draft.putOrder({
        ...order,
        status: 'rejected',
        reason: outcome.reason,
        filledQuantity: 0,
        cancelWanted: false,
      });
      // What a price, a limit or a closed market explains is the caller's affair; risk checks are not.
      if (outcome.rejection === 'other' && order.mode === 'live') {
        const { side, quantity, instrument } = order.terms;
        const what = `${side} ${quantity} ${instrument}`;
        draft.alert('warning', order.id, `${what} was refused: ${outcome.reason}`);
      }
      break;
    case 'not_sent':
      draft.putOrder(
        command.last
          ? {
              ...order,
              status: 'not_sent',
              reason: outcome.reason,
              filledQuantity: 0,
              cancelWanted: false,
            }
          : { ...order, status: 'accepted', reason: outcome.reason },
      );
      break;
    case 'uncertain':
      draft.putOrder({ ...order, status: 'uncertain', reason: outcome.reason });
      draft.alert('warning', order.id, `outcome of order ${order.id} is open: ${outcome.reason}`);
      break;
  }
  return { changes: draft.changes, reply: draft.order(order.id)! };
}

function bindAcknowledged(
  draft: Draft,
  order: OrderRecord,
  attempt: AttemptRecord,
  brokerOrderId: string,
): void {
  const owner = ownerOf(draft, attempt.broker, attempt.day, brokerOrderId);
  if (owner !== null && owner !== order.id) {
    const reason = `${attempt.broker} acknowledged with the id of another order, ${brokerOrderId}`;
    // Which order it is, is as open as before: a row with our tag may still tell.
    draft.putAttempt({ ...attempt, state: 'uncertain', settledAt: draft.at, detail: reason });
    draft.putOrder({ ...order, status: 'disputed', reason });
    draft.alert('critical', order.id, reason);
    return;
  }
  draft.putSeen({
    broker: attempt.broker,
    day: attempt.day,
    brokerOrderId,
    orderId: order.id,
    leaving: false,
    seenAt: draft.at,
  });
  draft.putOrder({ ...order, status: 'working', reason: null, brokerOrderId, boundBy: 'id' });
}

/** An order between two legs when the process ended: its last leg is known not to have been sent. */
export function decideNotSent(
  state: ExecutionState,
  command: { orderId: string; reason: string; at: number },
): Decision<Change, OrderRecord> {
  const draft = new Draft(state, command.at);
  const order = state.orders.get(command.orderId)!;
  if (order.status === 'accepted') {
    draft.putOrder({ ...order, status: 'not_sent', reason: command.reason, filledQuantity: 0 });
  }
  return { changes: draft.changes, reply: draft.order(command.orderId)! };
}
