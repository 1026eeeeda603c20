import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderStatus, RowStatus } from '../../../src/domain/order.ts';
import { reduceOrder, type FillRecord } from '../../../src/execution/order/fills.ts';
import { isIn, type OrderRecord } from '../../../src/execution/order/order.ts';
import { AT, bookRow, orderRecord } from './makers.ts';
import { fieldsOf, type OrderFields } from './order-fields.ts';
import type { EpochMs } from '../../../src/units/branded.ts';

/** An order that can be observed again, with its fields side by side for comparing. */
export type Reduced = OrderRecord & OrderFields & { readonly status: OrderStatus };

/** `reduceOrder` of an order that has a row at its broker. Throws for one that has none. */
export function reduce(
  order: OrderRecord,
  row: BrokerOrder | null,
  fills: readonly FillRecord[],
  at: EpochMs,
): Reduced {
  if (!isIn(order, ['working', 'filled', 'partial', 'cancelled', 'rejected'])) {
    throw new Error(`an order that is ${order.state.kind} has no row`);
  }
  const next = reduceOrder(order, row, fills, at);
  return { ...next, ...fieldsOf(next) };
}

/** The order of ten shares after one row of its own has been seen. */
export function afterRow(
  status: RowStatus,
  filledQuantity: number | null,
  traded: readonly FillRecord[] = [],
  order: OrderRecord = orderRecord(),
): Reduced {
  return reduce(order, bookRow({ status, filledQuantity }), traded, AT);
}
