import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { istTime } from '../../domain/ist.ts';
import type { BoundBy } from '../../domain/order.ts';
import type { ObservedOrder } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import {
  CLOCK_SKEW_MS,
  isInstrumentOf,
  type IsOtherInstrument,
  type PlaceAttemptRecord,
  rowFingerprint,
} from '../order/attempt.ts';
import { dayBefore, lastBookDay } from '../order/order-day.ts';
import { brokerOrderIdOf, calledAbsentOf, type OrderRecord } from '../order/order.ts';
import {
  type BrokerOrderId,
  type EpochMs,
  type OrderId,
  plus,
  type TradingDay,
} from '../../units/branded.ts';

/** A placing whose outcome is open, with its order: a row of the book may belong to it. */
export interface OpenPlacing {
  readonly attempt: PlaceAttemptRecord;
  readonly order: OrderRecord;
}

export type Match =
  | {
      readonly kind: 'bound';
      readonly placing: OpenPlacing;
      readonly row: BrokerOrder;
      readonly by: BoundBy;
    }
  | { readonly kind: 'disputed'; readonly placing: OpenPlacing; readonly reason: string }
  /** No row that could be this attempt's. */
  | { readonly kind: 'unseen'; readonly placing: OpenPlacing };

/**
 * A broker has made the row of a request by then: the request itself takes 8 seconds at most, brokers have
 * been 90 seconds late, and two clocks that agree differ by a minute at most (docs/decisions/0027).
 */
export const MADE_WITHIN_MS = 180_000;
/** What was taken before is released to the exchange by then. */
const OPENING = '09:15';

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
): Match[] {
  const tagged = placings.map((placing) => ({ placing, rows: rowsOf(placing, free, isOurs) }));
  const taken = new Set(tagged.flatMap(({ rows }) => rows));
  const untagged = free.filter((row) => !taken.has(row) && !row.tags.some(isOurs));
  const candidates = new Map(
    tagged
      .filter(({ placing, rows }) => rows.length === 0 && !(tagsTrusted && placing.attempt.tagSent))
      .map(({ placing }) => [placing, untagged.filter((row) => isCandidate(placing, row))]),
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
  if (isOther(placing.order, row) || row.side !== placing.order.terms.side) {
    const what = by === 'tag' ? "carries the order's tag" : 'has the id that was acknowledged';
    const reason = `row ${row.brokerOrderId} ${what}, but is ${row.side} ${row.instrument}`;
    return { kind: 'disputed', placing, reason };
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
  const mayBeOlder = row.createdAt === null && placing.attempt.sentUnwatched === true;
  if (mayBeOlder || whenMade(placing, row) === 'before') {
    return dispute(
      `row ${row.brokerOrderId} is like this order, but is not known to have been made when it was sent`,
    );
  }
  return { kind: 'bound', placing, row, by: 'fingerprint' };
}

/** Whether a row without our tag may be a placing's; one of a refusal must be older than that. */
export function isCandidate(placing: OpenPlacing, row: BrokerOrder): boolean {
  const { attempt, order } = placing;
  if (rowFingerprint(attempt.broker, row, order) !== attempt.fingerprint) return false;
  if (attempt.baseline?.includes(row.brokerOrderId) !== false) return false;
  const { state } = attempt;
  const made = whenMade(placing, row);
  // One that a person placed later, having seen that the outcome was open, is another order.
  if (made === 'later') return false;
  if (state.kind === 'refused') {
    const { createdAt } = row;
    if (row.tags.length > 0 || createdAt === null || made === 'before') return false;
    return createdAt <= plus(state.settledAt, sentByBroker(attempt) - attempt.sentAt);
  }
  // After an order was called absent, an equal one may well be placed by hand.
  const calledAbsent = calledAbsentOf(order);
  return calledAbsent === null || (row.createdAt ?? 0) <= calledAbsent.at + CLOCK_SKEW_MS;
}

/** When a placing was sent, by the broker's clock where it had told the time; else by this computer's. */
const sentByBroker = ({ brokerAt, sentAt }: PlaceAttemptRecord): EpochMs => brokerAt ?? sentAt;

/**
 * When a row was made, compared with the send of a placing. An after-market order may get another time
 * when the exchange opens. A row that tells no time may be of any.
 */
export function whenMade(
  { attempt, order }: OpenPlacing,
  { createdAt }: BrokerOrder,
): 'before' | 'with it' | 'later' {
  if (createdAt === null) return 'with it';
  const sentAt = sentByBroker(attempt);
  if (createdAt < sentAt - CLOCK_SKEW_MS) return 'before';
  if (createdAt <= sentAt + MADE_WITHIN_MS) return 'with it';
  const last = lastBookDay(order);
  const isReleased =
    order.terms.amo &&
    createdAt >= istTime(last, '00:00') &&
    createdAt <= istTime(last, OPENING) + MADE_WITHIN_MS;
  return isReleased ? 'with it' : 'later';
}

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
