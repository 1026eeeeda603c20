import type { ShownOrder } from '../../domain/outcome.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import { brokerOrderIdOf } from '../order/order.ts';
import { takeFills } from './book-trades.ts';
import { observeOrder } from './reconcile.ts';

/**
 * Takes in an order as the answer to its placing shows it, with what was filled at once, so that its caller is
 * answered with that. Where the id that was acknowledged is not believed, nothing of it counts.
 */
export function takeShown(
  unit: UnitOfWork,
  { broker, day, orderId }: PlaceAttemptRecord,
  { row, fills }: ShownOrder,
): void {
  const order = unit.order(orderId);
  if (brokerOrderIdOf(order) !== row.brokerOrderId) return;
  const { instrument } = order.terms;
  const read = { broker, rows: [row], unread: [] };
  const isOther = (_: unknown, named: { readonly instrument: string }): boolean =>
    named.instrument !== instrument;
  takeFills(unit, { ...read, isOther }, fills, day);
  observeOrder(unit, orderId, row, { isBelieved: false, rowIsOld: false });
}
