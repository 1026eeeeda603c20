import type { OrderResponse } from '../domain/order.ts';

/** The place of an order in a day's list. Neither field of an order ever changes. */
export interface OrderPosition {
  /** Epoch ms. */
  readonly createdAt: number;
  readonly id: string;
}

/** The IST day that is listed, and the order that the next page begins behind. */
export interface OrderCursor {
  readonly day: string;
  readonly after: OrderPosition;
}

/** Orders in one page at most, and in one that names no limit. */
export const MOST_ORDERS_IN_PAGE = 1_000;

/** Of the orders in one page, written as JSON: with what is around them, an answer stays below 1 MB. */
export const MOST_BYTES_IN_PAGE = 950_000;

/** What the instants of an order are longer by in an answer, where they are texts. */
const LONGER_BYTES = 64;

/** The room that an order takes in an answer, at most. */
export function bytesOf(order: OrderResponse): number {
  return Buffer.byteLength(JSON.stringify(order)) + LONGER_BYTES;
}

/** What is wrong with a text that is no cursor, and what would be right. */
export const CURSOR_TAKES = 'takes the nextCursor of an answer, as it came';

const CURSOR = /^(\d{4}-\d\d-\d\d) (\d{1,16}) (.+)$/s;

/** Below 0 when `left` is the older order. */
export function compareAge(left: OrderPosition, right: OrderPosition): number {
  return left.createdAt - right.createdAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

export function writeCursor({ day, after }: OrderCursor): string {
  return Buffer.from(`${day} ${after.createdAt} ${after.id}`).toString('base64url');
}

/** Null for a text that `writeCursor` has not made. */
export function readCursor(text: string): OrderCursor | null {
  const [, day, createdAt, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (day === undefined || createdAt === undefined || id === undefined) return null;
  return { day, after: { createdAt: Number(createdAt), id } };
}

/**
 * The entries of two lists, each sorted by `compareAge`, newest first, from behind a position on.
 * Finding the first one is a binary search: how long the lists are makes no difference to a page.
 */
export function* newestFirst<Left extends OrderPosition, Right extends OrderPosition>(
  left: readonly Left[],
  right: readonly Right[],
  after: OrderPosition | null,
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

/** How many entries are older than a position; all of them without one. */
function olderThan(sorted: readonly OrderPosition[], position: OrderPosition | null): number {
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
