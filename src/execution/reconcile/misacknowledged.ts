import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { answeredAt, hasTermsOf } from '../order/attempt.ts';
import { bindingOf, brokerOrderIdOf, isOver, type OrderRecord } from '../order/order.ts';
import { isOfEarlierDay, lastBookDay } from '../order/order-day.ts';
import type { BookNews } from './book-memory.ts';
import type { BookObservation } from './book-observation.ts';
import { withoutRow } from './lost-rows.ts';
import { followUnreadTags } from './match-unread.ts';
import { isCandidate, type OpenPlacing, orderOfRow } from './matching.ts';
import { openPlacings } from './sought-placings.ts';
import { giveToOrderOfTag } from './tagged-rows.ts';
import { whenMade } from './when-made.ts';
import type { AttemptId, BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';
import {
  acknowledgedPlacing,
  disown,
  takeBack,
  voidModifications,
  wasCancelled,
} from './take-back.ts';

/**
 * Corrects orders that the broker acknowledged with an id that is not theirs: of another order of ours, of
 * one placed elsewhere, or of none (docs/orders.md, "An acknowledged id"). Returns the placings that are
 * open again, and notes in `foundElsewhere` the rows with the tags of orders that are bound to others.
 */
export function correctMisacknowledged(
  unit: UnitOfWork,
  observation: BookObservation,
  news: Pick<BookNews, 'rows' | 'complete'>,
  day: TradingDay,
  foundElsewhere: Map<OrderId, BrokerOrderId>,
): ReadonlySet<AttemptId> {
  const reopened = new Set<AttemptId>();
  const read = { ...observation, unit, day, reopened, foundElsewhere };
  giveToOrderOfTag(read, news.rows);
  followUnreadTags(read);
  for (const row of news.rows) checkFirstRow(unit, observation, row, day);
  // An id that no book shows makes every book incomplete.
  if (!news.complete) reopenUnshown(unit, observation, day, reopened);
  return reopened;
}

/**
 * The first row that a book shows under an acknowledged id. One of another instrument, side or quantity
 * is not the order: it becomes disputed, and nothing is credited to it or sent to that row. A quantity
 * that a modification asked for, or a row with the order's own tag, is no disagreement; a tag that is
 * missing or nobody's is only an alert. Another price alone is none: people change prices. But a row of another
 * price that is just what an order of ours with an unknown outcome was is that order's.
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
  const wrong = tags.includes(attempt.tag)
    ? disagreement(unit, observation, order, row, true)
    : (disagreement(unit, observation, order, row, false) ??
      likeAnOpenOne(unit, observation, { attempt, order }, row, day));
  if (wrong !== null) {
    const cause = `it was acknowledged as ${brokerOrderId}, which is ${wrong}`;
    unit.putAttempt({
      ...attempt,
      state: { kind: 'uncertain', settledAt: unit.at, reason: cause },
    });
    disown(unit, order, brokerOrderId, day, isOfEarlierDay(row, day));
    voidModifications(unit, orderId, brokerOrderId);
    if (wasCancelled(unit, order)) {
      // Trades had ended it before a book showed its row.
      if (isOver(order)) unit.move(orderId, { type: 'reopen', reason: cause });
      unit.move(orderId, { type: 'want_cancel' });
    }
    unit.dispute(orderId, cause, { unbind: true });
    return;
  }
  // The id is the order's: no other row is looked for any more.
  if (attempt.baseline !== null) unit.putAttempt({ ...attempt, baseline: null });
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
 * What a row is where it differs from the order that it was acknowledged as, in a term that no modification asked
 * for, and is in all terms an order of ours that was sent without a known outcome; null otherwise.
 */
function likeAnOpenOne(
  unit: UnitOfWork,
  observation: BookObservation,
  own: OpenPlacing,
  row: BrokerOrder,
  day: TradingDay,
): string | null {
  const { marketAsLimit = false } = observation;
  if (hasTermsOf(own.attempt, row, own.order, marketAsLimit)) return null;
  const changes = [...(unit.state.attemptsOf.get(own.order.id) ?? [])].some(
    (id) => unit.attempt(id).kind === 'modify' && unit.attempt(id).state.kind !== 'not_sent',
  );
  if (changes) return null;
  const other = openPlacings(unit, observation, day).find(
    (placing) =>
      placing.attempt.id !== own.attempt.id &&
      // One that was called absent long ago is nobody's rival.
      placing.attempt.state.kind === 'uncertain' &&
      isCandidate(placing, row, marketAsLimit) &&
      whenMade(placing, row) === 'with it',
  );
  if (other === undefined) return null;
  const { orderType, price } = row;
  return `${row.side} ${row.quantity} ${row.instrument} ${orderType} ${price ?? ''}, as order ${other.order.id} is`;
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
  const unseen = [...unit.state.watched]
    .map((id) => unit.order(id))
    .filter((order) => order.broker === broker && order.state.kind === 'working')
    .filter((order) => bindingOf(order)?.by === 'id' && bindingOf(order)?.row === null);
  for (const order of withoutRow(unseen, rows)) {
    const attempt = acknowledgedPlacing(unit, order);
    if (!attempt || day < attempt.day || day > lastBookDay(order)) continue;
    if (isOfOtherAccount(attempt, account)) continue;
    if (answeredAt(attempt) + rule.afterMs > begunAt || unit.fillsOf(order.id).length > 0) continue;
    const namedId = brokerOrderIdOf(order);
    if (namedId === null) continue;
    const reason = `it was acknowledged as ${namedId}, which no book has shown`;
    takeBack(unit, order, { ...attempt, namedId }, reason);
    reopened.add(attempt.id);
    disown(unit, order, namedId, day, true);
  }
}
