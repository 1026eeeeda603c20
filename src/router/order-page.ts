import type { OrderResponse } from '../domain/order.ts';
import { epochMs, type EpochMs, type TradingDay } from '../units/branded.ts';

/** The position of an order in a day's list. Neither field of an order ever changes. */
export interface OrderPosition {
  /** Epoch ms. */
  readonly createdAt: EpochMs;
  readonly id: string;
}

/** The IST day of the list, and the last order of the previous page. */
export interface OrderCursor {
  readonly day: TradingDay;
  readonly after: OrderPosition;
}

/** The most orders in one page, and the default. */
export const MOST_ORDERS_IN_PAGE = 1_000;

/** The most bytes of JSON for the orders of one page, so that the whole answer stays below 1 MB. */
export const MOST_BYTES_IN_PAGE = 950_000;

/** By how many bytes an order's times are longer in an answer, where they are texts. */
const LONGER_BYTES = 64;

/** The most bytes that an order takes in an answer. */
export function bytesOf(order: OrderResponse): number {
  return Buffer.byteLength(JSON.stringify(order)) + LONGER_BYTES;
}

/** The error for a text that is not a cursor. */
export const CURSOR_TAKES = 'takes the nextCursor of an answer, unchanged';

const CURSOR = /^(\d{4}-\d\d-\d\d) (\d{1,16}) (.+)$/s;

/** Negative when `left` is the older order. */
export function compareAge(left: OrderPosition, right: OrderPosition): number {
  return left.createdAt - right.createdAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
}

export function writeCursor({ day, after }: OrderCursor): string {
  return Buffer.from(`${day} ${after.createdAt} ${after.id}`).toString('base64url');
}

/** Null for a text that `writeCursor` did not make. */
export function readCursor(text: string): OrderCursor | null {
  const [, day, createdAt, id] = CURSOR.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (day === undefined || createdAt === undefined || id === undefined) return null;
  return { day, after: { createdAt: epochMs(Number(createdAt)), id } };
}

/**
 * The entries of two lists, each sorted by `compareAge`, newest first, starting after a position. A
 * binary search finds the first one, so a page costs the same for long lists.
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

/** How many entries are older than a position; without one, all of them. */
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
