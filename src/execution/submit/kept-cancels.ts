import { exchangeOf } from '../../domain/instrument.ts';
import { isMarketOpen } from '../../domain/market-hours.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { attemptsOfOrder, isUnderWay, required, type ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { answeredAt, type AttemptRecord } from '../order/attempt.ts';
import {
  bindingOf,
  brokerOrderIdOf,
  isCancelByGateway,
  isCancelWanted,
  isOver,
  unrecognisedSinceOf,
  type OrderRecord,
} from '../order/order.ts';
import type { BrokerOrderId, EpochMs, OrderId } from '../../units/branded.ts';

const cancelsOf = (state: ExecutionState, orderId: OrderId): AttemptRecord[] =>
  attemptsOfOrder(state, orderId).filter(({ kind }) => kind === 'cancel');

/**
 * Whether the order is to be cancelled still, after what came of a cancel of it. Only its row says that it
 * is cancelled: an answer that was lost, and one that nothing came of, are followed by another cancel. Sending
 * one twice does no harm.
 */
export function staysWanted(order: OrderRecord, sentTo: BrokerOrderId, outcome: Outcome): boolean {
  // What it was sent to is not known to be the order, or is another one's by now.
  if (brokerOrderIdOf(order) !== sentTo) return isCancelWanted(order);
  const open = !isOver(order) && order.state.kind !== 'disputed';
  switch (outcome.kind) {
    case 'acknowledged':
      // For a status that it does not know, the gateway itself cancels an order once (docs/orders.md).
      return open && !(isCancelByGateway(order) && unrecognisedSinceOf(order) !== null);
    case 'uncertain':
      return isCancelWanted(order) || open;
    case 'not_sent':
      return isCancelWanted(order);
    case 'refused':
      // No book has shown the id that it was sent under, which may be another order's or nobody's: the row decides.
      if (!isPassing(outcome)) return open && bindingOf(order)?.row === null;
      // A broker that is still processing the order, or takes no more requests just now, would forget this cancel: it
      // is kept here. A token or an address that is not valid is for a person to mend first.
      return isCancelWanted(order) || (open && isOfMoment(outcome));
  }
}

/** Whether the refusal is temporary, so that a kept cancel is tried again. */
export function isPassing(outcome: Extract<Outcome, { kind: 'refused' }>): boolean {
  const { pending, rejection } = outcome;
  return (
    pending === true ||
    rejection === 'rate_limited' ||
    rejection === 'auth' ||
    rejection === 'address'
  );
}

/** Whether the refusal passes without anybody's doing. */
const isOfMoment = ({ pending, rejection }: Extract<Outcome, { kind: 'refused' }>): boolean =>
  pending === true || rejection === 'rate_limited';

/** Whether a cancel of an order can be kept, to be sent again. */
export const canBeKept = (order: OrderRecord): boolean =>
  !isOver(order) && order.state.kind !== 'disputed';

/** Whether the broker's own row says that an order is open, though quantities say that it is over. */
export function isOpenInItsRow(order: OrderRecord): boolean {
  const row = bindingOf(order)?.row ?? null;
  return row !== null && !isFinalRow(row.status);
}

/** So many cancels that nothing came of are told to a person. */
const CANCELS_BEFORE_ALERT = 3;
/** The same of refusals that pass by themselves, after a minute or two. */
const REFUSALS_BEFORE_ALERT = 8;

