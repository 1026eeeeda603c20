import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import { bindingOf, fillOf, type OrderRecord } from './order.ts';

/** How many shares an order has, and how many of them have filled at least. */
export interface OrderSize {
  readonly total: number;
  /** A lower bound of what has filled. */
  readonly least: number;
  /** The row's quantity may not be the order's: it does not prove that the whole order has filled. */
  readonly isDoubtful: boolean;
}

/** What a row's quantity is compared with. */
interface Compared {
  /** The largest filled quantity that rows and trades show. */
  readonly seen: number;
  /** The filled quantity that callers were told. */
  readonly told: number;
  /**
   * The quantities that the order was asked to have, first to last: by its placing, and by modifications
   * that the broker may have taken.
   */
  readonly asked: readonly number[];
}

/**
 * The size of an order, whose quantity was `known` before, by its newest row. What was told never falls,
 * whatever a row says; of what else is seen, nothing above the highest quantity that the order ever had is
 * believed. A row's quantity is doubtful where more has filled, and, unless the row says that the whole
 * order is filled, where as much has filled and more was asked for than the row shows: rows lag behind a
 * modification, and some show what remains. A doubtful quantity lowers nothing
 * (docs/orders.md, "Figures that contradict each other").
 */
export function sizeOf(
  known: number,
  row: BrokerOrder | null,
  { seen, told, asked }: Compared,
): OrderSize {
  const highest = Math.max(known, row?.quantity ?? 0, ...asked);
  const least = Math.max(told, Math.min(seen, highest));
  const all = Math.max(seen, told);
  const isDoubtful =
    row !== null &&
    (all > row.quantity ||
      (row.status !== 'filled' && all === row.quantity && mayBeMore(row, asked)));
  const total = row === null || isDoubtful ? Math.max(known, least) : row.quantity;
  return { total, least, isDoubtful };
}

/** Whether more was asked for than a row shows, and the row does not show that yet. */
const mayBeMore = (row: BrokerOrder, asked: readonly number[]): boolean =>
  unshownBy(row, asked).some((quantity) => quantity > row.quantity);

/** What was asked for after the quantity that a row shows. */
const unshownBy = ({ quantity }: BrokerOrder, asked: readonly number[]): readonly number[] =>
  asked.slice(asked.lastIndexOf(quantity) + 1);

/**
 * What a person is to be told when the figures of an order's row contradict what is known of the order; null
 * where they do not, and where the order had such a row before.
 */
export function contradictionIn(
  before: OrderRecord,
  now: OrderRecord,
  asked: readonly number[],
): string | null {
  return endContradiction(before, now) ?? sizeContradiction(before, now, asked);
}

/** The row says that the order is over, with fewer fills than are known, or than that end needs. */
function endContradiction(before: OrderRecord, now: OrderRecord): string | null {
  const known = leastFilled(before);
  const isShort = (row: BrokerOrder | null): boolean => {
    if (row === null || row.filledQuantity === null || !isFinalRow(row.status)) return false;
    return row.filledQuantity < (row.status === 'filled' ? row.quantity : known);
  };
  const row = bindingOf(now)?.row ?? null;
  if (row === null || !isShort(row) || isShort(bindingOf(before)?.row ?? null)) return null;
  const filled = leastFilled(now);
  if (row.status === 'filled' && filled >= row.quantity) return null;
  return (
    `the row of order ${now.id} at ${now.broker} says ${row.rawStatus} with ${String(row.filledQuantity)} of ` +
    `${row.quantity} filled, and ${filled} are known to have filled: what is known still counts, and the ` +
    "trades are read. Compare the order with the broker's app"
  );
}

const leastFilled = (order: OrderRecord): number => {
  const { filledQuantity, atLeast = 0 } = fillOf(order);
  return filledQuantity ?? atLeast;
};

/**
 * The row says that the order is smaller than what has filled of it, and no modification that the row does
 * not show yet explains that.
 */
function sizeContradiction(
  before: OrderRecord,
  now: OrderRecord,
  asked: readonly number[],
): string | null {
  const row = bindingOf(now)?.row ?? null;
  const known = fillOf(before).filledQuantity ?? 0;
  const filled = Math.max(known, fillOf(now).filledQuantity ?? 0);
  if (row === null || row.quantity >= filled) return null;
  if ((bindingOf(before)?.row?.quantity ?? Infinity) < known) return null;
  const isLate =
    asked.includes(row.quantity) && unshownBy(row, asked).some((quantity) => quantity >= filled);
  if (isLate) return null;
  return (
    `the row of order ${now.id} at ${now.broker} has a quantity of ${row.quantity}, and ${filled} have ` +
    "filled: what has filled still counts. Look at the order in the broker's app; it can be cancelled " +
    'while its row is open'
  );
}

/**
 * What a person is to be told where the trades of an order add up to more than it was ever asked to have; null
 * where they do not, and where they did before. The rest was dealt all the same, or is another order's.
 */
export function excessOfTrades(
  order: OrderRecord,
  row: BrokerOrder | null,
  asked: readonly number[],
  { before, now }: { readonly before: number; readonly now: number },
): string | null {
  const most = Math.max(order.terms.quantity, row?.quantity ?? 0, ...asked);
  if (now <= most || before > most) return null;
  return (
    `the trades of order ${order.id} at ${order.broker} add up to ${now}, and it was for ${most} at most: ${most} count ` +
    "as its fills. Compare the position with the broker's app: it may be larger than the orders here say"
  );
}
