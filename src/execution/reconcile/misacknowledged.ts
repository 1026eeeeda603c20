import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { answeredAt, isOpenPlace, type PlaceAttemptRecord } from '../order/attempt.ts';
import {
  bindingOf,
  brokerOrderIdOf,
  calledAbsentOf,
  isOver,
  type OrderRecord,
} from '../order/order.ts';
import { bookDays, isOfEarlierDay, lastBookDay } from '../order/order-day.ts';
import type { BookNews } from './book-memory.ts';
import type { BookObservation } from './book-observation.ts';
import { orderOfRow, putSeen } from './matching.ts';
import type { AttemptId, BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';

/**
 * Corrects orders that the broker acknowledged with an id that is not theirs: of another order of ours, of
 * one placed elsewhere, or of none (docs/orders.md, "An acknowledged id"). Returns the placings that are
 * open again.
 */
export function correctMisacknowledged(
  unit: UnitOfWork,
  observation: BookObservation,
  news: Pick<BookNews, 'rows' | 'complete'>,
  day: TradingDay,
): ReadonlySet<AttemptId> {
  const reopened = new Set<AttemptId>();
  giveToOrderOfTag(unit, observation, news.rows, day, reopened);
  for (const row of news.rows) checkFirstRow(unit, observation, row, day);
  // An id that no book shows makes every book incomplete.
  if (!news.complete) reopenUnshown(unit, observation, day, reopened);
  return reopened;
}

/**
 * The tag on a row tells which order it belongs to: that order gets the row, and the outcome of the order
 * that was acknowledged with it is open again. Where one of the two is too far along for that (it has
 * fills, for example), both become disputed, so that no fill is credited to the wrong order.
 */
function giveToOrderOfTag(
  unit: UnitOfWork,
  { broker, rows }: Pick<BookObservation, 'broker' | 'rows'>,
  news: readonly BrokerOrder[],
  day: TradingDay,
  reopened: Set<AttemptId>,
): void {
  for (const row of news) {
    const attempt = attemptOfTag(unit, row.tags);
    if (!attempt) continue;
    const ownerId = orderOfRow(unit, broker, day, row.brokerOrderId);
    if (ownerId === attempt.orderId) continue;
    if (ownerId === null) {
      if (isBoundElsewhere(unit, attempt, row, rows)) {
        const owner = unit.order(attempt.orderId);
        const named = brokerOrderIdOf(owner) ?? '';
        reopen(unit, owner, attempt, `it was acknowledged as ${named}, and its tag is on another`);
        reopened.add(attempt.id);
        disown(unit, owner, named, day, !rows.some((each) => each.brokerOrderId === named));
      }
      continue;
    }
    const rightful = unit.order(attempt.orderId);
    if (!unit.state.orders.has(ownerId)) {
      // The owner's record does not fit the schema, so nothing is changed about it.
      disputeRightful(unit, rightful, attempt, row.brokerOrderId, ownerId);
      continue;
    }
    const owner = unit.order(ownerId);
    const placed = acknowledgedPlacing(unit, owner);
    const isFree = bindingOf(owner)?.by === 'id' && unit.fillsOf(ownerId).length === 0;
    // An order that was called absent counts, too: here is its row.
    const isSought = isOpenPlace(attempt) || attempt.state.kind === 'absent';
    if (isFree && placed && isSought) {
      const named = brokerOrderIdOf(owner) ?? 'no id';
      reopen(unit, owner, placed, `it was acknowledged with ${named}, which is another order's`);
      reopened.add(placed.id);
      // No order owns the row now: it is matched by its tag, in this read or once the other answer
      // is in.
      disown(unit, owner, row.brokerOrderId, day, isOfEarlierDay(row, day));
      continue;
    }
    if (owner.state.kind !== 'disputed') {
      // The row is kept with the order: it shows that no change may be sent to this row.
      unit.dispute(ownerId, `its row ${row.brokerOrderId} carries the tag of ${rightful.id}`, {
        row,
      });
    }
    disputeRightful(unit, rightful, attempt, row.brokerOrderId, ownerId);
  }
}

/**
 * Whether the placing of a row's tag was acknowledged with another id, whose row does not have the tag or
 * is not there: then the row is the order, and not what that id names.
 */
function isBoundElsewhere(
  unit: UnitOfWork,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder,
  rows: readonly BrokerOrder[],
): boolean {
  const order = unit.order(attempt.orderId);
  const binding = bindingOf(order);
  if (attempt.state.kind !== 'acknowledged' || attempt.broker !== order.broker) return false;
  if (binding?.by !== 'id' || order.state.kind === 'disputed') return false;
  const named = rows.find((each) => each.brokerOrderId === binding.brokerOrderId) ?? binding.row;
  if (named?.tags.includes(attempt.tag)) return false;
  return unit.fillsOf(order.id).length === 0 && !isOver(order) && row.side === order.terms.side;
}

/**
 * The first row that a book shows under an acknowledged id. One of another instrument, side or quantity
 * is not the order: it becomes disputed, and nothing is credited to it or sent to that row. A quantity
 * that a modification asked for, or a row with the order's own tag, is no disagreement; a tag that is
 * missing or nobody's is only an alert.
 */
function checkFirstRow(
  unit: UnitOfWork,
  observation: BookObservation,
  row: BrokerOrder,
  day: TradingDay,
): void {
  const { broker } = observation;
  const { brokerOrderId, tags } = row;
  const orderId = orderOfRow(unit, broker, day, brokerOrderId);
  if (orderId === null || !unit.state.orders.has(orderId)) return;
  const order = unit.order(orderId);
  const binding = bindingOf(order);
  if (binding?.by !== 'id' || binding.row !== null || order.state.kind === 'disputed') return;
  const attempt = acknowledgedPlacing(unit, order);
  if (!attempt || binding.brokerOrderId !== brokerOrderId) return;
  const wrong = disagreement(unit, observation, order, row, tags.includes(attempt.tag));
  if (wrong !== null) {
    const cause = `it was acknowledged as ${brokerOrderId}, which is ${wrong}`;
    unit.putAttempt({
      ...attempt,
      state: { kind: 'uncertain', settledAt: unit.at, reason: cause },
    });
    disown(unit, order, brokerOrderId, day, isOfEarlierDay(row, day));
    if (wasCancelled(unit, order)) unit.move(orderId, { type: 'want_cancel' });
    unit.dispute(orderId, cause, { unbind: true });
    return;
  }
  if (tags.includes(attempt.tag) || !attempt.tagSent) return;
  if (tags.length === 0 && !observation.tagged) return;
  const what = tags.length === 0 ? 'no tag' : `the tag ${tags.join(', ')}`;
  const message = `row ${brokerOrderId} at ${broker} was acknowledged as order ${orderId}, but has ${what}`;
  unit.alert('warning', orderId, `${message}: compare the two in the broker's app`);
}

/** In what a row is another order's than the one that it was acknowledged as; null where in nothing. */
function disagreement(
  unit: UnitOfWork,
  { isOther }: BookObservation,
  order: OrderRecord,
  row: BrokerOrder,
  hasTag: boolean,
): string | null {
  const { terms } = order;
  const isAsked =
    hasTag ||
    row.quantity === terms.quantity ||
    [...(unit.state.attemptsOf.get(order.id) ?? [])].some((id) => {
      const { state, ...change } = unit.attempt(id);
      if (change.kind !== 'modify' || state.kind === 'not_sent') return false;
      return change.changes.quantity === row.quantity;
    });
  if (row.side === terms.side && isAsked && !isOther(order, row)) return null;
  return `${row.side} ${row.quantity} ${row.instrument}`;
}

/**
 * Opens the outcome of orders again whose acknowledged id no book has shown for as long as rows may be
 * late. The id is kept with the placing: a row of it, or a cancel, still goes by it.
 */
function reopenUnshown(
  unit: UnitOfWork,
  { broker, account, rows, rule, begunAt }: BookObservation,
  day: TradingDay,
  reopened: Set<AttemptId>,
): void {
  const ids = new Set(rows.map((row) => row.brokerOrderId));
  for (const orderId of unit.state.watched) {
    const order = unit.order(orderId);
    const binding = bindingOf(order);
    if (order.broker !== broker || order.state.kind !== 'working') continue;
    if (binding?.by !== 'id' || binding.row !== null || ids.has(binding.brokerOrderId)) continue;
    const attempt = acknowledgedPlacing(unit, order);
    if (!attempt || day < attempt.day || day > lastBookDay(order)) continue;
    if (isOfOtherAccount(attempt, account)) continue;
    if (answeredAt(attempt) + rule.afterMs > begunAt || unit.fillsOf(orderId).length > 0) continue;
    const namedId = binding.brokerOrderId;
    const reason = `it was acknowledged as ${namedId}, which no book has shown`;
    reopen(unit, order, { ...attempt, namedId }, reason);
    reopened.add(attempt.id);
    disown(unit, order, namedId, day, true);
  }
}

/** Makes the order whose tag is on another order's row disputed, unless its outcome is known. */
function disputeRightful(
  unit: UnitOfWork,
  rightful: OrderRecord,
  attempt: PlaceAttemptRecord,
  brokerOrderId: BrokerOrderId,
  ownerId: OrderId,
): void {
  const isEnded = isOver(rightful) && calledAbsentOf(rightful) === null;
  if (brokerOrderIdOf(rightful) !== null || attempt.state.kind === 'sending' || isEnded) return;
  if (rightful.state.kind === 'disputed') return;
  unit.dispute(rightful.id, `its tag is on ${brokerOrderId}, which is that of ${ownerId}`);
}

/** The order whose tag is on the row of this one; null where that is none, or its own. */
export function orderOfRowsTag(state: ExecutionState, order: OrderRecord): OrderId | null {
  for (const tag of bindingOf(order)?.row?.tags ?? []) {
    const owner = state.attempts.get(state.attemptByTag.get(tag) ?? '')?.orderId;
    if (owner !== undefined && owner !== order.id) return owner;
  }
  return null;
}

function attemptOfTag(unit: UnitOfWork, tags: readonly string[]): PlaceAttemptRecord | null {
  for (const tag of tags) {
    const id = unit.state.attemptByTag.get(tag);
    const attempt = id === undefined ? null : unit.attempt(id);
    if (attempt?.kind === 'place') return attempt;
  }
  return null;
}

/** Takes an id from an order that it was bound to: on each day of that order, and today. */
function disown(
  unit: UnitOfWork,
  owner: OrderRecord,
  brokerOrderId: BrokerOrderId,
  day: TradingDay,
  leaving: boolean,
): void {
  const { broker } = owner;
  const days = bookDays(owner).filter((each) => each !== day);
  for (const each of days) {
    const seen = unit.observed(broker, each, brokerOrderId);
    if (seen?.orderId === owner.id) {
      unit.putObserved({ ...seen, orderId: null, leaving, movedFrom: owner.id });
    }
  }
  if (!unit.observed(broker, day, brokerOrderId)) {
    putSeen(unit, { broker, day, brokerOrderId, orderId: null, leaving });
  }
  const today = unit.observed(broker, day, brokerOrderId);
  if (today) unit.putObserved({ ...today, orderId: null, leaving, movedFrom: owner.id });
}

function acknowledgedPlacing(unit: UnitOfWork, order: OrderRecord): PlaceAttemptRecord | null {
  for (const id of unit.state.attemptsOf.get(order.id) ?? []) {
    const attempt = unit.attempt(id);
    if (attempt.kind === 'place' && attempt.state.kind === 'acknowledged') return attempt;
  }
  return null;
}

/**
 * Whether a cancel of the order may have reached the row that turned out to be another's: it did not cancel
 * the order then. Who was told that it was refused does not expect another one.
 */
function wasCancelled(unit: UnitOfWork, order: OrderRecord): boolean {
  return [...(unit.state.attemptsOf.get(order.id) ?? [])].some((id) => {
    const { kind, state } = unit.attempt(id);
    return kind === 'cancel' && state.kind !== 'not_sent' && state.kind !== 'refused';
  });
}

function reopen(
  unit: UnitOfWork,
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  reason: string,
): void {
  unit.putAttempt({ ...attempt, state: { kind: 'uncertain', settledAt: unit.at, reason } });
  unit.move(order.id, { type: 'reopen', reason });
  if (wasCancelled(unit, order)) unit.move(order.id, { type: 'want_cancel' });
  unit.alert('critical', order.id, `outcome of order ${order.id} is open again: ${reason}`);
}
