import { type BrokerOrder, realId } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { ObservedOrder } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { CLOCK_SKEW_MS, CLOCKS_AGREE_MS, type PlaceAttemptRecord } from '../order/attempt.ts';
import type { CalledAbsent } from '../order/order.ts';
import type { BookObservation } from './book-observation.ts';
import { orderNamed } from './book-trades.ts';
import { CLOCKS_USABLE_MS, latestBefore, timesIn } from './broker-clock.ts';
import { type OpenPlacing, orderOfRow, wasSeenBefore } from './matching.ts';
import { isAlike } from './own-rows.ts';
import { rowsById } from './rows-by-id.ts';
import { isMadeAfterAbsent, sentByBroker, whenMade } from './when-made.ts';
import { type AttemptId, earlier, type EpochMs, later, plus } from '../../units/branded.ts';
import { isTagOfOurs } from './orders-of-tags.ts';
import { couldBe } from './unread-rows.ts';

const READS_NEEDED = 3;
/** A clock that was ahead by less than this at the send leaves no doubt about the order's session. */
const SENT_AT_KNOWN_MS = 3_600_000;
const LACKED_AFTER_CLOSE =
  'proven_absent: a whole order book read after the close does not hold it';
const LACKED_BY_LOCAL = 'proven_absent: the account that it was sent to is here, and lacks it';

/**
 * Absence is evidence, not proof: rows have been seen 90 seconds late. After three complete reads,
 * the last begun long enough after the send, the order says since when it is absent, and stays
 * uncertain. A complete read after the day's close proves it, where every clock agrees that the day is
 * closed and the book shows something later than the send: one that is stale or empty shows nothing.
 * Such a read also confirms what a person has called absent.
 */
export function judgeAbsence(
  unit: UnitOfWork,
  placing: OpenPlacing,
  observation: BookObservation,
): void {
  const { attempt } = placing;
  const order = unit.order(placing.order.id);
  const isSaid =
    order.state.kind === 'absent' &&
    order.state.calledAbsent.by === 'person' &&
    attempt.state.kind === 'absent';
  const isOpen = order.state.kind === 'uncertain' && attempt.state.kind === 'uncertain';
  if (!isOpen && !isSaid) return;
  const { rule, begunAt, sinceSend, tagged } = observation;
  const proveAbsent = (reason: string): void => {
    if (isSaid) unit.move(order.id, { type: 'confirm_absence' });
    else callAbsent(unit, placing, begunAt, reason);
  };
  if (observation.isLocal) return proveAbsent(LACKED_BY_LOCAL);
  // A clock that is far off proves nothing, not even how long ago the request left.
  if (Math.abs(observation.aheadMs ?? 0) > CLOCKS_USABLE_MS) return;
  const reads = (observation.absentReads.get(attempt.id) ?? 0) + 1;
  if (reads < READS_NEEDED || begunAt < plus(attempt.sentAt, rule.afterMs)) return;
  if ((sinceSend(attempt) ?? Infinity) < rule.afterMs) return;
  if (hasUnexplainedTrade(observation) || hasUnshownId(unit, observation)) return;
  if (mayBeUnread(unit.state, observation, { attempt, order })) return;
  const isProof = isDayClosed(placing, observation) && isLaterThanSend(placing, observation);
  const doubtful = isProof || !tagged ? rowInDoubt(unit, placing, observation) : null;
  if (isProof && doubtful === null) return proveAbsent(LACKED_AFTER_CLOSE);
  // What a person has said is doubted for rows that have appeared since (`doubtAbsence`).
  if (order.state.kind !== 'uncertain') return;
  if (isProof && doubtful !== null) return unit.dispute(order.id, inDoubt(doubtful));
  if (doubtful === null && order.state.absentSince === null) {
    unit.move(order.id, { type: 'note_absence', since: begunAt });
  }
}

/**
 * Looks for an order that was called absent in a read that shows no row which surely is it: a row that
 * nobody owns, that may be the order, and that has appeared since, makes it disputed. A person who called it
 * absent has seen the rows that were there by then, and may have placed its like afterwards.
 */
export function doubtAbsence(
  unit: UnitOfWork,
  placing: OpenPlacing,
  observation: BookObservation,
): void {
  const { attempt } = placing;
  const order = unit.order(attempt.orderId);
  const { id, state } = order;
  if (state.kind !== 'absent' || attempt.state.kind !== 'absent' || observation.isLocal) return;
  const { calledAbsent } = state;
  const day = tradingDay(observation.begunAt);
  const row = rowInDoubt(unit, placing, observation, (each) => {
    const seen = unit.observed(observation.broker, day, each.brokerOrderId);
    const isNew = seen === undefined || !wasSeenByThen(calledAbsent, seen);
    return isNew && !isMadeAfterAbsent({ attempt, order }, each);
  });
  if (row === null) return;
  const cause = `it was called absent, and since then ${inDoubt(row)}`;
  unit.putAttempt({
    ...attempt,
    state: { kind: 'uncertain', settledAt: unit.at, reason: cause },
  });
  unit.dispute(id, cause);
}

/** Whether a person who called an order absent had a book that showed a row; counted in events, if known. */
function wasSeenByThen({ by, at, after }: CalledAbsent, seen: ObservedOrder): boolean {
  if (by === 'close') return false;
  return after === undefined || seen.seenAfter === undefined
    ? seen.seenAt <= at
    : seen.seenAfter <= after;
}

