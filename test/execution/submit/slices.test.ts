import { describe, expect, it } from 'vitest';
import type { OrderStatus } from '../../../src/domain/order.ts';
import { isIn, type OrderRecord } from '../../../src/execution/order/order.ts';
import { summarise } from '../../../src/execution/order/sliced-order.ts';
import { freezeQuantityOf, sliceQuantities } from '../../../src/execution/submit/preflight.ts';
import { instrument, orderRecord, terms } from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

describe('the slices of an order', () => {
  it.each([
    ['not above the freeze quantity', 1_800, 1_800, 75, [1_800]],
    ['just above it', 1_875, 1_800, 75, [1_800, 75]],
    ['a multiple of it', 3_600, 1_800, 75, [1_800, 1_800]],
    ['of a freeze quantity that is no whole lots', 200, 130, 50, [100, 100]],
    ['without a freeze quantity', 5_000, null, 1, [5_000]],
    ['of a lot above the freeze quantity', 100, 50, 100, [100]],
  ])('of %s are whole lots that add up', (_what, quantity, freeze, lot, expected) => {
    expect(sliceQuantities(quantity, freeze, lot)).toEqual(expected);
  });
});

describe('a freeze quantity', () => {
  const told = new Map([
    ['NIFTY', 1_800],
    ['NSE:INFY', 9_000],
  ]);
  const option = (tradingSymbol: string) =>
    instrument({ name: `NFO:${tradingSymbol}`, tradingSymbol, segment: 'DERIVATIVE' });

  it('is the instrument’s own before what was told', () => {
    expect(freezeQuantityOf(instrument({ freezeQuantity: 5 }), told)).toBe(5);
    expect(freezeQuantityOf(instrument(), told)).toBe(9_000);
  });

  it('told of an underlying holds for its contracts, and for no other’s', () => {
    expect(freezeQuantityOf(option('NIFTY26NOV24450CE'), told)).toBe(1_800);
    expect(freezeQuantityOf(option('NIFTY26N2424450CE'), told)).toBe(1_800);
    expect(freezeQuantityOf(option('NIFTYNXT5026NOVFUT'), told)).toBeNull();
    expect(freezeQuantityOf(instrument({ name: 'NSE:X', tradingSymbol: 'X' }), told)).toBeNull();
  });

  it('told of a name with digits holds, and of a share by its symbol', () => {
    const digits = new Map([
      ['NIFTYNXT50', 600],
      ['360ONE', 1_000],
      ['INFY', 7],
    ]);
    expect(freezeQuantityOf(option('NIFTYNXT5026NOV70000CE'), digits)).toBe(600);
    expect(freezeQuantityOf(option('360ONE26NOV400CE'), digits)).toBe(1_000);
    expect(freezeQuantityOf(instrument(), digits)).toBe(7);
  });
});

const slice = (
  kind: OrderStatus,
  filledQuantity: number | null,
  averagePrice: number | null = 100,
): OrderRecord =>
  orderRecord({
    parentId: 'ord_1',
    kind,
    filledQuantity,
    averagePrice: filledQuantity ? averagePrice : null,
    fillPriceSource: filledQuantity ? 'trades' : null,
  });

/** What callers see of an order of 10 that went out in these slices. */
function summaryOf(slices: readonly OrderRecord[]): ReturnType<typeof fieldsOf> {
  const parent = orderRecord({ kind: 'sliced', terms: terms({ quantity: 10 }) });
  if (!isIn(parent, ['sliced'])) throw new Error('not a sliced order');
  return fieldsOf(summarise(parent, slices));
}

describe('a sliced order', () => {
  it.each<[string, [OrderStatus, number | null][], OrderStatus, number | null]>([
    [
      'all filled',
      [
        ['filled', 4],
        ['filled', 6],
      ],
      'filled',
      10,
    ],
    [
      'one open',
      [
        ['filled', 4],
        ['uncertain', null],
      ],
      'uncertain',
      null,
    ],
    [
      'one on its way',
      [
        ['filled', 4],
        ['sending', null],
      ],
      'sending',
      null,
    ],
    [
      'one working',
      [
        ['filled', 4],
        ['working', 2],
      ],
      'working',
      6,
    ],
    [
      'one not sent yet',
      [
        ['filled', 4],
        ['accepted', null],
      ],
      'working',
      null,
    ],
    [
      'one disputed',
      [
        ['filled', 4],
        ['disputed', null],
      ],
      'disputed',
      null,
    ],
    [
      'some not sent',
      [
        ['filled', 4],
        ['not_sent', 0],
      ],
      'partial',
      4,
    ],
    [
      'one cancelled in parts',
      [
        ['partial', 3],
        ['cancelled', 0],
      ],
      'partial',
      3,
    ],
    [
      'all not sent',
      [
        ['not_sent', 0],
        ['not_sent', 0],
      ],
      'not_sent',
      0,
    ],
    [
      'all cancelled',
      [
        ['cancelled', 0],
        ['cancelled', 0],
      ],
      'cancelled',
      0,
    ],
    [
      'one refused, the rest not sent',
      [
        ['rejected', 0],
        ['not_sent', 0],
      ],
      'rejected',
      0,
    ],
  ])('with %s is what its slices together are', (_what, slices, status, filledQuantity) => {
    const now = summaryOf(slices.map((each) => slice(...each)));
    expect({ status: now.status, filledQuantity: now.filledQuantity }).toEqual({
      status,
      filledQuantity,
    });
  });

  it('has the average price of all that filled, and none while one is not known', () => {
    const known = summaryOf([slice('filled', 4, 100), slice('filled', 6, 105)]);
    expect([known.averagePrice, known.fillPriceSource]).toEqual([103, 'trades']);
    const unknown = slice('partial', 6, null);
    expect(summaryOf([slice('filled', 4), unknown]).averagePrice).toBeNull();
  });
});
