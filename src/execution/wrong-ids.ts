import type { BrokerOrder } from '../domain/broker-order.ts';
import { bookDays } from './order-day.ts';
import { isOfEarlierDay, ownerOf } from './owner.ts';
import type { AttemptRecord, OrderRecord, SeenOrder } from './records.ts';
import type { BookObservation } from './book-observation.ts';
import type { Draft } from './draft.ts';
import { isFinal } from '../domain/order-status.ts';
import { isOpenPlace, type ExecutionState } from './state.ts';

/**
 * A broker can acknowledge one order with the id of another. Whose row it is, its tag says: it goes to
 * that order, and the outcome of the one that it was acknowledged for is open again. Where either has
 * gone too far for that, both are disputed: nothing of the one is credited to the other. Returns the
 * placings that are open again.
 */
export function correctWrongIds(
  draft: Draft,
  observation: BookObservation,
  day: string,
): ReadonlySet<string> {
  const { broker } = observation;
  const reopened = new Set<string>();
  for (const row of observation.rows) {
    const attempt = attemptOfTag(draft, row.tags);
    if (!attempt) continue;
    const ownerId = ownerOf(draft, broker, day, row.brokerOrderId);
    if (ownerId === null || ownerId === attempt.orderId) continue;
    const owner = draft.order(ownerId)!;
    const rightful = draft.order(attempt.orderId)!;
    const placed = placingOf(draft, owner);
    const isFree = owner.boundBy === 'id' && draft.fillsOf(ownerId).length === 0;
    // Also of one that was called absent: here it is.
    const isSought = isOpenPlace(attempt) || attempt.state === 'absent';
    if (isFree && placed && isSought) {
      reopen(draft, owner, placed);
      reopened.add(placed.id);
      // The row is nobody's again: the claim of its tag is judged as any other, now or once its answer is in.
      for (const seen of seenOf(draft, owner, row, day)) {
        draft.putSeen({ ...seen, orderId: null, movedFrom: ownerId });
      }
      continue;
    }
    // With its row, which says that no change of this order may be sent to it.
    dispute(
      draft,
      { ...owner, row },
      `its row ${row.brokerOrderId} carries the tag of ${rightful.id}`,
    );
    const isOver = isFinal(rightful.status) && rightful.calledAbsent === null;
    if (rightful.brokerOrderId === null && attempt.state !== 'sending' && !isOver) {
      dispute(draft, rightful, `its tag is on ${row.brokerOrderId}, which is that of ${owner.id}`);
    }
  }
  return reopened;
}

/** The order whose tag is on the row of this one; null where that is none, or its own. */
export function trueOwner(state: ExecutionState, order: OrderRecord): string | null {
  for (const tag of order.row?.tags ?? []) {
    const owner = state.attempts.get(state.attemptByTag.get(tag) ?? '')?.orderId;
    if (owner !== undefined && owner !== order.id) return owner;
  }
  return null;
}

function attemptOfTag(draft: Draft, tags: readonly string[]): AttemptRecord | null {
  for (const tag of tags) {
    const id = draft.state.attemptByTag.get(tag);
    if (id !== undefined) return draft.attempt(id)!;
  }
  return null;
}

/** As it was seen under its wrong owner: on any day of that one, and today in any case. */
function seenOf(draft: Draft, owner: OrderRecord, row: BrokerOrder, day: string): SeenOrder[] {
  const { broker } = owner;
  const { brokerOrderId } = row;
  const earlier = bookDays(owner)
    .filter((each) => each !== day)
    .flatMap((each) => draft.seen(broker, each, brokerOrderId) ?? [])
    .filter(({ orderId }) => orderId === owner.id);
  const today = draft.seen(broker, day, brokerOrderId) ?? {
    broker,
    day,
    brokerOrderId,
    orderId: null,
    leaving: isOfEarlierDay(row, day),
    seenAt: draft.at,
  };
  return [...earlier, today];
}

function placingOf(draft: Draft, order: OrderRecord): AttemptRecord | undefined {
  return [...(draft.state.attemptsOf.get(order.id) ?? [])]
    .map((id) => draft.attempt(id)!)
    .find(({ kind, state }) => kind === 'place' && state === 'acknowledged');
}

function reopen(draft: Draft, order: OrderRecord, attempt: AttemptRecord): void {
  const reason = `it was acknowledged with ${order.brokerOrderId}, which is another order's`;
  draft.putAttempt({ ...attempt, state: 'uncertain', detail: reason });
  draft.putOrder({
    ...order,
    status: 'uncertain',
    reason,
    brokerOrderId: null,
    exchangeOrderId: null,
    boundBy: null,
    row: null,
    filledQuantity: null,
    averagePrice: null,
    fillPriceSource: null,
  });
  draft.alert('critical', order.id, `outcome of order ${order.id} is open again: ${reason}`);
}

function dispute(draft: Draft, order: OrderRecord, reason: string): void {
  if (order.status === 'disputed') return;
  draft.putOrder({ ...order, status: 'disputed', reason });
  draft.alert('critical', order.id, `order ${order.id} is disputed: ${reason}`);
}