/** Whether a row that cannot be read whole may be that of a placing. */
function mayBeUnread(
  state: ExecutionState,
  { unread, isOther }: Pick<BookObservation, 'unread' | 'isOther'>,
  { attempt, order }: OpenPlacing,
): boolean {
  const known = { isOther, isOurs: isTagOfOurs(state) };
  return unread.some((row) => couldBe(row, order, known, attempt.tag));
}

const inDoubt = ({ brokerOrderId, side, quantity, instrument }: BrokerOrder): string =>
  `the book shows ${brokerOrderId} (${side} ${quantity} ${instrument}), which nobody owns and which ` +
  "may be this order: look at it in the broker's app, then resolve the order";

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
 * has passed since the send, or since this process began where an earlier one sent it.
 */
function isDayClosed({ attempt, order }: OpenPlacing, observation: BookObservation): boolean {
  const { begunAt, localAt, brokerAt, sinceSend, rule } = observation;
  const since = sinceSend(attempt);
  if (brokerAt === null || since === null) return false;
  // The clock that wrote the time of the send down was wrong: the order may be of another session.
  if (tradingDay(attempt.sentAt) !== attempt.day) return false;
  if (attempt.sentAt > plus(begunAt, SENT_AT_KNOWN_MS - since)) return false;
  const sentAt = earlier(attempt.sentAt, sentByBroker(attempt));
  const earliest = Math.min(begunAt, localAt, brokerAt, sentAt + since);
  return earliest >= rule.dayClosed(order);
}

/** A row that is dated after the read shows nothing: its time is wrong. */
function isLaterThanSend(
  { attempt }: OpenPlacing,
  { begunAt, rows, fills, aheadMs }: BookObservation,
): boolean {
  const sentAt = later(attempt.sentAt, sentByBroker(attempt));
  const latest = latestBefore(plus(begunAt, CLOCKS_AGREE_MS), timesIn(rows, fills));
  return latest > sentAt + CLOCK_SKEW_MS + Math.abs(aheadMs ?? 0);
}

type RowsOfBook = Pick<BookObservation, 'broker' | 'begunAt' | 'rows' | 'isOther' | 'tagged'>;

/**
 * A row that may be an order whose tag was lost, or that a person has changed since; null without one. It is
 * of the same instrument and side, nobody owns it, and no book had shown it before the send. It has the
 * same quantity, or is of the same product and was made with the send: a modification changes quantity,
 * price and type, and nothing else. Where rows do not carry our tag, any such row may be an uncertain one.
 */
function rowInDoubt(
  unit: UnitOfWork,
  placing: OpenPlacing,
  observation: RowsOfBook,
  isLooked: (row: BrokerOrder) => boolean = () => true,
): BrokerOrder | null {
  const { attempt, order } = placing;
  const { rows, isOther, tagged } = observation;
  const { side, quantity, product } = order.terms;
  const isAnyInDoubt = !tagged && order.state.kind === 'uncertain';
  const isChange = (row: BrokerOrder): boolean =>
    isAnyInDoubt || (row.product === product && whenMade(placing, row) === 'with it');
  const found = rows.find(
    (row) =>
      !row.childOf &&
      row.side === side &&
      !isOther(order, row) &&
      (row.quantity === quantity || isChange(row)) &&
      !isOthersById(unit, attempt, observation, row) &&
      isLooked(row),
  );
  return found ?? null;
}

/**
 * Whether the id of a row tells that the row is not a placing's: it is the row of another order of ours, or a book had
 * shown the id before the send. Where the id is that of several orders, of different instruments or sides, nobody knows
 * which of them a book had shown then, and the id tells nothing.
 */
function isOthersById(
  unit: UnitOfWork,
  attempt: PlaceAttemptRecord,
  { broker, begunAt, rows, isOther }: RowsOfBook,
  row: BrokerOrder,
): boolean {
  const { brokerOrderId, side, instrument } = row;
  const ownerId = orderOfRow(unit, broker, tradingDay(begunAt), brokerOrderId);
  const owner = ownerId === null ? undefined : unit.state.orders.get(ownerId);
  if (owner !== undefined) return isAlike(unit.order(owner.id), row, { isOther });
  if (ownerId !== null) return true;
  const wasShown =
    attempt.baseline?.includes(brokerOrderId) === true ||
    wasSeenBefore(unit, attempt, brokerOrderId);
  const sharing = wasShown ? rowsById(rows).of(brokerOrderId) : [];
  return wasShown && sharing.every((each) => each.side === side && each.instrument === instrument);
}

/**
 * Tells whether a read of a book that began after the answer to a placing bears out that it was refused:
 * it is whole, and has no row that could be the order. By itself such a read proves nothing.
 */
export function bearsOutRefusal(
  state: ExecutionState,
  read: RowsOfBook & Pick<BookObservation, 'unread'> & { readonly complete: boolean },
): (attemptId: AttemptId) => boolean {
  return (attemptId) => {
    const attempt = required(state.attempts, attemptId, 'attempt');
    if (attempt.kind !== 'place' || !read.complete) return false;
    const order = required(state.orders, attempt.orderId, 'order');
    if (mayBeUnread(state, read, { attempt, order })) return false;
    if (read.rows.some((row) => row.tags.includes(attempt.tag))) return false;
    return rowInDoubt(new UnitOfWork(state, read.begunAt), { attempt, order }, read) === null;
  };
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
  const orderOfTrade = orderNamed(observation);
  const { unreadTrades } = observation;
  if (unreadTrades.some(({ brokerOrderId }) => !ids.has(brokerOrderId ?? ''))) return true;
  return observation.fills.some((fill) => {
    const named = realId(fill.brokerOrderId);
    if (named !== null && ids.has(named)) return false;
    return orderOfTrade(fill) === null;
  });
}
