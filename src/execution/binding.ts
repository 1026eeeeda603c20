import type { ClaimVerdict } from './claims.ts';
import type { Draft } from './draft.ts';
import { setKillSwitch } from './kill-switch.ts';
import { isOfEarlierDay } from './owner.ts';
import type { OrderRecord } from './records.ts';

/** Makes of a verdict what follows from it: the placing is bound, disputed, or still open. */
export function settleClaim(draft: Draft, verdict: ClaimVerdict, day: string): void {
  const { attempt, order } = verdict.claim;
  if (verdict.kind === 'unseen') return;
  if (verdict.kind === 'disputed') {
    if (order.status === 'disputed' && order.reason === verdict.reason) return;
    draft.putOrder({ ...order, status: 'disputed', reason: verdict.reason });
    draft.alert('critical', order.id, `order ${order.id} is disputed: ${verdict.reason}`);
    return;
  }
  const { row, by } = verdict;
  // What was ambiguous once stays a person's to settle: a stale read may hide the other candidate.
  if (order.status === 'disputed' && by === 'fingerprint') return;
  draft.putAttempt({ ...attempt, state: 'acknowledged', settledAt: draft.at });
  draft.putSeen({
    broker: attempt.broker,
    day,
    brokerOrderId: row.brokerOrderId,
    orderId: order.id,
    leaving: isOfEarlierDay(row, day),
    seenAt: draft.at,
  });
  bindOrder(draft, order, row.brokerOrderId, by);
  if (order.calledAbsent !== null) {
    const reason = `order ${order.id} was called absent, and has turned up as ${row.brokerOrderId}`;
    draft.alert('critical', order.id, reason);
    setKillSwitch(draft, true, reason);
  }
}

/** Gives an order its broker's id; the row itself is read in the same decision. */
export function bindOrder(
  draft: Draft,
  order: OrderRecord,
  brokerOrderId: string,
  by: OrderRecord['boundBy'],
): void {
  draft.putOrder({
    ...order,
    status: 'working',
    reason: null,
    brokerOrderId,
    boundBy: by,
    filledQuantity: null,
    absentSince: null,
    calledAbsent: null,
  });
}
