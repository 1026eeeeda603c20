import { describe, expect, it } from 'vitest';
import type { OrderStatus } from '../../../src/domain/order.ts';
import { isIn, type OrderRecord } from '../../../src/execution/order/order.ts';
import { summarise } from '../../../src/execution/order/sliced-order.ts';
import { orderRecord, terms } from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

const slice = (
  number: number,
  kind: OrderStatus,
  quantity: number,
  filledQuantity: number,
): OrderRecord => ({
  ...orderRecord({
    ...{ parentId: 'ord_1', kind, filledQuantity, terms: terms({ quantity }) },
    averagePrice: filledQuantity > 0 ? 100 : null,
    fillPriceSource: filledQuantity > 0 ? 'trades' : null,
  }),
  idempotencyKey: `ord_1#${number}`,
});

/** The order of 10, as it was before the last read of the book, once that read has changed a slice. */
function after(slices: readonly OrderRecord[]) {
  const parent = orderRecord({ kind: 'sliced', terms: terms({ quantity: 10 }) });
  if (!isIn(parent, ['sliced'])) throw new Error('not a sliced order');
  const now = summarise(parent, slices);
  return { quantity: now.terms.quantity, fields: fieldsOf(now) };
}

describe('a sliced order of which one read shows a slice changed and over', () => {
  it('is filled where the slice was made smaller, and all has filled', () => {
    // 4 and 6; the second one was cut to 5 and filled at once.
    const { quantity, fields } = after([slice(1, 'filled', 4, 4), slice(2, 'filled', 5, 5)]);
    expect(quantity).toBe(9);
    expect(fields).toMatchObject({ status: 'filled', filledQuantity: 9 });
  });

  it('is partial where the slice was made larger, and was cancelled with less', () => {
    // 4 and 6; the second one was raised to 8, filled 6, and was cancelled.
    const { quantity, fields } = after([slice(1, 'filled', 4, 4), slice(2, 'partial', 8, 6)]);
    expect(quantity).toBe(12);
    expect(fields).toMatchObject({ status: 'partial', filledQuantity: 10 });
  });
});
