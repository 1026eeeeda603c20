import { tradingDay } from '../../domain/ist.ts';
import type { OrderModification } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { AmendmentRequest, Change } from '../journal/records.ts';
import { attemptsOfOrder, isUnderWay, required, type ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { settledState, type AttemptRecord } from '../order/attempt.ts';
import {
  brokerOrderIdOf,
  isCancelByGateway,
  isCancelWanted,
  isOver,
  statusOf,
  type OrderRecord,
} from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import { orderOfRowsTag } from '../reconcile/orders-of-tags.ts';
import { changeStoppedByBrake } from './amended-terms.ts';
import { orderToChange } from './order-to-change.ts';
import { changeAboveLimit } from './change-limits.ts';
import {
  CHANGE_UNDER_WAY,
  type ImpossibleCode,
  isModifiedOften,
  isSameChange,
  MODIFIED_TOO_OFTEN,
} from './impossible-change.ts';
import { alertOfCancel, canBeKept, isOpenInItsRow, staysWanted } from './kept-cancels.ts';
import type { AccountKnowledge, Brake } from './brakes.ts';
import { noteAddressRefusal } from './refusals.ts';
import type {
  AttemptId,
  BrokerOrderId,
  EpochMs,
  OrderId,
  TradingDay,
} from '../../units/branded.ts';

export interface AmendCommand {
  readonly orderId: OrderId;
  readonly attemptId: AttemptId;
  /** Null cancels. */
  readonly changes: OrderModification | null;
  /** The caller's key of this change; null without one. */
  readonly request: AmendmentRequest | null;
  /** Who asked for it; null, or absent, for the gateway itself. */
  readonly by?: string | null;
  /** What is known of the order's account; null where it was not looked at. */
  readonly knowledge: AccountKnowledge | null;
  /** The limits that hold for the order; null, or absent, for none. */
  readonly limits?: AppliedLimits | null;
  /** When the book was asked for that has shown its row last (epoch ms); null where that is not known. */
  readonly asOf: EpochMs | null;
  /** Epoch ms. */
  readonly at: EpochMs;
  /** The broker's day, where its clock is known to differ from ours; that of `at` when absent. */
  readonly day?: TradingDay;
}

export type AmendReply =
  /** On disk; the request may leave now. */
  | {
      readonly kind: 'sending';
      readonly order: OrderRecord;
      readonly brokerOrderId: BrokerOrderId;
      readonly attempt: AttemptRecord;
    }
  /** A cancel of an order that is not bound yet: sent when it is. */
  | { readonly kind: 'kept'; readonly order: OrderRecord }
  /** The same request is on its way. */
  | { readonly kind: 'under_way'; readonly order: OrderRecord }
  /** A modification that a brake stops, or that would take the order above a limit. */
  | { readonly kind: 'braked'; readonly brake: Brake }
  | {
      readonly kind: 'impossible';
      readonly order: OrderRecord;
      readonly reason: string;
      readonly code?: ImpossibleCode;
    };

/** Decides that a cancel or a modification goes out, before its first byte does. */
export function decideAmend(
  state: ExecutionState,
  command: AmendCommand,
): Decision<Change, AmendReply> {
  const { orderId, changes, at } = command;
  const order = required(state.orders, orderId, 'order');
  const reason = whyImpossible(state, order, command);
  if (reason !== null) return { changes: [], reply: { kind: 'impossible', order, reason } };
  if (changes !== null && isModifiedOften(state, order)) {
    const reply = { kind: 'impossible', order, ...MODIFIED_TOO_OFTEN } as const;
    return { changes: [], reply };
  }
  const brake = brakeOnChange(state, order, command);
  if (brake !== null) return { changes: [], reply: { kind: 'braked', brake } };
  const boundTo = brokerOrderIdOf(order);
  const brokerOrderId = boundTo ?? (changes === null ? namedIdOf(state, order) : null);
  if (brokerOrderId === null) return keepCancel(state, order, command);
  const kind = changes === null ? 'cancel' : 'modify';
  const underWay = attemptsOfOrder(state, orderId).find(
    (attempt) => attempt.kind === kind && isUnderWay(state, attempt),
  );
  const unit = new UnitOfWork(state, at);
  if (underWay && isSameChange(underWay, changes)) {
    // A caller whose key stayed free would send it again later, and undo what was asked for since.
    useKey(unit, command, underWay.id);
    // Who is told that a cancel is under way hears nothing where it does not leave, or is refused: it is sent again then.
    if (changes === null && canBeKept(order) && !isWantedAlready(order, command)) {
      unit.move(orderId, { type: 'want_cancel' });
    }
    return { changes: unit.changes, reply: { kind: 'under_way', order } };
  }
  if (underWay) {
    return { changes: [], reply: { kind: 'impossible', order, ...CHANGE_UNDER_WAY } };
  }
  const identity = {
    id: command.attemptId,
    orderId,
    broker: order.broker,
    day: command.day ?? tradingDay(at),
    sentAt: at,
    ...(command.by ? { by: command.by } : {}),
    state: { kind: 'sending' },
  } as const;
  const attempt: AttemptRecord =
    changes === null ? { ...identity, kind: 'cancel' } : { ...identity, kind: 'modify', changes };
  unit.putAttempt(attempt);
  // An id that no book has shown may be nobody's: the order is cancelled again once it is found.
  const isKept = boundTo === null || (changes === null && isCancelByGateway(order));
  if (isKept && !isWantedAlready(order, command)) unit.move(orderId, { type: 'want_cancel' });
  useKey(unit, command, attempt.id);
  return { changes: unit.changes, reply: { kind: 'sending', order, brokerOrderId, attempt } };
}

/** Whether a cancel is wanted already; the gateway's own becomes that of whoever asks for one. */
const isWantedAlready = (order: OrderRecord, { by, request }: AmendCommand): boolean =>
  isCancelWanted(order) && !(isCancelByGateway(order) && (by || request));

/** The brake that stops a modification, or the limit that it goes above; null without one. A cancel passes. */
function brakeOnChange(
  state: ExecutionState,
  order: OrderRecord,
  { changes, limits = null, knowledge: known, asOf, at, day = tradingDay(at) }: AmendCommand,
): Brake | null {
  if (changes === null) return null;
  const toChange = orderToChange(state, order, asOf);
  return (
    changeStoppedByBrake(state, toChange, changes, { known, at, day }) ??
    changeAboveLimit(state, toChange, changes, { limits, known, at, day })
  );
}

/** The id that an uncertain order was acknowledged with and that no book has shown; null without one. */
export function namedIdOf(state: ExecutionState, order: OrderRecord): BrokerOrderId | null {
  if (order.state.kind !== 'uncertain') return null;
  for (const attempt of attemptsOfOrder(state, order.id)) {
    if (attempt.kind === 'place' && attempt.state.kind === 'uncertain') {
      return attempt.namedId ?? null;
    }
  }
  return null;
}

/** Why an order cannot be changed in this way now; null when it can. */
function whyImpossible(
  state: ExecutionState,
  order: OrderRecord,
  { changes, at, day = tradingDay(at) }: AmendCommand,
): string | null {
  if (isOver(order) && !(changes === null && isOpenInItsRow(order))) {
    return `the order is ${statusOf(order)}`;
  }
  const brokerOrderId = brokerOrderIdOf(order);
  const isDisputed = order.state.kind === 'disputed';
  if (brokerOrderId === null) {
    if (changes !== null) return `the order is ${statusOf(order)}, and not known at the broker yet`;
    return isDisputed ? 'the order is disputed: resolve it first' : null;
  }
  const owner = orderOfRowsTag(state, order);
  if (owner !== null) return `${brokerOrderId} at the broker carries the tag of order ${owner}`;
  if (order.state.kind === 'disputed' && order.state.othersRow === true) return order.state.cause;
  if (isDisputed && lastBookDay(order) < day) {
    return `its day is over: ${brokerOrderId} means nothing to the broker now`;
  }
  return null;
}

function keepCancel(
  state: ExecutionState,
  order: OrderRecord,
  command: AmendCommand,
): Decision<Change, AmendReply> {
  const unit = new UnitOfWork(state, command.at);
  const kept = isCancelWanted(order) ? order : unit.move(order.id, { type: 'want_cancel' });
  useKey(unit, command, null);
  return { changes: unit.changes, reply: { kind: 'kept', order: kept } };
}

function useKey(unit: UnitOfWork, { request }: AmendCommand, attemptId: AttemptId | null): void {
  if (request) unit.putAmendment({ ...request, attemptId, state: 'used', at: unit.at });
}

/**
 * What came of a cancel or a modification. Whatever it is, the order's own state is left to the
 * broker's row: a cancel races a fill, and its answer proves neither.
 */
export function decideAmended(
  state: ExecutionState,
  command: {
    readonly attemptId: AttemptId;
    /** The row at the broker that the request named. */
    readonly sentTo: BrokerOrderId;
    readonly outcome: Outcome;
    /** The broker's time at the answer (epoch ms); null where it is not known. */
    readonly brokerAt?: EpochMs | null;
    /** Whether the last book lacks that row, though an earlier one had shown it. */
    readonly isRowGone?: boolean;
    /** Whether it could not be written at first: the order may have been cancelled once more since then. */
    readonly isLate?: boolean;
    readonly at: EpochMs;
  },
): Decision<Change, OrderRecord> {
  const { sentTo, outcome, brokerAt = null, isRowGone = false, isLate = false, at } = command;
  const unit = new UnitOfWork(state, at);
  const attempt = unit.attempt(command.attemptId);
  if (attempt.kind === 'place') throw new Error(`attempt ${attempt.id} changes nothing`);
  const order = unit.order(attempt.orderId);
  const detail = outcome.kind === 'acknowledged' ? null : outcome.reason;
  unit.putAttempt({ ...attempt, state: settledState(outcome, at, brokerAt) });
  const told = { kind: attempt.kind, outcome: outcome.kind, detail, by: attempt.by ?? null };
  unit.event('order.attempt', order.id, told);
  if (outcome.kind === 'not_sent') freeKey(unit, attempt.id);
  noteAddressRefusal(unit, attempt, outcome);
  if (attempt.kind === 'cancel') {
    const again = staysWanted(order, sentTo, outcome) || (isLate && isCancelWanted(order));
    alertOfCancel(unit, order, outcome, { again, isRowGone });
    if (again !== isCancelWanted(order)) unit.move(order.id, { type: 'settle_cancel', again });
  }
  return { changes: unit.changes, reply: unit.order(order.id) };
}

/** A request that never left has not used its key. */
function freeKey(unit: UnitOfWork, attemptId: AttemptId): void {
  for (const row of unit.state.amendments.values()) {
    if (row.attemptId === attemptId) unit.putAmendment({ ...row, state: 'freed', at: unit.at });
  }
}
