import { type BrokerOrder, externalId, type UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { isFinalRow, mayBeOfProduct } from '../../domain/order.ts';
import { type EpochMs, type OrderId, plus, type TradingDay } from '../../units/branded.ts';
import { changesOfExternal } from '../external/external-change.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Shares } from './held.ts';
import { isOfEndedSession } from '../order/order-day.ts';
import { isRowOfOurs } from './matching.ts';
import { rowsById } from './rows-by-id.ts';

/** One read of a book. */
interface Book {
  readonly rows: readonly BrokerOrder[];
  readonly unread: readonly UnreadRow[];
  /** Wall time at which the read began. */
  readonly begunAt: EpochMs;
}

/** After an acknowledged cancel, a fill that was faster is in the positions by then. */
const CANCEL_SHOWN_MS = 5_000;

/**
 * The rows of a book that cannot be read whole, and that may be orders of others which move the same shares
 * as an order. A row whose instrument cannot be read is not among them: it could be any, and would hold up every
 * way out (docs/decisions/0072-unread-rows-of-others.md). Neither is one of an order of ours, which is counted by
 * itself, nor one of an ended session, nor one beside a whole row of the same order. One that has ended is among them, because nobody knows how much
 * of it has filled (`isUnreadEnd`). Where its status cannot be read, a cancel that the broker has taken ends it: nothing
 * else ever would.
 */
export function unreadShares(
  state: ExecutionState,
  { broker, terms, orderId }: { broker: BrokerId; terms: Shares; orderId: OrderId },
  book: Book,
  of: {
    readonly isSame: (shares: Shares) => boolean;
    readonly day: TradingDay;
  },
): readonly UnreadRow[] {
  if (book.unread.length === 0) return [];
  return book.unread.filter((row) => {
    const { instrument, side, product = terms.product } = row;
    if (instrument === null || !mayBeOfProduct(product, terms.product)) return false;
    if (!of.isSame({ ...terms, instrument, side: side ?? terms.side })) return false;
    if (isUnreadOfEndedSession(row, of.day)) return false;
    const isItself =
      row.brokerOrderId !== null && externalId(broker, row.brokerOrderId) === orderId;
    if (isItself || isUnreadOfOurs(state, broker, of.day, row)) return false;
    return !isShownWhole(book.rows, row) && !isCancelled(state, broker, book, row);
  });
}

/** As `isOfEndedSession` of a whole row; never where what tells it cannot be read. */
function isUnreadOfEndedSession(
  { instrument, timing, status = 'unrecognised' }: UnreadRow,
  day: TradingDay,
): boolean {
  if (timing === undefined || instrument === null) return false;
  return isOfEndedSession({ ...timing, instrument, status }, day);
}

/** Whether a row that cannot be read whole says that its order has ended. */
export const isUnreadEnd = ({ status }: UnreadRow): boolean =>
  status !== undefined && isFinalRow(status);

/**
 * Whether a row that cannot be read is of an order of ours, by its id or its tag. One of a quarantined order
 * counts as placed elsewhere, as in `isRowOfOurs`.
 */
export function isUnreadOfOurs(
  state: ExecutionState,
  broker: BrokerId,
  day: TradingDay,
  { brokerOrderId, instrument, side, tags }: UnreadRow,
): boolean {
  if (tags.some((tag) => state.attemptByTag.has(tag))) return true;
  if (brokerOrderId === null) return false;
  const owner = state.observedIn.get(broker, day, brokerOrderId)?.orderId ?? null;
  if (instrument === null) return owner !== null && !state.quarantine.hasOrder(owner);
  const sides = side === null ? (['BUY', 'SELL'] as const) : [side];
  return sides.some((each) =>
    isRowOfOurs(state, broker, day, { brokerOrderId, instrument, side: each }),
  );
}

/** Whether the rows of a book have a whole one of the same order: that one counts. */
export function isShownWhole(
  rows: readonly BrokerOrder[],
  { brokerOrderId, instrument, side }: UnreadRow,
): boolean {
  if (brokerOrderId === null) return false;
  return rowsById(rows)
    .of(brokerOrderId)
    .some(
      (row) =>
        (instrument === null || row.instrument === instrument) &&
        (side === null || row.side === side),
    );
}

function isCancelled(
  state: ExecutionState,
  broker: BrokerId,
  { begunAt }: Book,
  { brokerOrderId, status }: UnreadRow,
): boolean {
  if (brokerOrderId === null || status !== undefined) return false;
  return changesOfExternal(state, externalId(broker, brokerOrderId)).some(
    ({ kind, state: told }) =>
      kind === 'cancel' &&
      told.kind === 'acknowledged' &&
      plus(told.settledAt, CANCEL_SHOWN_MS) <= begunAt,
  );
}
