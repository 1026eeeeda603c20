import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { OrderModification, OrderTerms } from '../../../src/domain/order.ts';
import { GatewayProblem } from '../../../src/domain/problem.ts';
import { checkChange } from '../../../src/execution/submit/amended-terms.ts';
import { checkNewOrder, checkTerms } from '../../../src/execution/submit/preflight.ts';
import type { MarketHours } from '../../../src/execution/order/order-day.ts';
import { AT, instrument, ist, terms } from '../support/makers.ts';
import type { EpochMs } from '../../../src/units/branded.ts';

/** Why the order is refused; null when it may go on. */
function refusal(
  order: Partial<OrderTerms>,
  about: Partial<Instrument> = {},
  now: { at: EpochMs; marketHours: MarketHours } = { at: AT, marketHours: 'exchange' },
): GatewayProblem | null {
  try {
    checkNewOrder(terms(order), instrument(about), now);
    return null;
  } catch (error) {
    if (error instanceof GatewayProblem) return error;
    throw error;
  }
}

describe('the quantity of an order', () => {
  it.each([0, -1, 1.5, NaN, Infinity, 2 ** 53])('is not %s', (quantity) => {
    expect(refusal({ quantity })?.code).toBe('invalid_request');
  });

  it('is whole lots', () => {
    const option = { name: 'NFO:NIFTY', lotSize: 75 };
    expect(refusal({ quantity: 150 }, option)).toBeNull();
    expect(refusal({ quantity: 100 }, option)?.fields).toMatchObject({
      ...{ code: 'lot_size', field: 'quantity', nearest: [75, 150] },
    });
    expect(refusal({ quantity: 74 }, option)?.fields.nearest).toEqual([75]);
  });

  it('is at most twenty times what the exchange takes in one order', () => {
    expect(refusal({ quantity: 1_800 }, { freezeQuantity: 1_800 })).toBeNull();
    expect(refusal({ quantity: 1_801 }, { freezeQuantity: 1_800 })).toBeNull();
    expect(refusal({ quantity: 36_001 }, { freezeQuantity: 1_800 })?.fields.detail).toContain(
      'at most 1800',
    );
  });
});

describe('a stop', () => {
  const stop = { orderType: 'SL', price: 100, quantity: 1 } as const;

  it.each([
    ['BUY', 100.05, 'at or below'],
    ['SELL', 99.95, 'at or above'],
  ] as const)('to %s is refused with its trigger beyond its price', (side, triggerPrice, where) => {
    expect(refusal({ ...stop, side, triggerPrice })?.fields.detail).toContain(where);
    expect(refusal({ ...stop, side, triggerPrice: 100 })).toBeNull();
  });
});

describe('a stop that is changed', () => {
  it('may have triggered: its price is then on either side', () => {
    const changed = terms({ orderType: 'SL', price: 95, triggerPrice: 100 });
    expect(() => checkTerms(changed, instrument())).not.toThrow();
    expect(() => checkTerms({ ...changed, price: 95.01 }, instrument())).toThrow(/tick/);
  });
});

const NO_CHANGE: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};

describe('an order whose lot or tick the exchange has changed since', () => {
  const present = terms({ orderType: 'LIMIT', quantity: 75, price: 95.05 });
  const now = instrument({ lotSize: 65, tickSize: 0.1, freezeQuantity: null });
  const change = (changes: Partial<OrderModification>) => () =>
    checkChange(present, { ...NO_CHANGE, ...changes }, now, new Map());

  it('is given another price, or made a market order, with the quantity that it has', () => {
    expect(change({ price: 95.1 })).not.toThrow();
    expect(change({ price: 95.1, quantity: 75 })).not.toThrow();
    expect(change({ orderType: 'MARKET' })).not.toThrow();
  });

  it('is given another quantity with the price that it has', () => {
    expect(change({ quantity: 65 })).not.toThrow();
    expect(change({ quantity: 65, price: 95.05 })).not.toThrow();
  });

  it('takes no new quantity or price that is wrong now', () => {
    expect(change({ quantity: 70 })).toThrow(/whole lots/);
    expect(change({ price: 95.15 })).toThrow(/tick/);
  });
});

describe('an index', () => {
  it('is not traded', () => {
    expect(refusal({}, { segment: 'INDEX' })?.fields.detail).toContain('is an index');
  });
});

describe('the prices of an order', () => {
  it.each<[OrderTerms['orderType'], number | null, number | null, boolean]>([
    ['MARKET', null, null, true],
    ['MARKET', 100, null, false],
    ['MARKET', null, 100, false],
    ['LIMIT', 100, null, true],
    ['LIMIT', null, null, false],
    ['LIMIT', 100, 100, false],
    ['SL', 100, 100, true],
    ['SL', 100, null, false],
    ['SL', null, 100, false],
    ['SL-M', null, 100, true],
    ['SL-M', 100, 100, false],
    ['SL-M', null, null, false],
  ])('%s with price %s and trigger %s fit: %s', (orderType, price, triggerPrice, fits) => {
    expect(refusal({ orderType, price, triggerPrice }) === null).toBe(fits);
  });

  it.each([
    [1_500.05, 0.05],
    [0.05, 0.05],
    [123_456.05, 0.05],
    [4_611.4, 0.1],
    [249.99, 0.01],
    [82.0025, 0.0025],
    [20_001, 1],
  ])('%s is a multiple of the tick %s', (price, tickSize) => {
    expect(refusal({ price }, { tickSize })).toBeNull();
  });

  it.each([
    [1_500.03, 0.05],
    [1_500.051, 0.05],
    [1_500.000001, 0.05],
    [82.001, 0.0025],
    [20_001.5, 1],
    [NaN, 0.05],
  ])('%s is no multiple of the tick %s', (price, tickSize) => {
    expect(refusal({ price }, { tickSize })?.fields.detail).toContain('tick');
  });

  it('of a stop are both looked at', () => {
    const stop = { orderType: 'SL', price: 1_500, triggerPrice: 1_490.02 } as const;
    expect(refusal(stop)?.fields.detail).toContain('triggerPrice');
  });

  it('are not refused where no tick is believed', () => {
    expect(refusal({ price: 1_500.03 }, { tickSize: null })).toBeNull();
  });
});

describe('an order outside market hours', () => {
  const closed = { at: ist('2026-11-06T15:30:00'), marketHours: 'exchange' } as const;

  it('is refused, and is known not to be placed', () => {
    expect(refusal({}, {}, closed)?.fields).toMatchObject({
      code: 'market_closed',
      mayHaveExecuted: false,
    });
  });

  it('passes until 15:40 where it is of a derivative', () => {
    const option = {
      exchange: 'NFO',
      name: 'NFO:NIFTY26NOV24450CE',
      segment: 'DERIVATIVE',
    } as const;
    const at = (text: string) => ({ ...closed, at: ist(`2026-11-06T${text}`) });
    expect(refusal({}, option, at('15:39:59.999'))).toBeNull();
    expect(refusal({}, option, at('15:40:00'))?.fields.detail).toContain('NFO takes orders on');
  });

  it('passes when it is meant for the next session', () => {
    expect(refusal({ amo: true }, {}, closed)).toBeNull();
  });

  it('passes where rehearsals trade at all hours', () => {
    expect(refusal({}, {}, { ...closed, marketHours: 'always' })).toBeNull();
  });
});
