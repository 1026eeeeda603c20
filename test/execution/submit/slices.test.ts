import { describe, expect, it } from 'vitest';
import type { OrderStatus } from '../../../src/domain/order.ts';
import { isIn, type OrderRecord } from '../../../src/execution/order/order.ts';
import { summarise } from '../../../src/execution/order/sliced-order.ts';
import {
  freezeQuantityOf,
  sliceQuantities,
  toldFreezeQuantity,
} from '../../../src/execution/submit/preflight.ts';
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

describe('a freeze quantity that was told', () => {
  const told = new Map([
    ['NIFTY', 1_800],
    ['NSE:INFY', 9_000],
  ]);
  const option = (tradingSymbol: string) =>
    instrument({ name: `NFO:${tradingSymbol}`, tradingSymbol, segment: 'DERIVATIVE' });

  it('is the instrument’s own before what was told', () => {
    expect(toldFreezeQuantity(instrument({ freezeQuantity: 5 }), told)).toBe(5);
    expect(toldFreezeQuantity(instrument(), told)).toBe(9_000);
  });

  it('told of an underlying holds for its contracts, and for no other’s', () => {
    expect(toldFreezeQuantity(option('NIFTY26NOV24450CE'), told)).toBe(1_800);
    expect(toldFreezeQuantity(option('NIFTY26N2424450CE'), told)).toBe(1_800);
    expect(toldFreezeQuantity(option('NIFTYNXT5026NOVFUT'), told)).toBeNull();
    expect(toldFreezeQuantity(instrument({ name: 'NSE:X', tradingSymbol: 'X' }), told)).toBeNull();
  });

  it('told of a name with digits holds, and of a share by its symbol', () => {
    const digits = new Map([
      ['NIFTYNXT50', 600],
      ['360ONE', 1_000],
      ['INFY', 7],
    ]);
    expect(toldFreezeQuantity(option('NIFTYNXT5026NOV70000CE'), digits)).toBe(600);
    expect(toldFreezeQuantity(option('360ONE26NOV400CE'), digits)).toBe(1_000);
    expect(toldFreezeQuantity(instrument(), digits)).toBe(7);
  });
});

describe('the freeze quantity of an order', () => {
  const future = instrument({
    name: 'NFO:BANKNIFTY26NOVFUT',
    exchange: 'NFO',
    tradingSymbol: 'BANKNIFTY26NOVFUT',
    segment: 'DERIVATIVE',
  });
  const none = new Map<string, number>();

  it('is that of the newest list that is not after its day', () => {
    const days = [
      '2025-06-30',
      '2025-08-31',
      '2025-09-01',
      '2025-11-02',
      '2025-11-03',
      '2026-11-06',
    ];
    const found = days.map((day) => freezeQuantityOf(future, none, day));
    expect(found).toEqual([null, 600, 900, 900, 600, 600]);
  });

  it('is the one that was told before that of any list', () => {
    const told = new Map([['BANKNIFTY', 900]]);
    expect(freezeQuantityOf(future, told, '2026-11-06')).toBe(900);
    const own = { ...future, freezeQuantity: 1_200 };
    expect(freezeQuantityOf(own, told, '2026-11-06')).toBe(1_200);
  });

  it('is unknown for what is on no list: other underlyings, shares, contracts of BSE', () => {
    const others = [
      { ...future, tradingSymbol: 'RELIANCE26NOVFUT' },
      { ...future, exchange: 'BFO' },
      instrument({ tradingSymbol: 'NIFTY' }),
    ];
    const found = others.map((each) => freezeQuantityOf(each, none, '2026-11-06'));
    expect(found).toEqual([null, null, null]);
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
    // Of one that is filled, all of it.
    terms: terms({ quantity: kind === 'filled' ? (filledQuantity ?? 10) : 10 }),
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
