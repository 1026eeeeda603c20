import type { Outcome } from '../../domain/outcome.ts';
import type { RejectionClass } from '../../domain/rejection.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { accountField, callerKey, type Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { fingerprint, type PlaceAttemptRecord } from '../order/attempt.ts';
import { hasTwin, isCancelWanted, statusOf, type OrderRecord } from '../order/order.ts';
import { type Answered, settlePlace } from '../order/settle-place.ts';
import type { OrderEvent } from '../order/transitions.ts';
import { takeShown } from '../reconcile/shown-order.ts';
import { orderOfRow, putSeen, wasSeenBefore } from '../reconcile/matching.ts';
import { type Brake, brakeOn, noteForce, stoppedAsRepeat, stoppedByBrake } from './brakes.ts';
import { openDuplicate } from './preflight.ts';
import { noteAddressRefusal } from './refusals.ts';
import { dayOf, newOrder, type SendCommand } from './send-command.ts';
import type { AttemptId, BrokerOrderId, EpochMs, OrderId } from '../../units/branded.ts';

export type SendReply =
  /** On disk; the request may leave now. */
  | { readonly kind: 'sending'; readonly order: OrderRecord; readonly attempt: PlaceAttemptRecord }
  /** The key has made an order before. */
  | { readonly kind: 'known'; readonly order: OrderRecord }
  /** An equal order is open at a broker without tags: this one has to wait. */
  | { readonly kind: 'duplicate_open' }
  /** A brake holds, and the order is no way out. */
  | { readonly kind: 'braked'; readonly brake: Brake }
  /** A brake holds since it was prepared: its account has to be read first. */
  | { readonly kind: 'account_unread' }
  /** It was cancelled, or disputed, while another broker was being tried: nothing more is sent. */
  | { readonly kind: 'stopped'; readonly reason: string };

/**
 * Decides that a request goes out, before its first byte does: the order (or the next broker of one
 * that was not sent), its attempt `sending`, tag and baseline.
 */
export function decideSend(
  state: ExecutionState,
  command: SendCommand,
): Decision<Change, SendReply> {
  const { orderId, broker, mode, terms, at } = command;
  const refusal = refuseSend(state, command);
  if (refusal !== null) return { changes: [], reply: refusal };
  const unit = new UnitOfWork(state, at);
  const attempt: PlaceAttemptRecord = {
    id: command.attemptId,
    orderId,
    kind: 'place',
    broker,
    day: dayOf(command),
    tag: command.tag,
    tagSent: command.tagSent,
    fingerprint: fingerprint(broker, terms),
    baseline: command.baseline,
    ...accountField(command.account),
    ...((command.unwatched ?? null) === null ? {} : { sentUnwatched: true }),
    sentAfter: state.lastEvent,
    ...(command.brokerAt === null ? {} : { brokerAt: command.brokerAt }),
    ...(command.marks === undefined ? {} : { marks: command.marks }),
    sentAt: at,
    state: { kind: 'sending' },
  };
  if (state.orders.has(orderId)) unit.move(orderId, { type: 'send', broker, mode });
  else unit.addOrder(newOrder(command, { kind: 'sending', cancelWanted: false }));
  unit.putAttempt(attempt);
  noteForce(unit, command, command.knowledge);
  noteUnwatched(unit, command);
  return { changes: unit.changes, reply: { kind: 'sending', order: unit.order(orderId), attempt } };
}

function noteUnwatched(unit: UnitOfWork, command: SendCommand): void {
  const { orderId, broker, terms, unwatched = null } = command;
  if (unwatched === null) return;
  const what = `${terms.side} ${terms.quantity} ${terms.instrument}`;
  unit.alert(
    'warning',
    orderId,
    `${what} goes to ${broker} although its order book cannot be read (${unwatched}), because it only ` +
      "reduces a position: look in the broker's app for orders that would do the same",
  );
}

/** Why a request may not go out; null when it may. */
function refuseSend(state: ExecutionState, command: SendCommand): SendReply | null {
  const { orderId, broker, terms } = command;
  const known = state.orderByKey.get(callerKey(command.caller, command.idempotencyKey));
  if (known !== undefined && known !== orderId) {
    return { kind: 'known', order: required(state.orders, known, 'order') };
  }
  const before = state.orders.get(orderId);
  if (before && (isCancelWanted(before) || state.cancelsNotOnDisk.has(before.id))) {
    return { kind: 'stopped', reason: 'it was cancelled before it was sent' };
  }
  if (before && before.state.kind !== 'accepted') {
    return { kind: 'stopped', reason: `the order is ${statusOf(before)}` };
  }
  if (brakeOn(state, command) !== null) {
    if (command.knowledge === null) return { kind: 'account_unread' };
    const brake =
      stoppedByBrake(state, command, command.knowledge) ??
      stoppedAsRepeat(state, command.knowledge);
    if (brake !== null) return { kind: 'braked', brake };
  }
  const print = fingerprint(broker, terms);
  const isAlone =
    command.baseline === null ||
    openDuplicate(state, print, dayOf(command), command.marketAsLimit) === null;
  return isAlone ? null : { kind: 'duplicate_open' };
}

