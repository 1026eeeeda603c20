import { type BrokerOrder, externalId, type UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { isFinalRow, isKnownProduct } from '../../domain/order.ts';
import type { EpochMs, OrderId, TradingDay } from '../../units/branded.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { changesOfExternal } from '../external/external-change.ts';
import { mostAsked } from '../order/accepted-terms.ts';
import { brokerOrderIdOf, type OrderRecord } from '../order/order.ts';
import { isOfEndedSession } from '../order/order-day.ts';
import { type IsinOf, sameDelivered } from './delivered-shares.ts';
import type { EarlierFill } from './earlier-fills.ts';
import type { Shares } from './held.ts';
import { laterLegs } from './iceberg-legs.ts';
import { isRowOfOurs } from './matching.ts';
import { isUnreadEnd, unreadShares } from './unread-shares.ts';
import type { Untold, UntoldRow } from './untold-fills.ts';
import { CLOCK_SKEW_MS, type PlaceAttemptRecord } from '../order/attempt.ts';

/** The rows of one read of a broker's book. */
export interface BookOfDay {
  readonly rows: readonly BrokerOrder[];
  /** Rows of it that cannot be read whole. */
  readonly unread: readonly UnreadRow[];
  /** What it no longer shows as filled, and the positions may lack. */
  readonly earlier?: readonly Pick<EarlierFill, 'row' | 'less'>[];
  /** Wall time at which the read began. */
  readonly begunAt: EpochMs;
}

/** A placing of ours whose outcome is open. */
interface OpenPlacing {
  readonly attempt: PlaceAttemptRecord;
  readonly order: OrderRecord;
}

/** What orders that are not the gateway's do with an order's shares, as a book shows it. */
export interface OthersShares {
  /** What they would still move the same way, with all legs of icebergs; Infinity where nobody knows how much. */
  readonly resting: number;
  /** What they have moved the same way that day, by the name under which they did: delivery shares have several. */
  readonly filled: ReadonlyMap<InstrumentName, number>;
  /** Rows that cannot be read and may be such orders, each in a quantity that nobody knows. */
  readonly unread: readonly UnreadRow[];
  /** Those that have ended and do not tell how much of them has filled. */
  readonly untold: Untold;
}

const NONE: OthersShares = {
  ...{ resting: 0, filled: new Map(), unread: [] },
  untold: { rows: [], filled: [] },
};

/** Whether two orders move, or may move, the same shares: delivered ones are the same on every exchange. */
export function isSameShares(one: Shares, other: Shares, isinOf: IsinOf): boolean {
  if (one.product !== other.product || one.side !== other.side) return false;
  if (one.instrument === other.instrument) return true;
  return one.product === 'CNC' && sameDelivered(one.instrument, other.instrument, isinOf) !== 'no';
}

/**
 * What the orders of others in a book do with an order's shares, such as those that a person has placed
 * in the broker's own app. A row that another open order of ours may turn out to be is left out: that order
 * is counted already. Nothing is known without a book of `day`.
 */
export function othersShares(
  state: ExecutionState,
  { broker, terms, orderId }: { broker: BrokerId; terms: Shares; orderId: OrderId },
  book: BookOfDay | null,
  { isinOf, day }: { readonly isinOf: IsinOf; readonly day: TradingDay },
): OthersShares {
  if (book === null || tradingDay(book.begunAt) !== day) return NONE;
  const isOfOthers = (row: BrokerOrder): boolean =>
    row.childOf === undefined &&
    !isOfEndedSession(row, day) &&
    !isRowOfOurs(state, broker, day, row);
  // The gateway may have made one larger a moment ago.
  const mostOf = (row: BrokerOrder): number =>
    state.externalChanges.size === 0
      ? row.quantity
      : mostAsked(
          row,
          changesOfExternal(state, externalId(broker, row.brokerOrderId)),
          book.begunAt,
        );
  const open: BrokerOrder[] = [];
  const filled = new Map<InstrumentName, number>();
  let resting = 0;
  const ended: UntoldRow[] = [];
  const changed: BrokerOrder[] = [];
  for (const [instrument, rows] of rowsOf(book.rows, terms)) {
    if (!isSameShares(terms, { ...terms, instrument }, isinOf)) continue;
    // Until a book is cleared, it has the orders of the session before as well.
    const others = notOurs(state, broker, day, rows).filter((row) => !isOfEndedSession(row, day));
    // Also those of the order itself: a change of it is of the leg that its row shows.
    resting += laterLegs(others);
    for (const row of others) {
      // What one of an unknown product has filled may be shown under another, and would be missed here all day.
      if (row.product === terms.product && row.filledQuantity)
        filled.set(instrument, (filled.get(instrument) ?? 0) + row.filledQuantity);
      // One that is about to be changed does not count against itself.
      const isItself = externalId(broker, row.brokerOrderId) === orderId;
      if (!isFinalRow(row.status) && !isItself) open.push(row);
      if (isFinalRow(row.status) && row.filledQuantity === null) ended.push(row);
      if ((row.filledQuantity ?? 0) > 0) changed.push(row);
    }
  }
  const isSame = (shares: Shares): boolean => isSameShares(terms, shares, isinOf);
  for (const { row, less } of book.earlier ?? []) {
    const { instrument, product } = row;
    if (product !== terms.product || !isSame({ ...row, product }) || !isOfOthers(row)) continue;
    filled.set(instrument, (filled.get(instrument) ?? 0) + less);
    changed.push(row);
  }
  const mayBe = unreadShares(state, { broker, terms, orderId }, book, { isSame, day });
  const hidden = mayBe.filter((row) => !isUnreadEnd(row));
  const untold = { rows: [...ended, ...mayBe.filter(isUnreadEnd)], filled: changed };
  if (open.length + hidden.length === 0) return { resting, filled, unread: [], untold };
  const placings = openPlacings(state, broker).filter(
    ({ order }) => order.id !== orderId && isSameShares(terms, order.terms, isinOf),
  );
  const unread: UnreadRow[] = [];
  for (const row of open) {
    const place = placings.findIndex((placing) => mayBeRowOf(placing, row));
    if (place >= 0) placings.splice(place, 1);
    else if (row.mostLeft === null) unread.push(withoutQuantity(row));
    else resting += row.mostLeft ?? mostOf(row) - (row.filledQuantity ?? 0);
  }
  for (const row of hidden) {
    const place = placings.findIndex((placing) => mayHide(placing, row));
    if (place >= 0) placings.splice(place, 1);
    else if (row.quantity === null) unread.push(row);
    else resting += row.quantity;
  }
  return { resting, filled, unread, untold };
}

/** An open row that can be read, but for how much of its order rests; with the fields of an unread row alone (`isWholeRow`). */
const withoutQuantity = (row: BrokerOrder): UnreadRow => {
  const { brokerOrderId, exchangeOrderId, instrument, side, product, status, tags } = row;
  return {
    ...{ brokerOrderId, exchangeOrderId, instrument, side, product, status, tags },
    quantity: null,
    reason: 'it is open, with a quantity of 0',
  };
};

/** Whether a row that cannot be read whole may be that of an open order of ours, which is counted already. */
function mayHide({ attempt, order }: OpenPlacing, row: UnreadRow): boolean {
  if (attempt.baseline === null) return row.tags.includes(attempt.tag);
  const isQuantity = row.quantity === null || row.quantity === order.terms.quantity;
  return isQuantity && !attempt.baseline.includes(row.brokerOrderId ?? '');
}

function openPlacings(state: ExecutionState, broker: BrokerId): OpenPlacing[] {
  return [...state.openPlaces].flatMap((id) => {
    const attempt = required(state.attempts, id, 'attempt');
    const order = required(state.orders, attempt.orderId, 'order');
    const isSought = attempt.kind === 'place' && brokerOrderIdOf(order) === null;
    return isSought && order.broker === broker ? [{ attempt, order }] : [];
  });
}

function mayBeRowOf({ attempt, order }: OpenPlacing, row: BrokerOrder): boolean {
  // The gateway places no icebergs.
  if (row.iceberg !== undefined) return false;
  if (attempt.baseline === null) return row.tags.includes(attempt.tag);
  return (
    row.quantity === order.terms.quantity &&
    !attempt.baseline.includes(row.brokerOrderId) &&
    (row.createdAt ?? Infinity) >= (attempt.brokerAt ?? attempt.sentAt) - CLOCK_SKEW_MS
  );
}

/** The rows of a list that were not of orders of ours, as long as no id of ours has become another's. */
interface NotOurs {
  readonly losses: number;
  readonly rows: readonly BrokerOrder[];
}

/** By list of one read: a list of thousands is looked through once, and not again for each order. */
const othersIn = new WeakMap<readonly BrokerOrder[], NotOurs>();

/** The rows of a list that are not of orders of ours. A read is of one broker and one day. */
function notOurs(
  state: ExecutionState,
  broker: BrokerId,
  day: TradingDay,
  rows: readonly BrokerOrder[],
): readonly BrokerOrder[] {
  const ours = state.observedIn.ours(broker, day);
  const losses = state.observedIn.losses();
  const known = othersIn.get(rows);
  const candidates = known?.losses === losses ? known.rows : rows;
  const left = candidates.filter(
    (row) => !(ours.has(row.brokerOrderId) && isRowOfOurs(state, broker, day, row)),
  );
  if (left.length < candidates.length || known?.losses !== losses) {
    othersIn.set(rows, { losses, rows: left });
  }
  return left;
}

/** Rows by instrument. */
type ByInstrument = ReadonlyMap<InstrumentName, readonly BrokerOrder[]>;

/**
 * Each read's rows by side and product, and by instrument: a book of thousands is sorted once, for all
 * orders.
 */
const sorted = new WeakMap<readonly BrokerOrder[], ReadonlyMap<string, ByInstrument>>();
const NO_ROWS: ByInstrument = new Map();

function* rowsOf(
  rows: readonly BrokerOrder[],
  { side, product }: Pick<BrokerOrder, 'side' | 'product'>,
): Generator<readonly [InstrumentName, readonly BrokerOrder[]]> {
  const known = sorted.get(rows);
  const lists = known ?? bySideAndProduct(rows);
  if (!known) sorted.set(rows, lists);
  // A row whose product nobody knows may be of any.
  for (const each of [product, '']) yield* lists.get(`${side}|${each}`) ?? NO_ROWS;
}

function bySideAndProduct(rows: readonly BrokerOrder[]): ReadonlyMap<string, ByInstrument> {
  const lists = new Map<string, Map<InstrumentName, BrokerOrder[]>>();
  for (const row of rows) {
    // What an order of the book has created counts with that order.
    if (row.childOf !== undefined) continue;
    const key = `${row.side}|${isKnownProduct(row.product) ? row.product : ''}`;
    let ofKey = lists.get(key);
    if (!ofKey) lists.set(key, (ofKey = new Map()));
    const list = ofKey.get(row.instrument);
    if (list) list.push(row);
    else ofKey.set(row.instrument, [row]);
  }
  return lists;
}
