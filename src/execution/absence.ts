import { tradingDay } from '../domain/ist.ts';
import type { BookObservation } from './book-observation.ts';
import type { Claim } from './claims.ts';
import type { Draft } from './draft.ts';
import { isInstrumentOf } from './fingerprint.ts';

const READS_NEEDED = 3;

/**
 * Absence is evidence, not proof: rows have been seen 90 seconds late. After three complete reads,
 * the last begun long enough after the send, the order says since when it is absent, and stays
 * uncertain. A complete read after the day's close proves it.
 */
export function judgeAbsence(draft: Draft, claim: Claim, observation: BookObservation): void {
  const { attempt } = claim;
  const order = draft.order(claim.order.id)!;
  if (order.status !== 'uncertain' || attempt.state !== 'uncertain') return;
  const { rule, begunAt } = observation;
  const reads = (observation.absentReads.get(attempt.id) ?? 0) + 1;
  if (reads < READS_NEEDED || begunAt < attempt.sentAt + rule.afterMs) return;
  if (hasUnexplainedTrade(observation)) return;
  if (!observation.tagged && hasUnexplainedRow(draft, claim, observation)) return;
  if (begunAt >= rule.dayClosed(order)) {
    draft.putAttempt({ ...attempt, state: 'absent', settledAt: draft.at });
    draft.putOrder({
      ...order,
      status: 'rejected',
      reason: 'proven_absent: a whole order book read after the close does not hold it',
      filledQuantity: 0,
      absentSince: order.absentSince ?? begunAt,
      calledAbsent: { by: 'close', at: draft.at },
      cancelWanted: false,
    });
    return;
  }
  if (order.absentSince === null) draft.putOrder({ ...order, absentSince: begunAt });
}

/**
 * A row of the same instrument and side that nobody owns, and that was not there before the send, may
 * be this order as somebody has changed it since. It says nothing for absence.
 */
function hasUnexplainedRow(draft: Draft, claim: Claim, observation: BookObservation): boolean {
  const { attempt, order } = claim;
  const day = tradingDay(observation.begunAt);
  return observation.rows.some(
    (row) =>
      !row.childOf &&
      isInstrumentOf(order, row) &&
      row.side === order.terms.side &&
      attempt.baseline?.includes(row.brokerOrderId) !== true &&
      (draft.seen(observation.broker, day, row.brokerOrderId)?.orderId ?? null) === null,
  );
}

/** A trade whose order the book does not show says that the book does not show everything. */
function hasUnexplainedTrade(observation: BookObservation): boolean {
  // Trades that were not read cannot speak for absence.
  if (observation.fills === null) return true;
  const ids = new Set(observation.rows.map((row) => row.brokerOrderId));
  const exchangeIds = new Set(observation.rows.map((row) => row.exchangeOrderId));
  return observation.fills.some((fill) => {
    if (fill.brokerOrderId !== null && ids.has(fill.brokerOrderId)) return false;
    if (fill.exchangeOrderId !== null && exchangeIds.has(fill.exchangeOrderId)) return false;
    return true;
  });
}