const FOR_A_PERSON: ReadonlySet<RejectionClass> = new Set(['other', 'authorise_holdings']);

/** What came of a placing. `last` is false while the route has another broker to try. */
export function decidePlaced(
  state: ExecutionState,
  command: {
    readonly attemptId: AttemptId;
    readonly outcome: Outcome;
    readonly last: boolean;
    /** If the answer came earlier: a row that was made since is not the order that it refused. */
    readonly answered?: Answered;
    readonly at: EpochMs;
  },
): Decision<Change, OrderRecord> {
  const { outcome, at, answered = { at, toldAt: null } } = command;
  const unit = new UnitOfWork(state, at);
  const attempt = unit.attempt(command.attemptId);
  if (attempt.kind !== 'place') throw new Error(`attempt ${attempt.id} places nothing`);
  const { orderId } = attempt;
  const { mode, terms } = unit.order(orderId);
  unit.putAttempt(settlePlace(attempt, outcome, answered));
  switch (outcome.kind) {
    case 'acknowledged':
      bindAcknowledged(unit, attempt, outcome.brokerOrderId);
      if (outcome.shown) takeShown(unit, attempt, outcome.shown);
      break;
    case 'refused':
      moveAnswered(unit, orderId, { type: 'refuse', reason: outcome.reason });
      noteAddressRefusal(unit, attempt, outcome);
      // Callers deal with refusals for price, limits and closed markets. Other refusals alert a person.
      if (FOR_A_PERSON.has(outcome.rejection) && mode === 'live') {
        const what = `${terms.side} ${terms.quantity} ${terms.instrument}`;
        unit.alert('warning', orderId, `${what} was refused: ${outcome.reason}`);
      }
      break;
    case 'not_sent': {
      const type = command.last ? 'give_up' : 'try_next';
      moveAnswered(unit, orderId, { type, reason: outcome.reason });
      break;
    }
    case 'uncertain':
      moveAnswered(unit, orderId, { type: 'lose_track', reason: outcome.reason });
      unit.alert('warning', orderId, `outcome of order ${orderId} is open: ${outcome.reason}`);
      break;
  }
  return { changes: unit.changes, reply: unit.order(orderId) };
}

/** Moves an order as its request was answered, unless a row of it was found elsewhere meanwhile. */
function moveAnswered(unit: UnitOfWork, orderId: OrderId, event: OrderEvent): void {
  if (!hasTwin(unit.order(orderId))) unit.move(orderId, event);
  else if (event.type === 'acknowledge') {
    const { brokerOrderId } = event;
    unit.move(orderId, { type: 'bind_twin', brokerOrderId, by: 'id' });
  }
}

function bindAcknowledged(
  unit: UnitOfWork,
  attempt: PlaceAttemptRecord,
  brokerOrderId: BrokerOrderId,
): void {
  const { broker, day, orderId } = attempt;
  const account = accountField(attempt.account ?? null);
  const owner = orderOfRow(unit, broker, day, brokerOrderId);
  if (owner !== null && owner !== orderId) {
    const reason = `${broker} acknowledged with the id of another order, ${brokerOrderId}`;
    // It is still open which order it is. A row with our tag may show that later.
    unit.putAttempt({ ...attempt, state: { kind: 'uncertain', settledAt: unit.at, reason } });
    unit.dispute(orderId, reason);
    return;
  }
  if (wasSeenBefore(unit, attempt, brokerOrderId)) {
    const reason = `${broker} acknowledged with the id ${brokerOrderId}, which its book had shown before`;
    unit.putAttempt({ ...attempt, state: { kind: 'uncertain', settledAt: unit.at, reason } });
    moveAnswered(unit, orderId, { type: 'lose_track', reason });
    unit.alert('critical', orderId, `outcome of order ${orderId} is open: ${reason}`);
    return;
  }
  putSeen(unit, { broker, day, brokerOrderId, orderId, leaving: false, ...account });
  moveAnswered(unit, orderId, { type: 'acknowledge', brokerOrderId });
}

/** An order that waited for its next broker, which was not tried: it is known not to have been sent. */
export function decideNotSent(
  state: ExecutionState,
  command: { orderId: OrderId; reason: string; at: EpochMs },
): Decision<Change, OrderRecord> {
  const { orderId, reason, at } = command;
  const unit = new UnitOfWork(state, at);
  if (unit.order(orderId).state.kind === 'accepted')
    unit.move(orderId, { type: 'give_up', reason });
  return { changes: unit.changes, reply: unit.order(orderId) };
}
