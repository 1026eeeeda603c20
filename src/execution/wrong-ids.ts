import { seenKey, type AttemptRecord, type OrderRecord } from './records.ts';
import { settleClaim } from './binding.ts';
import type { BookObservation } from './book-observation.ts';
import type { Draft } from './draft.ts';
import { isFinal } from '../domain/order-status.ts';
import { isOpenPlace } from './state.ts';

/**
 * A broker can acknowledge one order with the id of another. Whose row it is, its tag says: it goes to
 * that order, and the outcome of the one that it was acknowledged for is open again. Where either has
 * gone too far for that, both are disputed: nothing of the one is credited to the other.
 */
export function correctWrongIds(draft: Draft, observation: BookObservation, day: string): void {
  const { broker } = observation;
  for (const row of observation.rows) {
    const attempt = attemptOfTag(draft, row.tags);
    if (!attempt) continue;
    const ownerId = draft.seen(seenKey(broker, day, row.brokerOrderId))?.orderId ?? null;
    if (ownerId === null || ownerId === attempt.orderId) continue;
    const owner = draft.order(ownerId)!;
    const rightful = draft.order(attempt.orderId)!;
    const placed = placingOf(draft, owner);
    const isOpen = isOpenPlace(attempt) && attempt.state !== 'sending';
    if (owner.boundBy === 'id' && placed && isOpen && draft.fillsOf(ownerId).length === 0) {
      reopen(draft, owner, placed);
      settleClaim(
        draft,
        { kind: 'bound', claim: { attempt, order: rightful }, row, by: 'tag' },
        day,
      );
      continue;
    }
    dispute(draft, owner, `its row ${row.brokerOrderId} carries the tag of ${rightful.id}`);
    if (rightful.brokerOrderId === null && !isFinal(rightful.status)) {
      dispute(draft, rightful, `its tag is on ${row.brokerOrderId}, which is that of ${owner.id}`);
    }
  }
}

function attemptOfTag(draft: Draft, tags: readonly string[]): AttemptRecord | null {
  for (const tag of tags) {
    const id = draft.state.attemptByTag.get(tag);
    if (id !== undefined) return draft.attempt(id)!;
  }
  return null;
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
