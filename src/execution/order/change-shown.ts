import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow, type OrderModification } from '../../domain/order.ts';
import type { EpochMs } from '../../units/branded.ts';
import { askedQuantities } from './accepted-terms.ts';
import { answeredAt, type AttemptRecord, BOOK_LAG_MS } from './attempt.ts';

/** Whether a row shows all that a modification asked for. */
export function showsChange(row: BrokerOrder, changes: OrderModification): boolean {
  const { quantity, price, triggerPrice, orderType, validity } = changes;
  const asked = [
    [quantity, row.quantity],
    [price, row.price],
    [triggerPrice, row.triggerPrice],
    [orderType, row.orderType],
    [validity, row.validity],
  ];
  return asked.every(([wanted, shown]) => wanted === null || wanted === shown);
}

/**
 * Whether an order has what a modification with a lost answer asked for, by its row in a book that was read from
 * `asOf` on (epoch ms). A row that may still lag behind another modification of the order tells nothing.
 */
export function isChangeShown(
  attempts: readonly AttemptRecord[],
  attempt: AttemptRecord,
  row: BrokerOrder | null,
  asOf: EpochMs | null,
): boolean {
  if (attempt.kind !== 'modify' || attempt.state.kind !== 'uncertain') return false;
  if (row === null || asOf === null || !showsChange(row, attempt.changes)) return false;
  if (attempt.changes.quantity !== null && mayBeRemaining(row, attempts)) return false;
  return !attempts.some((other) => {
    if (other.id === attempt.id || other.kind !== 'modify') return false;
    const { kind } = other.state;
    const mayBeMade = kind !== 'refused' && kind !== 'not_sent';
    return mayBeMade && asOf < answeredAt(other) + BOOK_LAG_MS;
  });
}

/**
 * Whether the quantity of a row may be what remains of what was asked for: then it says nothing of a change of it
 * (docs/orders.md, "Figures that contradict each other").
 */
function mayBeRemaining(row: BrokerOrder, attempts: readonly AttemptRecord[]): boolean {
  const { quantity, filledQuantity } = row;
  const filled = filledQuantity ?? 0;
  if (filled === 0 || isFinalRow(row.status)) return false;
  return quantity <= filled || askedQuantities(attempts).includes(quantity + filled);
}
