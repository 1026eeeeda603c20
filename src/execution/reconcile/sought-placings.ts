import type { BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { hasTermsOf, type PlaceAttemptRecord } from '../order/attempt.ts';
import { brokerOrderIdOf } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { BookObservation } from './book-observation.ts';
import {
  isCandidate,
  isRejectedUnfilled,
  type Match,
  type OpenPlacing,
  orderOfRow,
  wasSeenBefore,
} from './matching.ts';
import { rowsById } from './rows-by-id.ts';
import { isTagOfOurs } from './orders-of-tags.ts';
import { isBeforeRefusal } from './when-made.ts';
import type { AttemptId, BrokerOrderId, OrderId, TradingDay } from '../../units/branded.ts';

/**
 * Placings of the day for which the rows of a book are searched: open ones, ones called absent, and those
 * that were refused or not sent, where a row of `news` says otherwise.
 */
export function soughtPlacings(
  unit: UnitOfWork,
  observation: BookObservation,
  news: readonly BrokerOrder[],
  day: TradingDay,
  reopened: ReadonlySet<AttemptId>,
): OpenPlacing[] {
  const open = openPlacings(unit, observation, day, reopened);
  return [...open, ...contradicted(unit, observation, news, day)];
}

/** Placings of the day with an unknown outcome, and those called absent. */
export function openPlacings(
  unit: UnitOfWork,
  observation: BookObservation,
  day: TradingDay,
  reopened: Iterable<AttemptId> = [],
): OpenPlacing[] {
  const { openPlaces, absentPlaces } = unit.state;
  const sought = new Set([...openPlaces, ...absentPlaces, ...reopened]);
  return [...sought].flatMap((id) => {
    const attempt = unit.attempt(id);
    // The answer to a request that is on its way decides about it; others may be bound by now.
    const isOpen = attempt.state.kind === 'uncertain' || attempt.state.kind === 'absent';
    return attempt.kind === 'place' && isOpen
      ? (placingOf(unit, observation, attempt, day) ?? [])
      : [];
  });
}

/** Null where a book of that day and account says nothing about the placing. */
function placingOf(
  unit: UnitOfWork,
  observation: BookObservation,
  attempt: PlaceAttemptRecord,
  day: TradingDay,
): OpenPlacing | null {
  if (attempt.broker !== observation.broker) return null;
  if (isOfOtherAccount(attempt, observation.account)) return null;
  const order = unit.order(attempt.orderId);
  // A clock that was a day ahead dated a placing for tomorrow: its row is in today's book.
  return day > lastBookDay(order) ? null : { attempt, order };
}

/**
 * Placings whose request was refused or not sent, and that have a row all the same: one with their tag,
 * or, after a refusal without tags, one that was made before the refusal arrived. A twin that somebody
 * places later never counts.
 */
function contradicted(
  unit: UnitOfWork,
  observation: BookObservation,
  news: readonly BrokerOrder[],
  day: TradingDay,
): OpenPlacing[] {
  const found = new Map<string, OpenPlacing>();
  const { attemptByTag, refusedPlaces } = unit.state;
  const { marketAsLimit = false } = observation;
  // A disputed one waits for a person: rows without its tag decide nothing more.
  const refused = [...refusedPlaces]
    .flatMap((id) => closedPlacing(unit, observation, id, day) ?? [])
    .filter(({ order }) => order.state.kind === 'refused');
  const findByTag = ({ tags }: BrokerOrder | UnreadRow): void => {
    for (const tag of tags) {
      const id = attemptByTag.get(tag);
      const placing = id === undefined ? null : closedPlacing(unit, observation, id, day);
      if (placing) found.set(placing.attempt.id, placing);
    }
  };
  for (const row of observation.unread) findByTag(row);
  for (const row of news) {
    if (orderOfRow(unit, observation.broker, day, row.brokerOrderId) !== null) continue;
    findByTag(row);
    for (const placing of refused) {
      if (row.tags.length > 0 || !isBeforeRefusal(placing.attempt, row)) continue;
      if (!isCandidate(placing, row, marketAsLimit)) continue;
      // It may be the row of another order of ours under a wrong id: likeRefused tells a person.
      if (missingTwin(unit, observation, row, day) === null) {
        found.set(placing.attempt.id, placing);
      }
    }
  }
  return [...found.values()];
}

/**
 * Placings that were refused, and that have an equal row which was made before the refusal arrived and which
 * no book had shown before the send: one without a tag where rows carry our tag, or one with a tag that is
 * nobody's. The tag may be lost or replaced, or somebody else has placed the same in the same seconds: a
 * person has to look, and also where it is like another order of ours whose own row is missing. Where no tags come back, a row that differs only in what a modification changes, when
 * a book first shows it, is treated the same way.
 */
export function likeRefused(
  unit: UnitOfWork,
  observation: BookObservation,
  news: readonly BrokerOrder[],
  day: TradingDay,
  tagsTrusted: boolean,
): Match[] {
  const { broker, marketAsLimit = false } = observation;
  const { refusedPlaces } = unit.state;
  const refused = [...refusedPlaces]
    .flatMap((id) => closedPlacing(unit, observation, id, day) ?? [])
    .filter(({ order }) => order.state.kind === 'refused');
  if (refused.length === 0) return [];
  const isOurs = isTagOfOurs(unit.state);
  const free = news.filter(
    (row) => orderOfRow(unit, broker, day, row.brokerOrderId) === null && !row.tags.some(isOurs),
  );
  return refused.flatMap((placing): Match[] => {
    const { attempt, order } = placing;
    // Where no tags come back, rows without one are compared by matchRows.
    const isOfTags = attempt.baseline === null || (tagsTrusted && attempt.tagSent);
    const made = free.filter(
      (each) =>
        isBeforeRefusal(attempt, each) &&
        attempt.baseline?.includes(each.brokerOrderId) !== true &&
        !wasSeenBefore(unit, attempt, each.brokerOrderId),
    );
    const dispute = (row: BrokerOrder, is: string): Match[] => {
      const reason = `row ${row.brokerOrderId} was made before the refusal of this order arrived, and ${is}`;
      return [{ kind: 'disputed', placing, reason, isGuess: true }];
    };
    const like = made.find(
      (each) =>
        !isRejectedUnfilled(each) &&
        (isOfTags || each.tags.length > 0) &&
        hasTermsOf(attempt, each, order, marketAsLimit),
    );
    if (like) {
      const tag = like.tags.length === 0 ? 'no tag' : `the tag ${like.tags.join(', ')}`;
      return dispute(like, `is like it, and has ${tag}`);
    }
    const isNew = ({ brokerOrderId }: BrokerOrder): boolean =>
      unit.observed(broker, day, brokerOrderId) === undefined;
    for (const row of made) {
      if (isOfTags || row.tags.length > 0) break;
      const twin = isCandidate(placing, row, marketAsLimit)
        ? missingTwin(unit, observation, row, day)
        : null;
      if (twin !== null)
        return dispute(row, `is like it, and like order ${twin}, whose row is missing`);
    }
    const changed = isOfTags
      ? undefined
      : made.find((each) => isNew(each) && isChangeOf(unit, observation, placing, each));
    return changed ? dispute(changed, 'may be it, with terms that somebody has changed since') : [];
  });
}

/**
 * An order of ours that is bound to another id which this read does not show, and that the row is like: a
 * broker can show a row under a wrong id. Null where there is none.
 */
function missingTwin(
  unit: UnitOfWork,
  { broker, rows, unread, marketAsLimit = false }: BookObservation,
  row: BrokerOrder,
  day: TradingDay,
): OrderId | null {
  const shown = rowsById(rows);
  const isShown = (id: BrokerOrderId): boolean =>
    shown.has(id) || unread.some(({ brokerOrderId }) => brokerOrderId === id);
  for (const id of unit.state.ordersOfDay.get(day)?.keys() ?? []) {
    const order = unit.order(id);
    const named = order.broker === broker ? brokerOrderIdOf(order) : null;
    if (named === null || isShown(named)) continue;
    const isLike = [...(unit.state.attemptsOf.get(id) ?? [])].some((attemptId) => {
      const attempt = unit.attempt(attemptId);
      return attempt.kind === 'place' && hasTermsOf(attempt, row, order, marketAsLimit);
    });
    if (isLike) return id;
  }
  return null;
}

/**
 * Whether a row without a tag may be that of a placing which somebody has changed before a book showed it:
 * a modification leaves instrument, side and product. One that is like another placing is that one's.
 */
function isChangeOf(
  unit: UnitOfWork,
  { isOther, marketAsLimit = false }: BookObservation,
  { order }: OpenPlacing,
  row: BrokerOrder,
): boolean {
  const { side, product } = order.terms;
  if (row.tags.length > 0 || row.childOf !== undefined) return false;
  if (row.side !== side || row.product !== product || isOther(order, row)) return false;
  const { openPlaces, absentPlaces, refusedPlaces } = unit.state;
  return ![...openPlaces, ...absentPlaces, ...refusedPlaces].some((id) => {
    const each = unit.attempt(id);
    return each.kind === 'place' && hasTermsOf(each, row, unit.order(each.orderId), marketAsLimit);
  });
}

/** A placing that was refused or not sent, and after which its order went to no other broker. */
function closedPlacing(
  unit: UnitOfWork,
  observation: BookObservation,
  id: AttemptId,
  day: TradingDay,
): OpenPlacing | null {
  const attempt = unit.attempt(id);
  const { kind } = attempt.state;
  if (attempt.kind !== 'place' || (kind !== 'refused' && kind !== 'not_sent')) return null;
  const placing = placingOf(unit, observation, attempt, day);
  if (placing?.order.broker !== attempt.broker || brokerOrderIdOf(placing.order) !== null)
    return null;
  const state = placing.order.state.kind;
  return state === 'refused' || state === 'not_sent' || state === 'disputed' ? placing : null;
}
