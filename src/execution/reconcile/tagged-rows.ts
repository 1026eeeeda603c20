import { type BrokerOrder, type IdentifiedRow, isWholeRow } from '../../domain/broker-order.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { isOpenPlace, type PlaceAttemptRecord } from '../order/attempt.ts';
import {
  bindingOf,
  brokerOrderIdOf,
  calledAbsentOf,
  fillOf,
  isOver,
  type OrderRecord,
} from '../order/order.ts';
import { isOfEarlierDay } from '../order/order-day.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import type { BookObservation } from './book-observation.ts';
import type { AttemptId, BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';
import { bindingTo, boundAttempt } from './apply-match.ts';
import { isRowOfDay, isRowOld } from './lost-rows.ts';
import { orderOfRow, putSeen } from './matching.ts';
import { attemptOfTag } from './orders-of-tags.ts';
import { rowsById } from './rows-by-id.ts';
import { acknowledgedPlacing, disown, hasFills, takeBack, voidModifications } from './take-back.ts';

/** One read of a book, as far as it is needed to follow the tags on its rows. */
export interface TaggedRead extends Pick<
  BookObservation,
  'broker' | 'rows' | 'unread' | 'isOther' | 'lostFor' | 'elsewhere'
> {
  readonly unit: UnitOfWork;
  readonly day: TradingDay;
  /** Placings that are open again: a row with their tag is theirs. */
  readonly reopened: Set<AttemptId>;
  /** What `elsewhere` is for the next read. */
  readonly foundElsewhere: Map<OrderId, BrokerOrderId>;
}

/**
 * The tag on a row tells which order it belongs to: that order gets the row, and the outcome of the order
 * that was acknowledged with it is open again. Where fills were credited to the wrong order, both become
 * disputed, each bound to the row with its own tag, so that a cancel goes there.
 */
export function giveToOrderOfTag(read: TaggedRead, news: readonly BrokerOrder[]): void {
  const { unit, broker, day } = read;
  for (const row of news) {
    const attempt = attemptOfTag(unit, row.tags);
    if (!attempt) continue;
    const ownerId = orderOfRow(unit, broker, day, row.brokerOrderId);
    if (ownerId === attempt.orderId) continue;
    if (ownerId === null) giveToBoundElsewhere(read, attempt, row);
    else takeFromOwner(read, attempt, row, ownerId);
  }
}

/** A row with an order's tag that nobody owns, while the order is bound to another row. */
function giveToBoundElsewhere(
  read: TaggedRead,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder,
): void {
  const { unit, broker, day } = read;
  const order = unit.order(attempt.orderId);
  if (!isBoundElsewhere(read, attempt, row)) return;
  const named = brokerOrderIdOf(order) ?? '';
  const shown = boundRowIn(read, attempt);
  // The id alone may have been seen on another row, where several are misread alike.
  const isSecond = read.elsewhere.get(order.id) === row.brokerOrderId;
  read.foundElsewhere.set(order.id, row.brokerOrderId);
  const seen = unit.observed(broker, day, row.brokerOrderId);
  // The acknowledgement had named this row, until one with a wrong id was taken for it: both agree now.
  const isNamed = shown === undefined && seen?.movedFrom === order.id;
  const isUnread = read.unread.some(({ brokerOrderId }) => brokerOrderId === named);
  const isLost = shown === undefined && !isUnread;
  // The row of an order that is over is not missed, and may have been misread when it was found.
  const isMisread = isSecond && isOver(order) && fillOf(order).filledQuantity !== 0;
  const isGone = isLost && (isMisread || isRowOld(read.lostFor.get(order.id)));
  if (!isNamed && !isGone && hasOwnRow(read, attempt)) {
    if (isEndedUnfilled(row)) return;
    if (isOver(order) && fillOf(order).filledQuantity === 0 && (shown !== undefined || isSecond)) {
      disputeForSecondRow(read, order, attempt, row);
    } else if (shown && seen?.movedFrom === order.id && shown.childOf !== row.brokerOrderId) {
      disputeForBothRows(read, order, row);
    }
    return;
  }
  // Until a book has shown the row of the named id, this one may be that row with a wrong id.
  const remembered = isRowOfDay(unit, order, day) ? (bindingOf(order)?.row ?? null) : null;
  const isKnown = !isGone && (shown ?? remembered) !== null;
  if (!isKnown && !isNamed && !isSecond) return;
  const reason = `it was acknowledged as ${named}, and its tag is on ${row.brokerOrderId}`;
  const leaving = shown === undefined;
  if (shown) voidModifications(unit, order.id, shown.brokerOrderId);
  moveTo(read, attempt, row, { reason, leaving });
}

/** An order is to be bound to another row, which has its tag: with fills told of it, it becomes disputed. */
export function moveTo(
  read: TaggedRead,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder | IdentifiedRow,
  { reason, leaving }: { readonly reason: string; readonly leaving: boolean },
): void {
  const { unit, day } = read;
  const order = unit.order(attempt.orderId);
  const named = brokerOrderIdOf(order) ?? '';
  if (!hasFills(unit, order)) return release(read, order, attempt, { reason, leaving });
  disown(unit, order, named, day, leaving);
  disputeAndBind(read, attempt, row, `${reason}, and fills of ${named} were told as its own`);
}

/** Whether a row with its tag is not the one that an acknowledged order is bound to. */
export function isBoundElsewhere(
  { unit, isOther }: Pick<TaggedRead, 'unit' | 'isOther'>,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder | IdentifiedRow,
): boolean {
  const order = unit.order(attempt.orderId);
  const { side, instrument } = row;
  const binding = bindingOf(order);
  if (attempt.state.kind !== 'acknowledged' || attempt.broker !== order.broker) return false;
  if (binding === null || binding.by === 'person' || order.state.kind === 'disputed') return false;
  return (
    binding.brokerOrderId !== row.brokerOrderId &&
    (side === null || side === order.terms.side) &&
    (instrument === null || !isOther(order, { instrument }))
  );
}

const isEndedUnfilled = ({ status, filledQuantity }: BrokerOrder): boolean =>
  (status === 'rejected' || status === 'cancelled') && filledQuantity === 0;

/** The order's row ended without a fill, and a second one with its tag lives on. */
function disputeForSecondRow(
  read: TaggedRead,
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder,
): void {
  const cause =
    `its row ${String(brokerOrderIdOf(order))} has ended without a fill, and ${row.brokerOrderId} at ` +
    `${read.broker} carries its tag, too: look at both in the broker's app`;
  disputeAndBind(read, attempt, row, cause);
  const reason = `order ${order.id} is disputed: ${cause}`;
  setKillSwitch(read.unit, { engaged: true, reason, changedBy: null });
}

/** A book shows the row that an order was bound to before, beside the one that has taken its place. */
function disputeForBothRows({ unit, broker }: TaggedRead, { id }: OrderRecord, row: BrokerOrder) {
  const bound = brokerOrderIdOf(unit.order(id));
  const cause =
    `${String(bound)} and ${row.brokerOrderId} at ${broker} carry its tag: two live orders may exist. Look at ` +
    `both in the broker's app; a cancel goes to ${String(bound)}`;
  unit.dispute(id, cause);
  const reason = `order ${id} is disputed: ${cause}`;
  setKillSwitch(unit, { engaged: true, reason, changedBy: null });
}

/** A person has to look, and until then a cancel goes to the row with the order's tag. */
function disputeAndBind(
  { unit, broker, day }: TaggedRead,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder | IdentifiedRow,
  cause: string,
): void {
  const { orderId } = attempt;
  const { brokerOrderId } = row;
  unit.putAttempt(boundAttempt(attempt, brokerOrderId, unit.at));
  unit.dispute(orderId, cause, { unbind: true, bindTo: bindingTo(row) });
  const leaving = isWholeRow(row) && isOfEarlierDay(row, day);
  putSeen(unit, { broker, day, brokerOrderId, orderId, leaving });
}

/** A row with one order's tag that another order owns. */
function takeFromOwner(
  read: TaggedRead,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder,
  ownerId: OrderId,
): void {
  const { unit, day } = read;
  const rightful = unit.order(attempt.orderId);
  if (!unit.state.orders.has(ownerId)) {
    // The owner's record does not fit the schema, so nothing is changed about it.
    disputeRightful(unit, rightful, attempt, row, ownerId);
    return;
  }
  const owner = unit.order(ownerId);
  const placed = acknowledgedPlacing(unit, owner);
  const isSwapped = isBoundElsewhere(read, attempt, row) && !hasOwnRow(read, attempt);
  // An order that was called absent counts, too: here is its row.
  const isSought =
    isOpenPlace(attempt) ||
    attempt.state.kind === 'absent' ||
    isSwapped ||
    (isContradicted(rightful, attempt, row) &&
      row.side === rightful.terms.side &&
      !read.isOther(rightful, row));
  // Fills are told by the id: one that is still to be answered would not get those of the other order.
  const isWaiting = attempt.state.kind === 'sending' && unit.fillsOf(ownerId).length > 0;
  if (bindingOf(owner)?.by === 'id' && placed && isSought && !isWaiting) {
    const reason = `it was acknowledged with ${row.brokerOrderId}, which is another order's`;
    // No order owns the row then: it is matched by its tag, in this read or once the other answer
    // is in.
    voidModifications(unit, ownerId, row.brokerOrderId);
    release(read, owner, placed, { reason, leaving: isOfEarlierDay(row, day) });
    if (!isSwapped) return;
    const named = brokerOrderIdOf(rightful) ?? '';
    voidModifications(unit, rightful.id, named);
    const why = `it was acknowledged as ${named}, and its tag is on ${row.brokerOrderId}`;
    const leaving = !read.rows.some((each) => each.brokerOrderId === named);
    release(read, rightful, attempt, { reason: why, leaving });
    return;
  }
  if (owner.state.kind !== 'disputed') {
    // The row is kept with the order: it shows that no change may be sent to this row.
    const cause = `its row ${row.brokerOrderId} carries the tag of ${rightful.id}`;
    unit.dispute(ownerId, cause, { row, othersRow: true });
  }
  disputeRightful(unit, rightful, attempt, row, ownerId);
}

/**
 * Whether the row that an order is bound to carries its tag, by this read or an earlier one of the day: what
 * a book of the evening before showed is no row of this one.
 */
export function hasOwnRow(read: TaggedRead, attempt: PlaceAttemptRecord): boolean {
  const { unit, day } = read;
  const { orderId, tag } = attempt;
  const order = unit.order(orderId);
  const binding = bindingOf(order);
  const shown = boundRowIn(read, attempt);
  if (shown === undefined && !isRowOfDay(unit, order, day)) return false;
  if (binding?.by === 'tag') return true;
  return (shown ?? binding?.row)?.tags.includes(tag) ?? false;
}

/** The row that an order is bound to; undefined where a read lacks it, or shows that of another order there. */
function boundRowIn(
  { unit, rows }: TaggedRead,
  { orderId, tag }: PlaceAttemptRecord,
): BrokerOrder | undefined {
  const binding = bindingOf(unit.order(orderId));
  const isOwn = ({ tags }: BrokerOrder): boolean =>
    binding?.by !== 'tag' || tags.length === 0 || tags.includes(tag);
  return binding === null ? undefined : rowsById(rows).of(binding.brokerOrderId).find(isOwn);
}

/** Takes the row that it is bound to from an order: the row with its tag is matched with it instead. */
function release(
  { unit, day, reopened }: TaggedRead,
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  { reason, leaving }: { readonly reason: string; readonly leaving: boolean },
): void {
  const named = brokerOrderIdOf(order);
  takeBack(unit, order, attempt, reason);
  reopened.add(attempt.id);
  if (named !== null) disown(unit, order, named, day, leaving);
}

/** Another row stands under the id of an order: an order whose tag is on it, and which has none, is disputed. */
export function disputeOrderOfTag(unit: UnitOfWork, row: BrokerOrder, ownerId: OrderId): void {
  const attempt = attemptOfTag(unit, row.tags);
  if (!attempt || attempt.orderId === ownerId) return;
  disputeRightful(unit, unit.order(attempt.orderId), attempt, row, ownerId);
}

/** Makes the order whose tag is on another order's row disputed, unless its outcome is known. */
function disputeRightful(
  unit: UnitOfWork,
  rightful: OrderRecord,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder,
  ownerId: OrderId,
): void {
  const isDenied = isContradicted(rightful, attempt, row);
  const isEnded = isOver(rightful) && calledAbsentOf(rightful) === null && !isDenied;
  if (brokerOrderIdOf(rightful) !== null || attempt.state.kind === 'sending' || isEnded) return;
  if (rightful.state.kind === 'disputed') return;
  const cause = `its tag is on ${row.brokerOrderId}, which is that of ${ownerId}`;
  unit.dispute(rightful.id, cause);
  if (!isDenied) return;
  const reason = `order ${rightful.id}, which was refused or not sent, is disputed: ${cause}`;
  setKillSwitch(unit, { engaged: true, reason, changedBy: null });
}

/** Whether a row with its tag contradicts that an order was refused, or never sent: one that is rejected does not. */
const isContradicted = (
  order: OrderRecord,
  attempt: PlaceAttemptRecord,
  row: BrokerOrder,
): boolean =>
  (order.state.kind === 'refused' || order.state.kind === 'not_sent') &&
  (attempt.state.kind === 'refused' || attempt.state.kind === 'not_sent') &&
  attempt.broker === order.broker &&
  !isEndedUnfilled(row);
