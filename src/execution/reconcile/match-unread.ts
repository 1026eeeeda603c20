import type { IdentifiedRow, UnreadRow } from '../../domain/broker-order.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { BookObservation } from './book-observation.ts';
import { type Match, type OpenPlacing, orderOfRow } from './matching.ts';
import type { TradingDay } from '../../units/branded.ts';

type ReadOfUnread = Pick<BookObservation, 'broker' | 'unread' | 'isOther'>;

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
