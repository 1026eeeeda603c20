import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { ObservedOrder } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { isOpenPlace, type PlaceAttemptRecord } from '../order/attempt.ts';
import {
  bindingOf,
  brokerOrderIdOf,
  calledAbsentOf,
  isOver,
  type OrderRecord,
} from '../order/order.ts';
import { bookDays } from '../order/order-day.ts';
import type { BookObservation } from './book-observation.ts';
import { isOfEarlierDay, orderOfRow } from './matching.ts';

/**
 * Corrects orders that the broker acknowledged with the id of another order. The tag on a row tells which
 * order it belongs to: that order gets the row, and the outcome of the order that was acknowledged with it
 * is open again. Where one of the two is too far along for that (it has fills, for example), both become
 * disputed, so that no fill is credited to the wrong order. Returns the placings that are open again.
 */
export function correctMisacknowledged(
  unit: UnitOfWork,
  observation: Pick<BookObservation, 'broker' | 'rows'>,
  day: string,
): ReadonlySet<string> {
  const { broker } = observation;
  const reopened = new Set<string>();
  for (const row of observation.rows) {
    const attempt = attemptOfTag(unit, row.tags);
    if (!attempt) continue;
    const ownerId = orderOfRow(unit, broker, day, row.brokerOrderId);
    if (ownerId === null || ownerId === attempt.orderId) continue;
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
      reopen(unit, owner, placed);
      reopened.add(placed.id);
      // No order owns the row now: it is matched by its tag, in this read or once the other answer
      // is in.
      for (const observed of observedAs(unit, owner, row, day)) {
        unit.putObserved({ ...observed, orderId: null, movedFrom: ownerId });
      }
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
  return reopened;
}

/** Makes the order whose tag is on another order's row disputed, unless its outcome is known. */
function disputeRightful(
  unit: UnitOfWork,
  rightful: OrderRecord,
  attempt: PlaceAttemptRecord,
  brokerOrderId: string,
  ownerId: string,
): void {
  const isEnded = isOver(rightful) && calledAbsentOf(rightful) === null;
  if (brokerOrderIdOf(rightful) !== null || attempt.state.kind === 'sending' || isEnded) return;
  if (rightful.state.kind === 'disputed') return;
  unit.dispute(rightful.id, `its tag is on ${brokerOrderId}, which is that of ${ownerId}`);
}

/** The order whose tag is on the row of this one; null where that is none, or its own. */
export function orderOfRowsTag(state: ExecutionState, order: OrderRecord): string | null {
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

/** What was observed of the row under the wrong order: on each day of that order, and today. */
function observedAs(
  unit: UnitOfWork,
  owner: OrderRecord,
  row: BrokerOrder,
  day: string,
): ObservedOrder[] {
  const { broker } = owner;
  const { brokerOrderId } = row;
  const earlier = bookDays(owner)
    .filter((each) => each !== day)
    .flatMap((each) => unit.observed(broker, each, brokerOrderId) ?? [])
    .filter(({ orderId }) => orderId === owner.id);
  const today = unit.observed(broker, day, brokerOrderId) ?? {
    broker,
    day,
    brokerOrderId,
    orderId: null,
    leaving: isOfEarlierDay(row, day),
    seenAt: unit.at,
  };
  return [...earlier, today];
}

function acknowledgedPlacing(unit: UnitOfWork, order: OrderRecord): PlaceAttemptRecord | null {
  for (const id of unit.state.attemptsOf.get(order.id) ?? []) {
    const attempt = unit.attempt(id);
    if (attempt.kind === 'place' && attempt.state.kind === 'acknowledged') return attempt;
  }
  return null;
}

function reopen(unit: UnitOfWork, order: OrderRecord, attempt: PlaceAttemptRecord): void {
  const brokerOrderId = brokerOrderIdOf(order) ?? 'no id';
  const reason = `it was acknowledged with ${brokerOrderId}, which is another order's`;
  unit.putAttempt({ ...attempt, state: { kind: 'uncertain', settledAt: unit.at, reason } });
  unit.move(order.id, { type: 'reopen', reason });
  unit.alert('critical', order.id, `outcome of order ${order.id} is open again: ${reason}`);
}
