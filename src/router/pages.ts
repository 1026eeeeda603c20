import type { OrderResponse } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { epochMs, type EpochMs } from '../units/branded.ts';

/** The position of an entry in a list. Neither field of an entry ever changes. */
export interface ListPosition {
  /** Epoch ms. */
  readonly createdAt: EpochMs;
  readonly id: string;
}

/** The lists that come in pages. */
const LISTS = ['orders', 'trades', 'fills', 'exits', 'closings', 'triggers'] as const;
export type PagedList = (typeof LISTS)[number];

/** Which list a cursor belongs to, and the last entry of the previous page. */
export interface PageCursor {
  readonly list: PagedList;
  /** What the list is of: a trading day, or what has the list. */
  readonly of: string;
  readonly after: ListPosition;
}

/** The most entries in one page, and the default. */
export const MOST_IN_PAGE = 1_000;

/** The most bytes of JSON for the entries of one page, so that the whole answer stays below 1 MB. */
export const MOST_BYTES_IN_PAGE = 950_000;

/**
 * By how many bytes an order can be longer in an answer than its JSON here: times are texts there, and
 * what the broker does not tell of it is there as null.
 */
const LONGER_BYTES = { withDetails: 224, withoutDetails: 520 };

/** The most bytes that an order takes in an answer. */
export function bytesOfOrder(order: OrderResponse): number {
  const { withDetails, withoutDetails } = LONGER_BYTES;
  const longer = order.details === undefined ? withoutDetails : withDetails;
  return Buffer.byteLength(JSON.stringify(order)) + longer;
}

/** The error for a text that is not a cursor. */
export const CURSOR_TAKES = 'takes the nextCursor of an answer, unchanged';

/** Lists of a trading day; the others are of a broker, or of an order. */
const OF_DAY: readonly PagedList[] = ['orders', 'trades', 'exits', 'closings'];
const DAY = /^\d{4}-\d\d-\d\d$/;

const CURSOR = new RegExp(`^(${LISTS.join('|')})/(\\S+) (\\d{1,16}) (.+)$`, 's');

/** Negative when `left` is the older entry. */
export function compareAge(left: ListPosition, right: ListPosition): number {
  return left.createdAt - right.createdAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

export function writeCursor({ list, of, after }: PageCursor): string {
  return Buffer.from(`${list}/${of} ${after.createdAt} ${after.id}`).toString('base64url');
}

/** Null for a text that `writeCursor` did not make. */
export function readCursor(text: string): PageCursor | null {
  const [, name, of, createdAt, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const list = LISTS.find((each) => each === name);
  if (list === undefined || of === undefined || createdAt === undefined || id === undefined) {
    return null;
  }
  if (OF_DAY.includes(list) && !DAY.test(of)) return null;
  return { list, of, after: { createdAt: epochMs(Number(createdAt)), id } };
}

/**
 * The cursor of a request for a page of a list: null for the first page. Throws `wrong_cursor` for one of
 * another list, or of the same list of another day or thing than `of`.
 */
export function cursorOf(
  list: PagedList,
  text: string | undefined,
  of: string | undefined,
): PageCursor | null {
  if (text === undefined) return null;
  const cursor = readCursor(text);
  if (cursor?.list === list && (of ?? cursor.of) === cursor.of) return cursor;
  const message = cursor
    ? `belongs to the list of ${cursor.list} of ${cursor.of}, and not to this one: leave it out for the first page`
    : CURSOR_TAKES;
  throw new GatewayProblem({
    code: cursor ? 'wrong_cursor' : 'invalid_request',
    detail: `query.cursor: ${message}`,
    errors: [{ path: 'query.cursor', message }],
  });
}

/**
 * The first entries of what is left of a list: at most `limit`, and as many as an answer below 1 MB can
 * have, but at least one. `last` is the last of them when more follow, and null otherwise.
 */
export function takePage<T>(
  listed: Iterable<T>,
  bytesOf: (entry: T) => number,
  limit: number = MOST_IN_PAGE,
): { readonly entries: readonly T[]; readonly last: T | null } {
  const entries: T[] = [];
  let bytes = 0;
  for (const entry of listed) {
    if (entries.length >= limit) return { entries, last: entries.at(-1) ?? null };
    bytes += bytesOf(entry);
    const isFull = entries.length > 0 && bytes > MOST_BYTES_IN_PAGE;
    if (isFull) return { entries, last: entries.at(-1) ?? null };
    entries.push(entry);
  }
  return { entries, last: null };
}

/**
 * The entries of two lists, each sorted by `compareAge`, newest first, starting after a position. A
 * binary search finds the first one, so a page costs the same for long lists.
 */
export function* newestFirst<Left extends ListPosition, Right extends ListPosition>(
  left: readonly Left[],
  right: readonly Right[],
  after: ListPosition | null,
): Generator<Left | Right, void, undefined> {
  let leftEnd = olderThan(left, after);
  let rightEnd = olderThan(right, after);
  for (;;) {
    const [one, other] = [left[leftEnd - 1], right[rightEnd - 1]];
    if (one !== undefined && (other === undefined || compareAge(one, other) > 0)) {
      leftEnd -= 1;
      yield one;
    } else if (other !== undefined) {
      rightEnd -= 1;
      yield other;
    } else return;
  }
}

/** How many entries are older than a position; without one, all of them. */
function olderThan(sorted: readonly ListPosition[], position: ListPosition | null): number {
  if (position === null) return sorted.length;
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = sorted[middle];
    if (entry !== undefined && compareAge(entry, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
