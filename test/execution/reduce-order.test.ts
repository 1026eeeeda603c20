import { describe, expect, it } from 'vitest';
import type { RowStatus } from '../../src/domain/order-status.ts';
import { reduceOrder } from '../../src/execution/reduce-order.ts';
import type { FillRecord, OrderRecord } from '../../src/execution/records.ts';
import { AT, bookRow, fillRecord, orderRecord, terms } from './support/makers.ts';

const LATER = AT + 60_000;

/** Fills of these quantities, at ₹100, ₹101, … */
const fills = (...quantities: number[]): FillRecord[] =>
  quantities.map((quantity, index) =>
    fillRecord({ fillId: `f${index}`, quantity, price: 100 + index }),
  );

/** The order of ten shares after one row of its own has been seen. */
function afterRow(
  status: RowStatus,
  filledQuantity: number | null,
  traded: readonly FillRecord[] = [],
  order: OrderRecord = orderRecord(),
): OrderRecord {
  return reduceOrder(order, bookRow({ status, filledQuantity }), traded, AT);
}

describe('the quantities of a row overrule its status', () => {
  it.each<[RowStatus, number | null, OrderRecord['status'], number | null]>([
    ['working', 0, 'working', 0],
    ['working', 4, 'working', 4],
    ['working', 10, 'filled', 10],
    ['working', null, 'working', null],
    ['unrecognised', 0, 'working', 0],
    ['unrecognised', null, 'working', null],
    ['unrecognised', 10, 'filled', 10],
    ['filled', 10, 'filled', 10],
    ['filled', 4, 'working', 4],
    ['filled', 0, 'working', 0],
    ['filled', null, 'working', null],
    ['partial', 4, 'partial', 4],
    ['partial', null, 'partial', null],
    ['partial', 10, 'filled', 10],
    ['cancelled', 0, 'cancelled', 0],
    ['cancelled', 4, 'partial', 4],
    ['cancelled', 10, 'filled', 10],
    ['cancelled', null, 'cancelled', null],
    ['rejected', 0, 'rejected', 0],
    ['rejected', 4, 'partial', 4],
    ['rejected', null, 'rejected', null],
  ])('%s with %s of 10 is %s, and %s filled', (status, filled, expected, quantity) => {
    expect(afterRow(status, filled)).toMatchObject({ status: expected, filledQuantity: quantity });
  });

  it('believes nothing above what was asked for', () => {
    expect(afterRow('working', 12)).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(afterRow('filled', 10, fills(10, 2)).filledQuantity).toBe(10);
  });
});

describe('fills that are known of an order', () => {
  it('count when the row says less', () => {
    expect(afterRow('working', 3, fills(3, 2))).toMatchObject({
      status: 'working',
      filledQuantity: 5,
    });
  });

  it('make it whole when they add up, although its row does not say how many', () => {
    expect(afterRow('filled', null, fills(6, 4))).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
    });
  });

  it('make a cancelled order a partial one', () => {
    expect(afterRow('cancelled', 0, fills(3))).toMatchObject({
      status: 'partial',
      filledQuantity: 3,
    });
  });

  it('make a cancelled order a partial one also when its row tells no quantity', () => {
    // More may have filled than is known: so some, and not known how many.
    expect(afterRow('cancelled', null, fills(3))).toMatchObject({
      status: 'partial',
      filledQuantity: null,
    });
  });

  it('are a lower bound only while the row does not say how many', () => {
    expect(afterRow('working', null, fills(3)).filledQuantity).toBeNull();
    expect(afterRow('partial', null, fills(3)).filledQuantity).toBeNull();
  });

  it('leave the quantity unknown while no row has been seen', () => {
    const order = reduceOrder(orderRecord(), null, fills(3), AT);
    expect(order).toMatchObject({ status: 'working', filledQuantity: null });
  });
});

describe('a quantity that was known', () => {
  const knownSix = orderRecord({ filledQuantity: 6 });

  it.each([0, 3, null])('does not fall to %s', (filled) => {
    expect(afterRow('working', filled, [], knownSix).filledQuantity).toBe(6);
  });

  it('rises', () => {
    expect(afterRow('working', 7, [], knownSix).filledQuantity).toBe(7);
  });

  it('becomes unknown when it was 0 and the row contradicts itself', () => {
    const order = afterRow('working', 0);
    const next = reduceOrder(
      order,
      bookRow({ status: 'filled', filledQuantity: null, updatedAt: LATER }),
      [],
      LATER,
    );
    expect(next.filledQuantity).toBeNull();
  });
});

describe('a row of the past', () => {
  const seen = (
    first: Parameters<typeof bookRow>[0],
    second: Parameters<typeof bookRow>[0],
  ): OrderRecord => {
    const known = reduceOrder(orderRecord(), bookRow(first), [], AT);
    return reduceOrder(known, bookRow(second), [], LATER);
  };

  it('that still works does not take back a final one', () => {
    const order = seen(
      { status: 'cancelled', filledQuantity: 0 },
      { status: 'working', filledQuantity: 0, updatedAt: LATER },
    );
    expect(order.status).toBe('cancelled');
  });

  it('with fewer filled shares is old, also when it carries a later time', () => {
    const order = seen(
      { filledQuantity: 5, updatedAt: AT },
      { filledQuantity: 2, price: 1_400, updatedAt: LATER },
    );
    expect(order).toMatchObject({ filledQuantity: 5, terms: { price: 1_500 } });
  });

  it('with an earlier time of change is old', () => {
    const order = seen({ price: 1_510, updatedAt: LATER }, { price: 1_500, updatedAt: AT });
    expect(order.terms.price).toBe(1_510);
  });

  it('with an earlier time is taken when it is final', () => {
    const order = seen(
      { filledQuantity: 0, updatedAt: LATER },
      { status: 'cancelled', filledQuantity: 0, updatedAt: AT },
    );
    expect(order.status).toBe('cancelled');
  });

  it('without a time is taken as it comes', () => {
    const order = seen({ price: 1_510, updatedAt: null }, { price: 1_520, updatedAt: null });
    expect(order.terms.price).toBe(1_520);
  });
});

