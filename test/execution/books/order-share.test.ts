import { describe, expect, it } from 'vitest';
import { isInDoubt, shareOf } from '../../../src/execution/books/order-share.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { attemptRecord } from '../support/attempts.ts';
import { DAY, fillRecord, orderRecord } from '../support/makers.ts';

const filled = (parts: Parameters<typeof orderRecord>[0] = {}): OrderRecord =>
  orderRecord({ filledQuantity: 4, averagePrice: 1_490, fillPriceSource: 'order_row', ...parts });

const share = (order: OrderRecord, fills = [fillRecord()], attempts = [attemptRecord()]) =>
  shareOf({ order, fills, attempts });

/** Of which the broker does not say any more how much has filled; four were told before. */
const untold = (): OrderRecord => {
  const order = orderRecord();
  const fill = { filledQuantity: null, atLeast: 4, averagePrice: null, fillPriceSource: null };
  if (order.state.kind !== 'working') throw new Error('the order does not work');
  return { ...order, state: { ...order.state, fill } };
};

/** Rupees; null where no price is known. */
function valueOf(order: OrderRecord, fills = [fillRecord()]): number | null {
  const bought = share(order, fills)?.sums.bought;
  return bought === undefined || bought.unpriced > 0 ? null : bought.value.toNumber();
}

describe('what an order adds to the book of its key', () => {
  it('is what has filled, at the price of its fills, on its day', () => {
    expect(share(filled())).toMatchObject({
      ...{ line: { caller: 'someone', broker: 'primary', product: 'CNC' }, day: DAY },
      sums: { bought: { quantity: 4 }, sold: { quantity: 0 } },
    });
    expect(valueOf(filled())).toBe(6_000);
  });

  it('is nothing of its own where it went out in slices, which are orders', () => {
    expect(share(filled({ kind: 'sliced' }))).toBeNull();
  });

  it('is the least that was told where the broker does not say how much has filled', () => {
    expect(share(untold(), [])?.sums.bought.quantity).toBe(4);
    expect(isInDoubt(untold())).toBe(true);
  });

  it('has the average of its row until all of its fills are known', () => {
    expect(valueOf(filled(), [fillRecord({ quantity: 3 })])).toBe(5_960);
  });

  it('has no price of the fills of another row', () => {
    expect(valueOf(filled(), [fillRecord({ brokerOrderId: 'of-another' })])).toBe(5_960);
  });

  it('has no price where there is an estimate alone', () => {
    expect(valueOf(filled({ fillPriceSource: 'estimate' }), [])).toBeNull();
  });

  it('is of the account of the last placing at its broker', () => {
    const [one, other, elsewhere] = [' ab1 ', 'cd2', 'ef3'].map((account, place) =>
      attemptRecord({ id: `att_${place}`, account, broker: place === 2 ? 'alt' : 'primary' }),
    );
    const attempts = [one, other, elsewhere].flatMap((each) => each ?? []);
    expect(share(filled(), [], attempts)?.line.account).toBe('CD2');
    expect(share(filled(), [], [])?.line.account).toBeNull();
  });
});
