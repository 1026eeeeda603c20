import { describe, expect, it } from 'vitest';
import { isChangeShown } from '../../../src/execution/order/change-shown.ts';
import { plus } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState, modifyAttempt } from '../support/attempts.ts';
import { AT, bookRow } from '../support/makers.ts';

const LATER = plus(AT, 60_000);

/** Whether a row shows a lost change of the quantity of an order that was placed for 10. */
function isShown(quantity: number, row: Parameters<typeof bookRow>[0]): boolean {
  const nothing = { price: null, triggerPrice: null, orderType: null, validity: null };
  const lost = modifyAttempt({ id: 'att_2', changes: { ...nothing, quantity } });
  const placing = attemptRecord({ state: attemptState('acknowledged') });
  return isChangeShown([placing, lost], lost, bookRow(row), LATER);
}

describe('a lost change of the quantity', () => {
  it('is shown by a row that has it', () => {
    expect(isShown(5, { quantity: 5, filledQuantity: 0 })).toBe(true);
    expect(isShown(6, { quantity: 6, filledQuantity: 5 })).toBe(true);
    expect(isShown(5, { quantity: 5, filledQuantity: 5, status: 'filled' })).toBe(true);
    expect(isShown(5, { quantity: 10, filledQuantity: 5 })).toBe(false);
  });

  it('is not shown by what remains of the quantity before it', () => {
    expect(isShown(5, { quantity: 5, filledQuantity: 5 })).toBe(false);
    expect(isShown(7, { quantity: 7, filledQuantity: 3 })).toBe(false);
  });
});
