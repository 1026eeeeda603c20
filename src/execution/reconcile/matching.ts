import { type BrokerOrder, type IdentifiedRow, isWholeRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { BoundBy } from '../../domain/order.ts';
import type { ObservedOrder } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { BookObservation } from './book-observation.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import {
  hasTermsOf,
  isInstrumentOf,
  type IsOtherInstrument,
  type PlaceAttemptRecord,
} from '../order/attempt.ts';
import { dayBefore, lastBookDay } from '../order/order-day.ts';
import { brokerOrderIdOf, type OrderRecord } from '../order/order.ts';
import { isBeforeRefusal, isMadeAfterAbsent, whenMade } from './when-made.ts';
import { type BrokerOrderId, type OrderId, type TradingDay } from '../../units/branded.ts';

/** A placing whose outcome is open, with its order: a row of the book may belong to it. */
export interface OpenPlacing {
  readonly attempt: PlaceAttemptRecord;
  readonly order: OrderRecord;
}

export type Match =
  | {
      readonly kind: 'bound';
      readonly placing: OpenPlacing;
      /** As far as it could be read. */
      readonly row: BrokerOrder | IdentifiedRow;
      readonly by: BoundBy;
    }
  | {
      readonly kind: 'disputed';
      readonly placing: OpenPlacing;
      readonly reason: string;
      /** It may as well be somebody else's row: no reason to stop other orders. */
      readonly isGuess?: true;
    }
  /** A row without its tag that one read has shown: the next one decides. */
  | { readonly kind: 'seen_once'; readonly placing: OpenPlacing }
  /** No row that could be this attempt's. */
  | { readonly kind: 'unseen'; readonly placing: OpenPlacing };

/**
 * Which row belongs to which open placing (docs/orders.md, "How an uncertain order is found").
 * `free` are the rows that no order of ours owns. With `tagsTrusted`, a row without the tag is never
 * taken; without, a row is a candidate when it was not in the baseline, has the fingerprint, and was not
 * made long after the send. A candidate whose time of creation is before the send makes the order disputed:
 * either a clock is wrong or the row is not ours, and a person has to look.
 */
export function matchRows(
  placings: readonly OpenPlacing[],
  free: readonly BrokerOrder[],
  tagsTrusted: boolean,
  /** Whether a tag is one of ours: its row belongs to that order, however much it resembles another. */
  isOurs: (tag: string) => boolean = () => false,
  isOther: IsOtherInstrument = (order, row) => !isInstrumentOf(order, row),
  /** See Trading. */
  marketAsLimit = false,
): Match[] {
  const tagged = placings.map((placing) => ({ placing, rows: rowsOf(placing, free, isOurs) }));
  const taken = new Set(tagged.flatMap(({ rows }) => rows));
  const untagged = free.filter((row) => !taken.has(row) && !row.tags.some(isOurs));
  const candidates = new Map(
    tagged
      .filter(({ placing, rows }) => rows.length === 0 && !(tagsTrusted && placing.attempt.tagSent))
      .map(({ placing }) => [
        placing,
        untagged.filter((row) => isCandidate(placing, row, marketAsLimit)),
      ]),
  );
  return tagged.map(({ placing, rows }) => {
    if (rows.length > 0) return matchTagged(placing, rows, isOther);
    return matchCandidates(placing, candidates);
  });
}

/** The rows with an order's tag; without one, the row of the id that its acknowledgement named. */
function rowsOf(
  { attempt }: OpenPlacing,
  free: readonly BrokerOrder[],
  isOurs: (tag: string) => boolean,
): readonly BrokerOrder[] {
  const tagged = free.filter((row) => row.tags.includes(attempt.tag));
  const { namedId } = attempt;
  if (tagged.length > 0 || namedId === undefined) return tagged;
  return free.filter((row) => row.brokerOrderId === namedId && !row.tags.some(isOurs));
}

