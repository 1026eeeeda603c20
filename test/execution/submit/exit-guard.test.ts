import { describe, expect, it } from 'vitest';
import type { BrokerId } from '../../../src/domain/broker.ts';
import type { OrderTerms } from '../../../src/domain/order.ts';
import type { Holding, Position } from '../../../src/domain/portfolio.ts';
import { otherAccountHolding, reducesPosition } from '../../../src/execution/submit/preflight.ts';
import type { FillRecord } from '../../../src/execution/order/fills.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import {
  AT,
  fillRecord,
  orderRecord,
  portfolio,
  position,
  stateOf,
  terms,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { epochMs, plus, type EpochMs } from '../../../src/units/branded.ts';

const holding = (quantity: number, instrument = 'NSE:INFY'): Holding => ({
  instrument,
  isin: null,
  quantity,
  usedQuantity: 0,
  t1Quantity: 0,
  averagePrice: null,
  lastPrice: null,
});
const order = (side: 'BUY' | 'SELL', quantity: number, parts: Partial<OrderTerms> = {}) =>
  terms({ side, quantity, ...parts });

interface World {
  readonly positions?: readonly Position[];
  readonly holdings?: readonly Holding[];
  readonly orders?: readonly OrderRecord[];
  readonly fills?: readonly FillRecord[];
}

/** Whether the order only reduces what the account, read at AT, is known to have. */
function reduces(wanted: OrderTerms, world: World): boolean {
  const { positions = [], holdings = [], orders = [], fills = [] } = world;
  const state = stateOf({ orders, fills, portfolios: [portfolio({ positions, holdings })] });
  return reducesPosition(state, 'primary', wanted, 'ord_own', AT);
}

describe('a sale of all', () => {
  const held = { positions: [position({ quantity: 10 })] };
  const disputed = (day: string) => ({
    ...held,
    orders: [orderRecord({ kind: 'disputed', day, terms: order('SELL', 10) })],
  });

  it('is too much beside a disputed one of today, and not beside one of another day', () => {
    expect(reduces(order('SELL', 10), disputed('2026-11-06'))).toBe(false);
    expect(reduces(order('SELL', 10), disputed('2026-11-05'))).toBe(true);
  });
});

describe('an order only reduces', () => {
  const long = { positions: [position({ quantity: 10 })] };
  const short = { positions: [position({ quantity: -10 })] };

  it.each([
    ['a sale of all of it', order('SELL', 10), long, true],
    ['a sale of a part', order('SELL', 4), long, true],
    ['a sale of more', order('SELL', 11), long, false],
    ['a purchase of more', order('BUY', 1), long, false],
    ['a purchase that covers a short', order('BUY', 10), short, true],
    ['a purchase that turns a short', order('BUY', 11), short, false],
    ['a sale that deepens a short', order('SELL', 1), short, false],
    ['a sale of nothing known', order('SELL', 1), {}, false],
    ['a sale of another product', order('SELL', 1, { product: 'INTRADAY' }), long, false],
    ['a sale of another instrument', order('SELL', 1, { instrument: 'NSE:TCS' }), long, false],
  ])('%s: %#', (_what, wanted, world, expected) => {
    expect(reduces(wanted, world)).toBe(expected);
  });

  it('holdings, for delivery alone', () => {
    expect(reduces(order('SELL', 10), { holdings: [holding(10)] })).toBe(true);
    const intraday = order('SELL', 10, { product: 'INTRADAY' });
    expect(reduces(intraday, { holdings: [holding(10)] })).toBe(false);
  });

  it('holdings less what today’s position has sold of them', () => {
    const world = { holdings: [holding(10)], positions: [position({ quantity: -4 })] };
    expect(reduces(order('SELL', 6), world)).toBe(true);
    expect(reduces(order('SELL', 7), world)).toBe(false);
  });

  it('what other open orders of that side leave of it', () => {
    const selling = orderRecord({ terms: order('SELL', 6), filledQuantity: 2 });
    const world = { ...long, orders: [selling] };
    expect(reduces(order('SELL', 6), world)).toBe(true);
    expect(reduces(order('SELL', 7), world)).toBe(false);
  });

  it('what an uncertain order of that side may have taken of it', () => {
    const uncertain = orderRecord({ kind: 'uncertain', terms: order('SELL', 10) });
    expect(reduces(order('SELL', 1), { ...long, orders: [uncertain] })).toBe(false);
  });

  it('without counting itself', () => {
    const own = orderRecord({ id: 'ord_own', kind: 'sending', terms: order('SELL', 10) });
    expect(reduces(order('SELL', 10), { ...long, orders: [own] })).toBe(true);
  });

  it.each<[string, Partial<OrderFields>]>([
    ['buys', { terms: order('BUY', 9) }],
    ['is over', { kind: 'cancelled', terms: order('SELL', 9), filledQuantity: 0 }],
    ['is at another broker', { broker: 'alt', terms: order('SELL', 9) }],
    ['is of another product', { terms: order('SELL', 9, { product: 'INTRADAY' }) }],
  ])('without counting an order that %s', (_why, parts) => {
    expect(reduces(order('SELL', 10), { ...long, orders: [orderRecord(parts)] })).toBe(true);
  });

  it('what our own fills since the account was read have left of it', () => {
    const sold = orderRecord({ kind: 'filled', filledQuantity: 4, terms: order('SELL', 4) });
    const world = (at: EpochMs) => ({
      ...long,
      orders: [sold],
      fills: [fillRecord({ quantity: 4, at })],
    });
    expect(reduces(order('SELL', 7), world(plus(AT, 1)))).toBe(false);
    expect(reduces(order('SELL', 6), world(plus(AT, 1)))).toBe(true);
    // Times of fills have a grain of a second: one just before the read may not be in it.
    expect(reduces(order('SELL', 7), world(plus(AT, -1_000)))).toBe(false);
    expect(reduces(order('SELL', 7), world(plus(AT, -1_001)))).toBe(true);
  });

  it('what our own purchases since have left of a short', () => {
    const bought = orderRecord({ kind: 'filled', filledQuantity: 4, terms: order('BUY', 4) });
    const world = {
      ...short,
      orders: [bought],
      fills: [fillRecord({ quantity: 4, at: epochMs(AT + 1) })],
    };
    expect(reduces(order('BUY', 6), world)).toBe(true);
    expect(reduces(order('BUY', 7), world)).toBe(false);
  });
});

