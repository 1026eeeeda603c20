import { describe, expect, it } from 'vitest';
import { type Compared, comparePositions } from '../../../src/execution/books/compare.ts';
import type { KeyPosition } from '../../../src/execution/books/key-books.ts';
import { NO_SUMS, positionOf, sumsOf } from '../../../src/execution/books/sums.ts';
import { worth } from '../../../src/domain/money.ts';
import type { Product } from '../../../src/domain/order.ts';
import { position } from '../support/makers.ts';

/** A key that carried some shares over and has bought some today. */
function held(
  caller: string,
  before: number,
  today: number,
  product: Product = 'MARGIN',
): KeyPosition {
  const carried = { quantity: before, cost: worth(100, Math.abs(before)) };
  const side = today < 0 ? 'SELL' : 'BUY';
  const sums = today === 0 ? NO_SUMS : sumsOf(side, Math.abs(today), worth(100, Math.abs(today)));
  const line = {
    ...({ caller, broker: 'alt', mode: 'live', account: null } as const),
    ...{ instrument: 'NSE:INFY', product },
  } as const;
  return { line, carried, today: sums, ...positionOf(carried, sums) };
}

const day = (buyQuantity: number, sellQuantity: number) => ({
  ...{ buyQuantity, buyValue: 0, sellQuantity, sellValue: 0 },
});
const bought = (quantity: number | null, product = 'MARGIN') =>
  ({ instrument: 'NSE:INFY', product, side: 'BUY', quantity }) as const;

function compared(parts: Partial<Compared>): unknown {
  const [only, ...others] = comparePositions({
    ...{ mode: 'live', keys: [], elsewhere: [], positions: [], holdings: [], unread: [] },
    ...parts,
  });
  if (only === undefined || others.length > 0) return [only, ...others];
  const { ofKeys, elsewhereToday, elsewhereBefore, broker, difference } = only;
  return { ofKeys, elsewhereToday, elsewhereBefore, broker, difference };
}

describe('the comparison with the broker', () => {
  it('adds up the keys, what was placed elsewhere today, and what was there before', () => {
    expect(
      compared({
        keys: [held('a', 3, 5), held('b', 0, -2)],
        elsewhere: [bought(4)],
        positions: [position({ product: 'MARGIN', quantity: 20, day: day(9, 2) })],
      }),
    ).toEqual({ ofKeys: 6, elsewhereToday: 4, elsewhereBefore: 10, broker: 20, difference: 0 });
  });

  it('tells nothing that a row which cannot be read may change, and all the rest', () => {
    const infy = { instrument: 'NSE:INFY', product: 'MARGIN' } as const;
    const of = {
      keys: [held('a', 3, 5)],
      elsewhere: [bought(4)],
      positions: [position({ product: 'MARGIN', quantity: 20, day: day(9, 0) })],
    };
    const figures = (unread: Compared['unread']) => compared({ ...of, unread });
    const whole = { ofKeys: 8, elsewhereToday: 4, elsewhereBefore: 8, broker: 20, difference: 0 };
    expect(figures([])).toEqual(whole);
    const ofOrders = { ...whole, elsewhereToday: null, difference: null };
    expect(figures([{ list: 'orders', ...infy, product: null }])).toEqual(ofOrders);
    expect(figures([{ list: 'orders', instrument: null, product: null }])).toEqual(ofOrders);
    const ofHeld = { ...whole, elsewhereBefore: null, broker: null, difference: null };
    expect(figures([{ list: 'positions', ...infy }])).toEqual(ofHeld);
    expect(figures([{ list: 'positions', instrument: null, product: null }])).toEqual(ofHeld);
    // Of another product, or another instrument.
    expect(figures([{ list: 'holdings', instrument: null, product: 'CNC' }])).toEqual(whole);
    const tcs = { instrument: 'NSE:TCS', product: 'MARGIN' } as const;
    expect(figures([{ list: 'positions', ...tcs }])).toMatchObject([
      { ...infy, difference: 0 },
      { ...tcs, broker: null, difference: null },
    ]);
  });

  it('has each key once, also where the account of some of its fills was not known', () => {
    const later = held('a', 0, -2);
    const [only] = comparePositions({
      ...{ mode: 'live', elsewhere: [], positions: [], holdings: [], unread: [] },
      keys: [
        held('a', 0, 5),
        held('b', 0, -4),
        { ...later, line: { ...later.line, account: 'AB1' } },
      ],
    });
    expect(only?.keys).toEqual([
      { caller: 'b', quantity: -4 },
      { caller: 'a', quantity: 3 },
    ]);
  });

  it('shows a fill that no key and no order of the book has', () => {
    expect(
      compared({
        keys: [held('a', 0, 5)],
        positions: [position({ product: 'MARGIN', quantity: 12, day: day(12, 0) })],
      }),
    ).toEqual({ ofKeys: 5, elsewhereToday: 0, elsewhereBefore: 0, broker: 12, difference: 7 });
  });

  it('shows a position of keys that the broker does not have', () => {
    expect(compared({ keys: [held('a', 0, 5)] })).toMatchObject({ broker: 0, difference: -5 });
  });

  it('begins at 0 each day for intraday products, also where the broker does not tell of the day', () => {
    expect(
      compared({
        keys: [held('a', 0, 5, 'INTRADAY')],
        positions: [position({ product: 'INTRADAY', quantity: 8 })],
      }),
    ).toMatchObject({ elsewhereBefore: 0, difference: 3 });
  });

  it('says that it cannot tell where the broker does not tell what was traded today', () => {
    expect(
      compared({
        keys: [held('a', 0, 5)],
        positions: [position({ product: 'MARGIN', quantity: 8 })],
      }),
    ).toMatchObject({ elsewhereBefore: null, difference: null });
  });

  it('says that it cannot tell where the book does not say how much has filled', () => {
    expect(
      compared({
        elsewhere: [bought(null)],
        positions: [position({ product: 'MARGIN', quantity: 8, day: day(8, 0) })],
      }),
    ).toMatchObject({ elsewhereToday: null, difference: null });
  });

  it('counts holdings with the delivery positions', () => {
    const holding = {
      ...{ instrument: 'NSE:INFY', isin: null, quantity: 30, usedQuantity: 0, t1Quantity: 0 },
      ...{ averagePrice: null, lastPrice: null },
    };
    expect(
      compared({
        keys: [held('a', 10, -4, 'CNC')],
        positions: [position({ product: 'CNC', quantity: -4, day: day(0, 4) })],
        holdings: [holding],
      }),
    ).toEqual({ ofKeys: 6, elsewhereToday: 0, elsewhereBefore: 20, broker: 26, difference: 0 });
  });
});
