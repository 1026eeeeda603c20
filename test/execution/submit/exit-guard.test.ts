import { describe, expect, it } from 'vitest';
import type { BrokerId } from '../../../src/domain/broker.ts';
import type { OrderTerms } from '../../../src/domain/order.ts';
import type { Holding, Position } from '../../../src/domain/portfolio.ts';
import { otherAccountHolding, reducesPosition } from '../../../src/execution/submit/reduce-only.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import {
  AT,
  orderRecord,
  portfolio,
  position,
  stateOf,
  terms,
  NOTHING_BESIDE,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';

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
  /** Shares that our orders of the same side have moved since the account was read. */
  readonly moved?: number;
}

/** Whether the order only reduces what the account is known to have. */
function reduces(wanted: OrderTerms, world: World): boolean {
  const { positions = [], holdings = [], orders = [], moved = 0 } = world;
  const state = stateOf({ orders, portfolios: [portfolio({ positions, holdings })] });
  const outgoing = { broker: 'primary', terms: wanted, orderId: 'ord_own', at: AT };
  return reducesPosition(state, outgoing, { ...NOTHING_BESIDE, moved });
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
    expect(reduces(order('SELL', 6), { ...long, moved: 4 })).toBe(true);
    expect(reduces(order('SELL', 7), { ...long, moved: 4 })).toBe(false);
    expect(reduces(order('BUY', 6), { ...short, moved: 4 })).toBe(true);
    expect(reduces(order('BUY', 7), { ...short, moved: 4 })).toBe(false);
  });
});

describe('another account holds what an order would reduce', () => {
  const route: readonly BrokerId[] = ['alt', 'primary'];
  const held = (
    wanted: OrderTerms,
    there: Position[],
    here: Position[] = [],
    along: readonly BrokerId[] = route,
    moved = 0,
  ): BrokerId | null => {
    const portfolios = [
      portfolio({ broker: 'primary', positions: there }),
      portfolio({ broker: 'alt', positions: here }),
    ];
    return otherAccountHolding(stateOf({ portfolios }), 'alt', wanted, {
      route: along,
      beside: { ...NOTHING_BESIDE, moved },
    });
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

  it('also when our orders have moved what the chosen account had', () => {
    const here = [position({ quantity: 5 })];
    const there = [position({ quantity: 5 })];
    expect(held(order('SELL', 5), there, here, route, 4)).toBeNull();
    expect(held(order('SELL', 5), there, here, route, 5)).toBe('primary');
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
    expect(
      otherAccountHolding(state, 'alt', order('SELL', 1), {
        beside: NOTHING_BESIDE,
        route: ['alt', 'paper'],
      }),
    ).toBeNull();
  });

  it('when an order would go to paper, and a live account has it', () => {
    const state = stateOf({ portfolios: [portfolio({ holdings: [holding(5)] })] });
    const wanted = order('SELL', 5);
    const along = { beside: NOTHING_BESIDE, route: ['primary', 'paper'] };
    expect(otherAccountHolding(state, 'paper', wanted, along)).toBe('primary');
  });

  it('also when paper has it too, unless the route begins with paper', () => {
    const positions = [position({ quantity: 5 })];
    const paper = portfolio({ broker: 'paper', mode: 'paper', positions });
    const state = stateOf({ portfolios: [portfolio({ positions }), paper] });
    const held = (route: readonly BrokerId[]): BrokerId | null =>
      otherAccountHolding(state, 'paper', order('SELL', 5), { beside: NOTHING_BESIDE, route });
    expect(held(['primary', 'paper'])).toBe('primary');
    expect(held(['paper', 'primary'])).toBeNull();
  });
});