describe('another account holds what an order would reduce', () => {
  const route: readonly BrokerId[] = ['alt', 'primary'];
  const held = (
    wanted: OrderTerms,
    there: Position[],
    here: Position[] = [],
    along: readonly BrokerId[] = route,
  ): BrokerId | null => {
    const portfolios = [
      portfolio({ broker: 'primary', positions: there }),
      portfolio({ broker: 'alt', positions: here }),
    ];
    return otherAccountHolding(stateOf({ portfolios }), 'alt', wanted, along);
  };

  it('when it is long there and the order sells', () => {
    expect(held(order('SELL', 1), [position({ quantity: 5 })])).toBe('primary');
  });

  it('when it is short there and the order buys', () => {
    expect(held(order('BUY', 1), [position({ quantity: -5 })])).toBe('primary');
  });

  it('not when the order would add to it', () => {
    expect(held(order('BUY', 1), [position({ quantity: 5 })])).toBeNull();
    expect(held(order('SELL', 1), [position({ quantity: -5 })])).toBeNull();
  });

  it('not when the chosen account has some of it as well', () => {
    const here = [position({ quantity: 1 })];
    expect(held(order('SELL', 5), [position({ quantity: 5 })], here)).toBeNull();
  });

  it('also when the chosen account has the opposite', () => {
    const here = [position({ quantity: -1 })];
    expect(held(order('SELL', 5), [position({ quantity: 5 })], here)).toBe('primary');
  });

  it('not when the route does not lead there', () => {
    expect(held(order('SELL', 1), [position({ quantity: 5 })], [], ['alt', 'paper'])).toBeNull();
  });

  it('not when it is paper', () => {
    const paper = portfolio({
      broker: 'paper',
      mode: 'paper',
      positions: [position({ quantity: 5 })],
    });
    const state = stateOf({ portfolios: [paper] });
    expect(otherAccountHolding(state, 'alt', order('SELL', 1), ['alt', 'paper'])).toBeNull();
  });

  it('when an order would go to paper, and a live account has it', () => {
    const state = stateOf({ portfolios: [portfolio({ holdings: [holding(5)] })] });
    const wanted = order('SELL', 5);
    expect(otherAccountHolding(state, 'paper', wanted, ['primary', 'paper'])).toBe('primary');
  });
});
