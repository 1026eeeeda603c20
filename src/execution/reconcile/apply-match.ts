import { type BrokerOrder, type IdentifiedRow, isWholeRow } from '../../domain/broker-order.ts';
import { accountField } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import { type Binding, calledAbsentOf, hasTwin, type OrderRecord } from '../order/order.ts';
import { isOfEarlierDay } from '../order/order-day.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import type { BrokerOrderId, EpochMs, TradingDay } from '../../units/branded.ts';
import { isRejectedUnfilled, type Match, putSeen } from './matching.ts';

/** Applies a match: the order becomes bound or disputed, or stays open. */
export function applyMatch(unit: UnitOfWork, match: Match, day: TradingDay): void {
  if (match.kind === 'unseen' || match.kind === 'seen_once') return;
  if (match.kind === 'disputed') disputeMatch(unit, match);
  else bindMatch(unit, match, day);
}

function disputeMatch(unit: UnitOfWork, match: Extract<Match, { kind: 'disputed' }>): void {
  const { attempt, order } = match.placing;
  const { state } = order;
  if (state.kind !== 'disputed' || state.cause !== match.reason) {
    unit.dispute(order.id, match.reason);
    const wasClosed = attempt.state.kind === 'refused' || attempt.state.kind === 'not_sent';
    if (wasClosed && match.isGuess !== true) {
      const reason = `order ${order.id} was ${attempt.state.kind}, and ${match.reason}`;
      setKillSwitch(unit, { engaged: true, reason, changedBy: null });
    }
  }
}

function bindMatch(
  unit: UnitOfWork,
  match: Extract<Match, { kind: 'bound' }>,
  day: TradingDay,
): void {
  const { placing, row, by } = match;
  const { attempt, order } = placing;
  const { state } = order;
  // An ambiguous order stays disputed until a person resolves it: a stale read may hide the other row.
  if (state.kind === 'disputed' && state.bookGone !== true && by !== 'tag') return;
  const { brokerOrderId } = row;
  const { broker } = attempt;
  const owner = unit.observed(broker, day, brokerOrderId)?.orderId ?? null;
  if (owner !== null && owner !== order.id) {
    // A row before it in the same read has the id, which the journal gives to one order.
    const reason = `its row is under ${brokerOrderId}, which is that of order ${owner}`;
    return disputeMatch(unit, { kind: 'disputed', placing, reason });
  }
  const hasWrongFills = areFillsMixed(unit, order, day, brokerOrderId);
  unit.putAttempt(boundAttempt(attempt, brokerOrderId, unit.at));
  const leaving = isWholeRow(row) && isOfEarlierDay(row, day);
  const of = accountField(attempt.account ?? null);
  putSeen(unit, { broker, day, brokerOrderId, orderId: order.id, leaving, ...of });
  // Sent while the book of the day before was being read, or dated by a clock that was a day ahead.
  if (attempt.day > day && !unit.observed(broker, attempt.day, brokerOrderId)) {
    const seen = { broker, day: attempt.day, brokerOrderId, orderId: order.id, leaving: true };
    putSeen(unit, { ...seen, ...of });
  }
  if (hasWrongFills) {
    const cause =
      `fills of ${brokerOrderId}, which is this order, and of another row were recorded for the wrong ` +
      "orders: compare them in the broker's app; a cancel goes to the right row";
    unit.dispute(order.id, cause, { bindTo: bindingTo(row) });
    return;
  }
  unit.move(order.id, { type: hasTwin(order) ? 'bind_twin' : 'bind', brokerOrderId, by });
  const was = calledAbsentOf(order) === null ? attempt.state.kind : 'called absent';
  // It was sent, and never worked: the row says the same as what callers were told.
  if (was !== 'not_sent' && isRejectedUnfilled(row)) return;
  if (was === 'called absent' || was === 'refused' || was === 'not_sent') {
    const reason = `order ${order.id} was ${was}, and has turned up as ${brokerOrderId}`;
    unit.alert('critical', order.id, reason);
    setKillSwitch(unit, { engaged: true, reason, changedBy: null });
  }
}

/** Whether an order has fills of another row than its own, or another order has fills of its row. */
function areFillsMixed(
  unit: UnitOfWork,
  { id, broker }: OrderRecord,
  day: TradingDay,
  brokerOrderId: BrokerOrderId,
): boolean {
  const before = unit.observed(broker, day, brokerOrderId)?.movedFrom;
  const isOfRow = (fill: { readonly brokerOrderId: BrokerOrderId }): boolean =>
    fill.brokerOrderId === brokerOrderId;
  return (
    unit.fillsOf(id).some((fill) => fill.broker === broker && !isOfRow(fill)) ||
    (before !== undefined && before !== id && unit.fillsOf(before).some(isOfRow))
  );
}

/** The binding of an order to a row that carries its tag. */
export function bindingTo(row: BrokerOrder | IdentifiedRow): Binding {
  const { brokerOrderId, exchangeOrderId } = row;
  return { brokerOrderId, by: 'tag', exchangeOrderId, row: isWholeRow(row) ? row : null };
}

/** The attempt of an order that was found at its broker after all. */
export function boundAttempt(
  attempt: PlaceAttemptRecord,
  brokerOrderId: BrokerOrderId,
  at: EpochMs,
): PlaceAttemptRecord {
  return { ...attempt, state: { kind: 'acknowledged', settledAt: at, brokerOrderId } };
}
