import type { IdentifiedRow, UnreadRow } from '../../domain/broker-order.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { brokerOrderIdOf, isOver } from '../order/order.ts';
import type { BookObservation } from './book-observation.ts';
import { isRowOld } from './lost-rows.ts';
import { type Match, type OpenPlacing, orderOfRow } from './matching.ts';
import { attemptOfTag } from './orders-of-tags.ts';
import { hasOwnRow, isBoundElsewhere, moveTo, type TaggedRead } from './tagged-rows.ts';
import type { TradingDay } from '../../units/branded.ts';

type ReadOfUnread = Pick<BookObservation, 'broker' | 'unread' | 'isOther'>;

/**
 * Rows with the tag of an order that is bound to an id which the book does not show, and no whole row with
 * that tag: the row of that id may have been misread, or the order may have got another id. Once two reads
 * in a row show the same id, and the row of the first has been missing for five seconds where a book had
 * shown it with the tag, the order is the row with its tag, as it would be if that could be read whole.
 */
export function followUnreadTags(read: TaggedRead): void {
  const { unit, broker, day, rows, unread } = read;
  for (const row of unread.filter(hasId)) {
    const attempt = attemptOfTag(unit, row.tags);
    if (!attempt || !isBoundElsewhere(read, attempt, row)) continue;
    const order = unit.order(attempt.orderId);
    const named = brokerOrderIdOf(order) ?? '';
    const isShown = [...rows, ...unread].some(({ brokerOrderId }) => brokerOrderId === named);
    if (isOver(order) || isShown || rows.some(({ tags }) => tags.includes(attempt.tag))) continue;
    if (orderOfRow(unit, broker, day, row.brokerOrderId) !== null) continue;
    const isSecond = read.elsewhere.get(order.id) === row.brokerOrderId;
    read.foundElsewhere.set(order.id, row.brokerOrderId);
    const isGone = isRowOld(read.lostFor.get(order.id));
    if (!isSecond || (!isGone && hasOwnRow(read, attempt))) continue;
    const reason = `it was at ${broker} as ${named}, and its tag is on ${row.brokerOrderId}`;
    moveTo(read, attempt, row, { reason, leaving: true });
  }
}

/**
 * What rows that cannot be read whole say of placings, given what whole rows say (docs/orders.md, "Rows that
 * cannot be read, and rows that vanish"). The tag of a placing on such a row tells whose row it is: where its
 * id can be read as well, it is the order. Where it cannot, nobody can say which id the order has: an order
 * that was called not placed becomes disputed, and an uncertain one stays so.
 */
export function matchUnread(
  unit: UnitOfWork,
  read: ReadOfUnread,
  matches: readonly Match[],
  day: TradingDay,
): Match[] {
  if (read.unread.length === 0) return [...matches];
  return matches.map((match) => {
    const { tag } = match.placing.attempt;
    const tagged = read.unread.filter((row) => row.tags.includes(tag));
    return tagged.length === 0 ? match : matchTagged(unit, read, match, tagged, day);
  });
}

function matchTagged(
  unit: UnitOfWork,
  read: ReadOfUnread,
  match: Match,
  tagged: readonly UnreadRow[],
  day: TradingDay,
): Match {
  if (match.kind === 'disputed') return match;
  const { placing } = match;
  const named = new Map(tagged.filter(hasId).map((row) => [row.brokerOrderId, row]));
  const isByTag = match.kind === 'bound' && match.by === 'tag';
  const ids = new Set([...named.keys(), ...(isByTag ? [match.row.brokerOrderId] : [])]);
  if (ids.size > 1) {
    return { kind: 'disputed', placing, reason: `${ids.size} rows carry the order's tag` };
  }
  if (isByTag) return match;
  const [row] = named.values();
  if (!row) return withoutId(placing);
  // The outcome of the order that owns it has to be opened first: that takes a whole row.
  const owner = orderOfRow(unit, read.broker, day, row.brokerOrderId);
  if (owner !== null) return { kind: 'unseen', placing };
  const isWrong =
    (row.side !== null && row.side !== placing.order.terms.side) ||
    (row.instrument !== null && read.isOther(placing.order, { instrument: row.instrument }));
  if (!isWrong) return { kind: 'bound', placing, row, by: 'tag' };
  const what = `${row.side ?? ''} ${row.instrument ?? ''}`.trim();
  const reason = `row ${row.brokerOrderId} carries the order's tag, but is ${what}`;
  return { kind: 'disputed', placing, reason };
}

export const hasId = (row: UnreadRow): row is IdentifiedRow => row.brokerOrderId !== null;

function withoutId(placing: OpenPlacing): Match {
  const { kind } = placing.order.state;
  if (kind === 'uncertain' || kind === 'disputed') return { kind: 'unseen', placing };
  const reason =
    "a row that cannot be read whole, and whose id is unreadable, carries the order's tag";
  return { kind: 'disputed', placing, reason };
}
