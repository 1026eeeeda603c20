import type { BookView } from './book-view.ts';
import { type BrokerName, type FaultSource, numberOf } from './faults.ts';
import type { Reply } from './wire.ts';

/** How a list has each row twice. */
export interface RowCopies {
  /** What the order book showed then is the copy; null for equal copies. Accounts have equal copies alone. */
  asOf: number | null;
  /** Where the copies stand. */
  isFirst: boolean;
}

/** The lists of orders, positions and holdings, of both brokers. */
const LISTS = ['/orders', '/order-book', '/portfolio/positions', '/portfolio/holdings'];

/** How the list that is read has each row twice; null where it has each once. */
export function copiesOf(
  broker: BrokerName,
  source: FaultSource,
  where: { method: string; path: string },
  at: number,
): RowCopies | null {
  if (where.method !== 'GET' || !LISTS.includes(where.path)) return null;
  const twice = source.strike(broker, ['rows_twice'], where);
  const ageMs = twice && numberOf(twice, 'ageMs', 0);
  return twice && { asOf: ageMs ? at - ageMs : null, isFirst: twice.hits % 2 === 1 };
}

/** The reply to a read, with the rows of a second answer to it beside its own. */
export function withCopies(
  read: (view: BookView) => Reply,
  view: BookView,
  { asOf, isFirst }: RowCopies,
): Reply {
  const reply = read(view);
  if (reply.status !== 200) return reply;
  const copy = asOf === null ? reply : read({ ...view, asOf });
  const beside = (rows: unknown, copies: unknown): unknown => {
    if (!Array.isArray(rows) || !Array.isArray(copies)) return rows;
    return isFirst ? [...copies, ...rows] : [...rows, ...copies];
  };
  const { data, ...rest } = JSON.parse(reply.body);
  const { data: copied } = JSON.parse(copy.body);
  const isOfLists = typeof data === 'object' && data !== null && !Array.isArray(data);
  const both = isOfLists
    ? Object.fromEntries(
        Object.entries(data).map(([name, rows]) => [name, beside(rows, copied?.[name])]),
      )
    : beside(data, copied);
  return { ...reply, body: JSON.stringify({ ...rest, data: both }) };
}
