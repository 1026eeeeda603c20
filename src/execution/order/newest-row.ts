import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import { type EpochMs, plus } from '../../units/branded.ts';
import { BOOK_LAG_MS, CLOCKS_AGREE_MS } from './attempt.ts';

/**
 * A row without its time of change where that is yet to come at `at`: no order was changed in the future, so nothing
 * may be called older than such a row (decision 0084).
 */
export function datedBy<Row extends Pick<BrokerOrder, 'updatedAt'>>(row: Row, at: EpochMs): Row {
  const { updatedAt } = row;
  const isToCome = updatedAt !== null && updatedAt > plus(at, CLOCKS_AGREE_MS);
  return isToCome ? { ...row, updatedAt: null } : row;
}

/**
 * A read can be of the past: a row never takes back a final status, a fill, or a later time of
 * change. One that ends an open order is news also where it has fewer fills: it ended, and what was
 * known of its fills stays.
 */
export function newestRow(known: BrokerOrder | null, seen: BrokerOrder | null): BrokerOrder | null {
  if (!known || !seen) return seen ?? known;
  if (isFinalRow(known.status) && !isFinalRow(seen.status)) return known;
  const { filledQuantity } = known;
  const isOlder =
    known.updatedAt !== null && seen.updatedAt !== null && seen.updatedAt < known.updatedAt;
  const isEnd = isFinalRow(seen.status) && !isFinalRow(known.status);
  if (seen.filledQuantity !== null && filledQuantity !== null) {
    if (seen.filledQuantity < filledQuantity && !(isEnd && !isOlder)) return known;
  }
  return isOlder && !isFinalRow(seen.status) ? known : seen;
}

/** Whether a row of an open order is left aside, as one of the past. */
export function isLeftAside(
  known: BrokerOrder | null,
  seen: BrokerOrder | null,
  at: EpochMs,
): boolean {
  if (known === null || seen === null || isFinalRow(seen.status)) return false;
  const [before, now] = [datedBy(known, at), datedBy(seen, at)];
  return newestRow(before, now) !== now;
}

/**
 * Whether such a row is believed, which reads have shown for so long (ms; undefined: never before): for as long as a book
 * may lag behind an answer.
 */
export const isBelievedThough = (leftAsideFor: number | undefined): boolean =>
  (leftAsideFor ?? -1) >= BOOK_LAG_MS;