/** What a person should know of a cancel that did not end its order. */
export function alertOfCancel(
  unit: UnitOfWork,
  order: OrderRecord,
  outcome: Outcome,
  { again, isRowGone }: { readonly again: boolean; readonly isRowGone: boolean },
): void {
  const detail = outcome.kind === 'acknowledged' ? null : outcome.reason;
  if (unrecognisedSinceOf(order) !== null && !again) {
    const result = detail === null ? outcome.kind : `${outcome.kind} (${detail})`;
    const what = `cancel of order ${order.id}, which has an unknown status`;
    unit.alert('warning', order.id, `${what}: ${result}`);
    return;
  }
  const look = `look at it in the broker's app`;
  const earlier = cancelsOf(unit.state, order.id).filter(({ state }) => state.kind !== 'sending');
  const isAcknowledged = earlier.some(({ state }) => state.kind === 'acknowledged');
  if (outcome.kind === 'refused' && !again && isRowGone) {
    const message =
      `the cancel of order ${order.id} was refused (${outcome.reason}), and the order book of ` +
      `${order.broker} no longer shows its row ${String(brokerOrderIdOf(order))}: it may work under another id, ` +
      `as a stop can once it was triggered. Cancel that one in the broker's app`;
    unit.alert('critical', order.id, message);
    return;
  }
  // A caller was told that the cancel is kept, and has heard nothing since.
  if (outcome.kind === 'refused' && isCancelWanted(order) && !again && !isAcknowledged) {
    const message = `the cancel of order ${order.id} was refused (${outcome.reason}), and it is not sent again: ${look}`;
    unit.alert('critical', order.id, message);
  }
  const refused = earlier.filter(({ state }) => state.kind === 'refused').length;
  if (
    again &&
    outcome.kind !== 'refused' &&
    earlier.length - refused + 1 === CANCELS_BEFORE_ALERT
  ) {
    const message = `order ${order.id} was cancelled ${CANCELS_BEFORE_ALERT} times, and its row still says that it is open: ${look}`;
    unit.alert('critical', order.id, message);
  }
  if (again && outcome.kind === 'refused' && refused + 1 === REFUSALS_BEFORE_ALERT) {
    const message = `the cancel of order ${order.id} was refused ${REFUSALS_BEFORE_ALERT} times (${outcome.reason}); it is sent again: ${look}`;
    unit.alert('critical', order.id, message);
  }
}

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/**
 * A broker takes so many requests a day, of all orders together (Kite: 5,000). After so many cancels of one
 * order the next ones are further apart, most of all while nothing can fill.
 */
const CANCELS_IN_A_ROW = 60;
const PAUSE_WHILE_OPEN_MS = 5 * 60_000;
const PAUSE_WHILE_SHUT_MS = 30 * 60_000;
/** A row can show a cancel some seconds after it was acknowledged. */
export const PAUSE_AFTER_ACKNOWLEDGED_MS = 10_000;

/**
 * Whether a kept cancel goes out now: at once the first time, then 1, 2, 4 … seconds after the last one was
 * answered, at most a minute, and longer after many: every request counts against the broker's limits, refused
 * or not. Ten seconds at least after one that the broker acknowledged for this row.
 */
export function isKeptCancelDue(state: ExecutionState, orderId: OrderId, at: EpochMs): boolean {
  const order = required(state.orders, orderId, 'order');
  if (!isCancelWanted(order) || brokerOrderIdOf(order) === null) return false;
  const cancels = cancelsOf(state, orderId);
  if (cancels.some((attempt) => isUnderWay(state, attempt))) return false;
  const last = cancels.at(-1);
  if (last === undefined) return true;
  const isTaken =
    last.state.kind === 'acknowledged' && last.state.brokerOrderId === brokerOrderIdOf(order);
  const least = isTaken ? PAUSE_AFTER_ACKNOWLEDGED_MS : 0;
  const doubled = Math.min(
    longestPause(order, cancels, at),
    SHORTEST_PAUSE_MS * 2 ** cancels.length,
  );
  const passed = at - answeredAt(last);
  // The clock was set back since the last cancel: send now. The next pause is measured by the new time.
  return passed >= Math.max(least, doubled) || passed < 0;
}

function longestPause(
  { terms }: OrderRecord,
  cancels: readonly AttemptRecord[],
  at: EpochMs,
): number {
  if (cancels.length < CANCELS_IN_A_ROW) return LONGEST_PAUSE_MS;
  return isMarketOpen(at, exchangeOf(terms.instrument)) ? PAUSE_WHILE_OPEN_MS : PAUSE_WHILE_SHUT_MS;
}
