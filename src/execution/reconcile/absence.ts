import { tradingDay } from '../../domain/ist.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { isInstrumentOf } from '../order/attempt.ts';
import type { BookObservation } from './book-observation.ts';
import { latestTime } from './broker-clock.ts';
import { CLOCK_SKEW_MS, type OpenPlacing, orderOfRow, wasSeenBefore } from './matching.ts';
import { plus, type EpochMs } from '../../units/branded.ts';
import { couldBe } from './unread-rows.ts';

const READS_NEEDED = 3;
const LACKED_AFTER_CLOSE =
  'proven_absent: a whole order book read after the close does not hold it';
const LACKED_BY_LOCAL = 'proven_absent: the account that it was sent to is here, and lacks it';

/**
 * Absence is evidence, not proof: rows have been seen 90 seconds late. After three complete reads,
 * the last begun long enough after the send, the order says since when it is absent, and stays
 * uncertain. A complete read after the day's close proves it, where every clock agrees that the day is
 * closed and the book shows something later than the send: one that is stale or empty shows nothing.
 */
export function judgeAbsence(
  unit: UnitOfWork,
  placing: OpenPlacing,
  observation: BookObservation,
): void {
  const { attempt } = placing;
  const order = unit.order(placing.order.id);
  if (order.state.kind !== 'uncertain' || attempt.state.kind !== 'uncertain') return;
  const { rule, begunAt, sinceSend } = observation;
  if (observation.isLocal) return callAbsent(unit, placing, begunAt, LACKED_BY_LOCAL);
  // A clock that is off proves nothing, not even how long ago the request left.
  if (observation.aheadMs !== null) return;
  const reads = (observation.absentReads.get(attempt.id) ?? 0) + 1;
  if (reads < READS_NEEDED || begunAt < plus(attempt.sentAt, rule.afterMs)) return;
  if ((sinceSend(attempt) ?? Infinity) < rule.afterMs) return;
  if (hasUnexplainedTrade(observation) || hasUnshownId(unit, observation)) return;
  if (observation.unread.some((row) => couldBe(row, order))) return;
  if (!observation.tagged && hasUnexplainedRow(unit, placing, observation)) return;
  const isProof = isDayClosed(placing, observation) && isLaterThanSend(placing, observation);
  if (isProof && !hasEqualRow(unit, placing, observation)) {
    return callAbsent(unit, placing, begunAt, LACKED_AFTER_CLOSE);
  }
  if (order.state.absentSince === null) {
    unit.move(order.id, { type: 'note_absence', since: begunAt });
  }
}

function callAbsent(
  unit: UnitOfWork,
  { attempt, order }: OpenPlacing,
  since: EpochMs,
  reason: string,
): void {
  unit.putAttempt({ ...attempt, state: { kind: 'absent', settledAt: unit.at, reason } });
  unit.move(order.id, { type: 'call_absent', by: 'close', reason, since });
}

/**
 * Whether the day of an order is closed by this computer's clock, by the broker's, and by the time that
 * has passed since the send. One that another process sent is never known to be closed.
 */
function isDayClosed({ attempt, order }: OpenPlacing, observation: BookObservation): boolean {
  const { begunAt, brokerAt, sinceSend, rule } = observation;
  const since = sinceSend(attempt);
  if (brokerAt === null || since === null) return false;
  const earliest = Math.min(begunAt, brokerAt, attempt.sentAt + since);
  return earliest >= rule.dayClosed(order);
}

function isLaterThanSend({ attempt }: OpenPlacing, { rows, fills }: BookObservation): boolean {
  return latestTime(rows, fills) > attempt.sentAt + CLOCK_SKEW_MS;
}

/**
 * A row of the same instrument and side that nobody owns, and that was not there before the send, may
 * be this order as somebody has changed it since. It says nothing for absence.
 */
function hasUnexplainedRow(
  unit: UnitOfWork,
  { attempt, order }: OpenPlacing,
  observation: BookObservation,
): boolean {
  const day = tradingDay(observation.begunAt);
  return observation.rows.some(
    (row) =>
      !row.childOf &&
      isInstrumentOf(order, row) &&
      row.side === order.terms.side &&
      attempt.baseline?.includes(row.brokerOrderId) !== true &&
      (unit.observed(observation.broker, day, row.brokerOrderId)?.orderId ?? null) === null,
  );
}

/**
 * Whether a row that nobody owns equals the order in instrument, side and quantity, and no book had shown
 * it before the send. Where rows carry our tag, it may be the order all the same: its tag can be lost.
 */
function hasEqualRow(
  unit: UnitOfWork,
  { attempt, order }: OpenPlacing,
  { broker, begunAt, rows, isOther }: BookObservation,
): boolean {
  const { side, quantity } = order.terms;
  return rows.some(
    (row) =>
      !row.childOf &&
      row.side === side &&
      row.quantity === quantity &&
      !isOther(order, row) &&
      attempt.baseline?.includes(row.brokerOrderId) !== true &&
      orderOfRow(unit, broker, tradingDay(begunAt), row.brokerOrderId) === null &&
      !wasSeenBefore(unit, attempt, row.brokerOrderId),
  );
}

/** Whether the broker acknowledged an id that its book does not show: it does not show everything. */
function hasUnshownId(unit: UnitOfWork, { broker }: BookObservation): boolean {
  return [...unit.state.openPlaces].some((id) => {
    const attempt = unit.attempt(id);
    return attempt.kind === 'place' && attempt.broker === broker && attempt.namedId !== undefined;
  });
}

/** Whether a trade has no order in the book: then the book does not show everything. */
function hasUnexplainedTrade(observation: BookObservation): boolean {
  // Trades that were not read are no evidence of absence.
  if (observation.fills === null) return true;
  const ids = new Set(observation.rows.map((row) => row.brokerOrderId));
  const exchangeIds = new Set(observation.rows.map((row) => row.exchangeOrderId));
  const { unreadTrades } = observation;
  if (unreadTrades.some(({ brokerOrderId }) => !ids.has(brokerOrderId ?? ''))) return true;
  return observation.fills.some((fill) => {
    if (fill.brokerOrderId !== null && ids.has(fill.brokerOrderId)) return false;
    if (fill.exchangeOrderId !== null && exchangeIds.has(fill.exchangeOrderId)) return false;
    return true;
  });
}