describe('the average price', () => {
  const average = (
    filledQuantity: number | null,
    averagePrice: number | null,
    traded: readonly FillRecord[],
  ): [number | null, string | null] => {
    const row = bookRow({ filledQuantity, averagePrice });
    const order = reduceOrder(orderRecord(), row, traded, AT);
    return [order.averagePrice, order.fillPriceSource];
  };

  it('is that of the trades when they add up to what filled', () => {
    expect(average(5, 99, fills(3, 2))).toEqual([100.4, 'trades']);
  });

  it('is the row’s while trades are missing', () => {
    expect(average(5, 99.5, fills(3))).toEqual([99.5, 'order_row']);
  });

  it('is the plain average of the known trades where the row has none', () => {
    expect(average(5, null, fills(2, 1))).toEqual([100.5, 'average']);
  });

  describe('where trades were joined by the exchange’s id of the order', () => {
    const joined = fills(3, 2).map((fill) => ({ ...fill, joined: true as const }));

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
      const order = reduceOrder(orderRecord({ terms: terms(of) }), row, [], AT);
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
      const order = reduceOrder(orderRecord(), row, [], AT);
      expect(order.fillPriceSource).toBe('estimate');
      expect(reduceOrder(order, null, fills(6, 4), LATER)).toMatchObject({
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

describe('the terms of an order follow its row', () => {
  it('in quantity and price', () => {
    const row = bookRow({ quantity: 20, price: 1_480, filledQuantity: 10 });
    const order = reduceOrder(orderRecord(), row, [], AT);
    expect(order).toMatchObject({
      status: 'working',
      filledQuantity: 10,
      terms: { quantity: 20, price: 1_480 },
    });
  });

  it('so that one cut down to what has filled is filled', () => {
    const known = afterRow('working', 4);
    const row = bookRow({ quantity: 4, filledQuantity: 4, updatedAt: LATER });
    expect(reduceOrder(known, row, [], LATER).status).toBe('filled');
  });

  it('but a market order has no price, although brokers turn it into a limit', () => {
    const order = orderRecord({ terms: terms({ orderType: 'MARKET', price: null }) });
    const next = reduceOrder(order, bookRow({ orderType: 'LIMIT', price: 1_530 }), [], AT);
    expect(next.terms.price).toBeNull();
  });

  it('but a limit has no trigger, and a row without a price takes none away', () => {
    const row = bookRow({ price: null, triggerPrice: 1_400 });
    expect(reduceOrder(orderRecord(), row, [], AT).terms).toMatchObject({
      price: 1_500,
      triggerPrice: null,
    });
  });

  it('in the trigger price of a stop', () => {
    const order = orderRecord({ terms: terms({ orderType: 'SL', triggerPrice: 1_490 }) });
    const next = reduceOrder(order, bookRow({ price: 1_481, triggerPrice: 1_482 }), [], AT);
    expect(next.terms).toMatchObject({ price: 1_481, triggerPrice: 1_482 });
  });
});

describe('what else a row tells', () => {
  it('is the reason of an end, and no reason while it works', () => {
    const rejected = bookRow({ status: 'rejected', reason: 'margin' });
    expect(reduceOrder(orderRecord(), rejected, [], AT).reason).toBe('margin');
    const uncertain = orderRecord({ status: 'uncertain', reason: 'no reply' });
    expect(reduceOrder(uncertain, bookRow({ reason: 'queued' }), [], AT).reason).toBeNull();
  });

  it('is the exchange’s id, which stays once it is known', () => {
    const known = reduceOrder(orderRecord(), bookRow({ exchangeOrderId: 'x9' }), [], AT);
    const next = reduceOrder(known, bookRow({ exchangeOrderId: null, updatedAt: LATER }), [], AT);
    expect([known.exchangeOrderId, next.exchangeOrderId]).toEqual(['x9', 'x9']);
  });

  it('ends the wish to cancel when it is final, and not before', () => {
    const wanted = orderRecord({ cancelWanted: true });
    expect(afterRow('working', 0, [], wanted).cancelWanted).toBe(true);
    expect(afterRow('cancelled', 0, [], wanted).cancelWanted).toBe(false);
  });

  it('is since when nobody knows its status, until somebody does', () => {
    const strange = reduceOrder(orderRecord(), bookRow({ status: 'unrecognised' }), [], AT);
    const still = reduceOrder(
      strange,
      bookRow({ status: 'unrecognised', updatedAt: LATER }),
      [],
      LATER,
    );
    const known = reduceOrder(still, bookRow({ updatedAt: LATER }), [], LATER);
    expect([strange, still, known].map((order) => order.unrecognisedSince)).toEqual([AT, AT, null]);
  });
});