function matchTagged(
  placing: OpenPlacing,
  rows: readonly BrokerOrder[],
  isOther: IsOtherInstrument,
): Match {
  const [row] = rows;
  if (rows.length > 1 || !row) {
    return { kind: 'disputed', placing, reason: `${rows.length} rows carry the order's tag` };
  }
  const by = row.tags.includes(placing.attempt.tag) ? 'tag' : 'id';
  const { terms } = placing.order;
  // An id alone may have been acknowledged for the wrong order: then the quantity has to agree as well.
  const isOtherSize = by === 'id' && row.quantity !== terms.quantity;
  if (isOther(placing.order, row) || row.side !== terms.side || isOtherSize) {
    const what = by === 'tag' ? "carries the order's tag" : 'has the id that was acknowledged';
    const other = `${row.side} ${row.quantity} ${row.instrument}`;
    return {
      ...{ kind: 'disputed', placing },
      reason: `row ${row.brokerOrderId} ${what}, but is ${other}`,
    };
  }
  return { kind: 'bound', placing, row, by };
}

function matchCandidates(
  placing: OpenPlacing,
  candidates: ReadonlyMap<OpenPlacing, readonly BrokerOrder[]>,
): Match {
  const rows = candidates.get(placing) ?? [];
  const [row] = rows;
  if (!row) return { kind: 'unseen', placing };
  const dispute = (reason: string): Match => ({ kind: 'disputed', placing, reason });
  if (rows.length > 1) return dispute(`${rows.length} rows could be this order`);
  const rivals = [...candidates].filter(
    ([other, theirs]) => other !== placing && theirs.includes(row),
  );
  if (rivals.length > 0) {
    return dispute(`row ${row.brokerOrderId} could be this order or another one`);
  }
  const { attempt } = placing;
  const mayBeOlder = row.createdAt === null && attempt.sentUnwatched === true;
  // One that was refused has been compared with the time of its refusal.
  const isOlder = attempt.state.kind !== 'refused' && whenMade(placing, row) === 'before';
  if (mayBeOlder || isOlder) {
    return dispute(
      `row ${row.brokerOrderId} is like this order, but is not known to have been made when it was sent`,
    );
  }
  return { kind: 'bound', placing, row, by: 'fingerprint' };
}

/**
 * A row without its tag is an uncertain order once two reads in a row have shown it under one id: a broker
 * can show a row under a wrong id for once, and only the id tells later which row is the order's. Rows that
 * are waited for are noted for the next read. What callers were told is not there is corrected at once.
 */
export function awaitSecondRead(
  matches: readonly Match[],
  { seenOnce }: Pick<BookObservation, 'seenOnce'>,
  noted: Map<OrderId, BrokerOrderId>,
): Match[] {
  if (seenOnce === null) return [...matches];
  return matches.map((match) => {
    if (match.kind !== 'bound' || match.by !== 'fingerprint') return match;
    const { placing, row } = match;
    if (placing.attempt.state.kind !== 'uncertain') return match;
    if (seenOnce.get(placing.order.id) === row.brokerOrderId) return match;
    noted.set(placing.order.id, row.brokerOrderId);
    return { kind: 'seen_once', placing };
  });
}

/** Whether a row without our tag may be a placing's; one of a refusal must be older than that. */
export function isCandidate(
  placing: OpenPlacing,
  row: BrokerOrder,
  marketAsLimit: boolean,
): boolean {
  const { attempt, order } = placing;
  if (!hasTermsOf(attempt, row, order, marketAsLimit)) return false;
  if (attempt.baseline?.includes(row.brokerOrderId) !== false) return false;
  if (attempt.state.kind === 'refused') {
    return row.tags.length === 0 && isBeforeRefusal(attempt, row);
  }
  // One that a person placed later, having seen that the outcome was open, is another order.
  if (whenMade(placing, row) === 'later') return false;
  return !isMadeAfterAbsent(placing, row);
}

/** Whether a row says that its order was rejected, and filled nothing. Brokers list refused orders so. */
export const isRejectedUnfilled = (row: BrokerOrder | IdentifiedRow): boolean =>
  isWholeRow(row) && row.status === 'rejected' && row.filledQuantity === 0;

