import { describe, expect, it } from 'vitest';
import type { FillRecord } from '../../../src/execution/order/fills.ts';
import { AT, bookRow, fillRecord, fillsOf, orderRecord, terms } from '../support/makers.ts';
import { reduce } from '../support/reduce.ts';
import { epochMs } from '../../../src/units/branded.ts';

const LATER = epochMs(AT + 60_000);

describe('the average price', () => {
  const average = (
    filledQuantity: number | null,
    averagePrice: number | null,
    traded: readonly FillRecord[],
  ): [number | null, string | null] => {
    const row = bookRow({ filledQuantity, averagePrice });
    const order = reduce(orderRecord(), row, traded, AT);
    return [order.averagePrice, order.fillPriceSource];
  };

  it('is that of the trades when they add up to what filled', () => {
    expect(average(5, 99, fillsOf(3, 2))).toEqual([100.4, 'trades']);
  });

  it('is the row’s while trades are missing', () => {
    expect(average(5, 99.5, fillsOf(3))).toEqual([99.5, 'order_row']);
  });

  it('is the plain average of the known trades where the row has none', () => {
    expect(average(5, null, fillsOf(2, 1))).toEqual([100.5, 'average']);
  });

  describe('where trades were joined by the exchange’s id of the order', () => {
    const joined = fillsOf(3, 2).map((fill) => ({ ...fill, joined: true as const }));

    it('is the row’s, also when they add up', () => {
      expect(average(5, 99.5, joined)).toEqual([99.5, 'order_row']);
    });

    it('is theirs, weighted, when the row has none', () => {
      expect(average(5, null, joined)).toEqual([100.4, 'trade_book']);
      expect(average(7, null, joined)).toEqual([100.4, 'trade_book']);
    });
  });

  describe('when nobody tells it', () => {
    const over = (
      changes: Parameters<typeof bookRow>[0],
      of: Parameters<typeof terms>[0] = {},
    ): [number | null, string | null] => {
      const row = bookRow({ averagePrice: null, ...changes });
      const order = reduce(orderRecord({ terms: terms(of) }), row, [], AT);
      return [order.averagePrice, order.fillPriceSource];
    };

    it('is estimated by the price that the broker sent the order at', () => {
      const market = { orderType: 'MARKET', price: null } as const;
      expect(over({ status: 'filled', filledQuantity: 10, price: 1_502 }, market)).toEqual([
        1_502,
        'estimate',
      ]);
      expect(over({ status: 'cancelled', filledQuantity: 4, price: 1_502 })).toEqual([
        1_502,
        'estimate',
      ]);
    });

    it('is estimated by the price that was asked, where the row has none', () => {
      expect(over({ status: 'filled', filledQuantity: 10, price: null })).toEqual([
        1_500,
        'estimate',
      ]);
    });

    it('is none without any price to go by', () => {
      const market = { orderType: 'MARKET', price: null } as const;
      expect(over({ status: 'filled', filledQuantity: 10, price: null }, market)).toEqual([
        null,
        null,
      ]);
    });

    it.each([
      { status: 'working', filledQuantity: 4 },
      { status: 'partial', filledQuantity: null },
      { status: 'cancelled', filledQuantity: 0 },
    ] as const)('is not estimated for %j', (changes) => {
      expect(over(changes)).toEqual([null, null]);
    });

    it('gives way to what is told later', () => {
      const row = bookRow({ status: 'filled', filledQuantity: 10, averagePrice: null });
      const order = reduce(orderRecord(), row, [], AT);
      expect(order.fillPriceSource).toBe('estimate');
      expect(reduce(order, null, fillsOf(6, 4), LATER)).toMatchObject({
        averagePrice: 100.4,
        fillPriceSource: 'trades',
      });
    });
  });

  it('is the row’s while the quantity is not known', () => {
    expect(average(null, 99.5, [])).toEqual([99.5, 'order_row']);
  });

  it('is none while nothing is filled, whatever the row carries', () => {
    expect(average(0, 99.5, [])).toEqual([null, null]);
    expect(average(0, null, [])).toEqual([null, null]);
  });

  it('is rounded to four decimals', () => {
    const thirds = [
      fillRecord({ quantity: 1, price: 100 }),
      fillRecord({ fillId: 'g', quantity: 2, price: 100.05 }),
    ];
    expect(average(3, null, thirds)).toEqual([100.0333, 'trades']);
  });
});
