import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import {
  bindingOf,
  isCancelWanted,
  isIn,
  isOver,
  type OrderRecord,
  statusOf,
} from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { BookObservation } from './book-observation.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import type { OpenPlacing } from './matching.ts';
import { orderOfRowsTag } from './orders-of-tags.ts';
import { acknowledgedPlacing } from './take-back.ts';
import type { EpochMs, TradingDay } from '../../units/branded.ts';

/**
 * What a crash leaves behind: every attempt found `sending` is uncertain, whatever it was; an order
 * still waiting for its next broker was never sent.
 */
export function decideRecovery(
  state: ExecutionState,
  command: { at: EpochMs },
): Decision<Change, number> {
  const unit = new UnitOfWork(state, command.at);
  const reason = 'the gateway stopped while the request was on its way';
  for (const attempt of state.attempts.values()) {
    if (attempt.state.kind !== 'sending') continue;
    unit.putAttempt({ ...attempt, state: { kind: 'uncertain', settledAt: command.at, reason } });
    if (attempt.kind === 'place' && unit.order(attempt.orderId).state.kind === 'sending') {
      unit.move(attempt.orderId, { type: 'lose_track', reason });
    }
    // Whether it reached the broker is not known, and another one does no harm.
    const order = unit.order(attempt.orderId);
    const isOpen = isIn(order, ['working', 'uncertain']);
    if (attempt.kind === 'cancel' && isOpen && !isCancelWanted(order)) {
      unit.move(attempt.orderId, { type: 'want_cancel' });
    }
  }
  for (const sent of state.externalChanges.values()) {
    if (sent.state.kind !== 'sending') continue;
    unit.putExternalChange({
      ...sent,
      state: { kind: 'uncertain', settledAt: command.at, reason },
    });
  }
  for (const { id, state: found } of state.orders.values()) {
    if (found.kind !== 'accepted') continue;
    const why = found.reason ?? 'the gateway stopped before the order was sent';
    unit.move(id, { type: 'give_up', reason: why });
  }
  return { changes: unit.changes, reply: unit.changes.length };
}

/**
 * A day's book is gone at 06:00: what it has not told by then is for a person to look at. A status
 * or a fill that can no longer be read is not guessed. `today` is the broker's day.
 */
export function decideDayOver(
  state: ExecutionState,
  command: { readonly broker: string; readonly today: TradingDay; readonly at: EpochMs },
): Decision<Change, number> {
  const { today } = command;
  const unit = new UnitOfWork(state, command.at);
  for (const orderId of state.watched) {
    const order = unit.order(orderId);
    if (order.broker !== command.broker || lastBookDay(order) >= today) continue;
    if (order.state.kind === 'absent') {
      unit.move(orderId, { type: 'confirm_absence', bookGone: true });
      const message =
        `a person said that order ${orderId} was never placed, and no whole book of ${order.broker} that was ` +
        `read after the close of ${lastBookDay(order)} has borne that out: compare the positions and trades ` +
        "in the broker's app";
      unit.alert('warning', orderId, message);
      continue;
    }
    const cause = isOver(order)
      ? `not every fill was read before the book of ${lastBookDay(order)} was gone`
      : `still ${statusOf(order)} when the book of ${lastBookDay(order)} was gone`;
    unit.dispute(orderId, cause, { bookGone: true });
  }
  return { changes: unit.changes, reply: unit.changes.length };
}

/**
 * Whether an order was disputed only because its day was over, by a clock that was wrong: its book is
 * there, and shows its row.
 */
export function isDayOverWrong({ state }: OrderRecord, row: BrokerOrder): boolean {
  return (
    state.kind === 'disputed' &&
    state.bookGone === true &&
    state.binding?.brokerOrderId === row.brokerOrderId
  );
}

/** The order is what its row says again, unless the row carries the tag of another order. */
export function takeBackDayOver(
  unit: UnitOfWork,
  order: OrderRecord,
  row: Pick<BrokerOrder, 'brokerOrderId'>,
): void {
  const binding = bindingOf(order);
  if (binding === null || orderOfRowsTag(unit.state, order) !== null) return;
  const { by, isForced } = binding;
  const forced = isForced === true ? { isForced } : {};
  unit.move(order.id, { type: 'bind', brokerOrderId: row.brokerOrderId, by, ...forced });
  const message =
    `order ${order.id} was disputed because its day was over; that day's book is still there, ` +
    'so it is no longer disputed';
  unit.alert('warning', order.id, message);
}

/**
 * Opens the outcome of an order again that was disputed only because a wrong clock said that its day was
 * over. A book of its day is there, and does not show it.
 */
export function reopenDayOver(unit: UnitOfWork, { attempt }: OpenPlacing): void {
  const { id, broker, state } = unit.order(attempt.orderId);
  if (state.kind !== 'disputed' || state.bookGone !== true || state.binding !== null) return;
  if (attempt.state.kind !== 'uncertain') return;
  unit.move(id, { type: 'reopen', reason: attempt.state.reason });
  const message =
    `order ${id} was disputed because its day was over; that day is not over at ${broker}, so its ` +
    'outcome is open again, and the book of its account is read for it';
  unit.alert('warning', id, message);
}

/**
 * The same for orders of other accounts, which this book never shows, but whose day is not over either; and
 * for orders that are bound to rows which a book of their day does not show, or shows so that they cannot be
 * read whole: those are working again, and their rows are missed like any other. An order whose last row
 * said that it had ended stays disputed until a book shows that row.
 */
export function reopenUnshownDayOver(
  unit: UnitOfWork,
  { broker, account }: Pick<BookObservation, 'broker' | 'account'>,
  day: TradingDay,
): void {
  for (const id of unit.state.openOrders) {
    const order = unit.order(id);
    const { state } = order;
    if (order.broker !== broker || lastBookDay(order) < day || state.kind !== 'disputed') continue;
    if (state.bookGone !== true) continue;
    if (state.binding === null) {
      const attempt = uncertainPlacing(unit, order);
      if (attempt && isOfOtherAccount(attempt, account)) reopenDayOver(unit, { attempt, order });
      continue;
    }
    // Without a row it was working: no book has shown one that can be read whole.
    if (state.binding.row !== null && isFinalRow(state.binding.row.status)) continue;
    if (acknowledgedPlacing(unit, order) === null) continue;
    takeBackDayOver(unit, order, state.binding);
  }
}

function uncertainPlacing(unit: UnitOfWork, order: OrderRecord): PlaceAttemptRecord | null {
  for (const id of unit.state.attemptsOf.get(order.id) ?? []) {
    const attempt = unit.attempt(id);
    if (attempt.kind === 'place' && attempt.state.kind === 'uncertain') return attempt;
  }
  return null;
}