/** Notes an id as seen now; when it was first seen stays as it is. */
export function putSeen(
  unit: UnitOfWork,
  seen: Omit<ObservedOrder, 'seenAt' | 'seenAfter' | 'movedFrom'>,
): void {
  const first = unit.observed(seen.broker, seen.day, seen.brokerOrderId);
  const { seenAfter } = first ?? { seenAfter: unit.state.lastEvent };
  unit.putObserved({
    ...seen,
    seenAt: first?.seenAt ?? unit.at,
    ...(seenAfter === undefined ? {} : { seenAfter }),
  });
}

/**
 * Whether a book whose reply had arrived before a placing was decided on has shown an id, on that day or
 * the evening before: then it is never that placing's. Counted in events, because clocks are set back.
 */
export function wasSeenBefore(
  unit: UnitOfWork,
  { broker, day, sentAfter }: PlaceAttemptRecord,
  brokerOrderId: BrokerOrderId,
): boolean {
  // Of an older version: no answer to it can come any more.
  if (sentAfter === undefined) return false;
  return [day, dayBefore(day)].some((each) => {
    const seen = unit.observed(broker, each, brokerOrderId);
    return seen !== undefined && (seen.seenAfter ?? 0) <= sentAfter;
  });
}

/** Our order behind an id in the book of one of the broker's days; null for one placed elsewhere. */
export function orderOfRow(
  unit: UnitOfWork,
  broker: BrokerId,
  day: TradingDay,
  brokerOrderId: BrokerOrderId,
): OrderId | null {
  const observed = unit.observed(broker, day, brokerOrderId);
  if (observed && observed.orderId !== null) return observed.orderId;
  // An after-market order is in the book of the next day under the same id, even where that book was
  // read before the order was bound.
  for (const orderId of unit.state.afterMarket) {
    const order = unit.order(orderId);
    if (order.broker !== broker || brokerOrderIdOf(order) !== brokerOrderId) continue;
    // A later book that still holds it has not been cleared; its trades are recorded already.
    if (order.day < day && day <= lastBookDay(order)) return orderId;
  }
  return null;
}

/** What tells whose a row of a book is. */
type RowNames = Pick<BrokerOrder, 'brokerOrderId' | 'instrument' | 'side'>;

/**
 * Whether a row of a book belongs to an order of ours, so that nothing else is matched to it. Where others share its
 * id, instrument and side tell, as the order was placed with them.
 */
export function isOwnedRow(
  state: ExecutionState,
  broker: BrokerId,
  day: TradingDay,
  row: RowNames,
): boolean {
  const seen = state.observedIn.get(broker, day, row.brokerOrderId);
  if (!seen || seen.orderId === null) return false;
  const order = seen.shared === true ? state.orders.get(seen.orderId) : undefined;
  return !order || (row.side === order.terms.side && isInstrumentOf(order, row));
}

/**
 * Whether a row of a book is counted, listed and cancelled as an order of ours. One of a quarantined order is not: the
 * gateway knows nothing of that order but its ids, so the row counts as one that was placed elsewhere.
 */
export function isRowOfOurs(
  state: ExecutionState,
  broker: BrokerId,
  day: TradingDay,
  row: RowNames,
): boolean {
  const owner = state.observedIn.get(broker, day, row.brokerOrderId)?.orderId ?? null;
  return owner !== null && !state.quarantine.hasOrder(owner) && isOwnedRow(state, broker, day, row);
}

/** Whether a row says the same as the last one that was taken in. */
export function isSameRow(known: BrokerOrder | null, row: BrokerOrder | null): boolean {
  if (!known || !row) return row === null;
  if (known === row) return true;
  return (
    known.rawStatus === row.rawStatus &&
    known.status === row.status &&
    known.filledQuantity === row.filledQuantity &&
    known.averagePrice === row.averagePrice &&
    known.quantity === row.quantity &&
    known.price === row.price &&
    known.triggerPrice === row.triggerPrice &&
    known.exchangeOrderId === row.exchangeOrderId &&
    known.reason === row.reason &&
    known.updatedAt === row.updatedAt
  );
}
