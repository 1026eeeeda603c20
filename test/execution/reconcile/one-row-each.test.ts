import { describe, expect, it } from 'vitest';
import type { Holding, UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import { oneRowEach } from '../../../src/execution/reconcile/one-row-each.ts';
import { position } from '../support/makers.ts';

const holding = (quantity: number): Holding => ({
  ...{ instrument: 'NSE:INFY', isin: null, quantity, usedQuantity: 0, t1Quantity: 0 },
  ...{ averagePrice: null, lastPrice: null },
});
const NOTHING = { positions: [], holdings: [], unread: [] };

describe('the rows of an account', () => {
  it('count once where one comes twice', () => {
    const row = position({ product: 'INTRADAY', quantity: 10 });
    const read = { ...NOTHING, positions: [row, { ...row }], holdings: [holding(5), holding(5)] };
    expect(oneRowEach(read)).toEqual({ ...NOTHING, positions: [row], holdings: [holding(5)] });
  });

  it('cannot be read where two of one position, or of one holding, differ', () => {
    const rows = [10, 20, 10].map((quantity) => position({ product: 'INTRADAY', quantity }));
    const other = position({ product: 'MARGIN', quantity: 3 });
    const read = { ...NOTHING, positions: [...rows, other], holdings: [holding(5), holding(6)] };
    const unclear = { quantity: null, reason: 'there are several rows of it, and they differ' };
    expect(oneRowEach(read)).toEqual({
      positions: [other],
      holdings: [],
      unread: [
        { list: 'positions', instrument: 'NSE:INFY', product: 'INTRADAY', ...unclear },
        { list: 'holdings', instrument: 'NSE:INFY', product: null, ...unclear },
      ],
    });
  });

  it('count once where one of the two could not be read whole, and not where their quantities differ', () => {
    const names = { instrument: 'NSE:INFY', product: 'INTRADAY' } as const;
    const whole = position({ product: 'INTRADAY', quantity: 10, buyQuantity: 10 });
    const rest = { list: 'positions', ...names, quantity: 10, reason: 'a price' } as const;
    const traded = (buyQuantity: number) => ({ traded: { buyQuantity, sellQuantity: 0 } });
    const of = (...unread: UnreadPortfolioRow[]) =>
      oneRowEach({ ...NOTHING, positions: [whole], unread });
    const one = { ...NOTHING, positions: [whole] };
    expect(of(rest)).toEqual(one);
    expect(of({ ...rest, ...traded(10) })).toEqual(one);
    const reason = 'there are several rows of it, and they differ';
    const none = { ...NOTHING, unread: [{ ...rest, quantity: null, reason }] };
    expect(of({ ...rest, quantity: 20 })).toEqual(none);
    expect(of({ ...rest, ...traded(20) })).toEqual(none);
    expect(oneRowEach({ ...NOTHING, unread: [rest, { ...rest }] })).toEqual({
      ...NOTHING,
      unread: [rest],
    });
    // It may be any other position.
    const other = { ...rest, quantity: null };
    expect(of(other)).toEqual({ ...one, unread: [other] });
    const held = { ...rest, list: 'holdings', product: null, quantity: 5 } as const;
    const both = { ...NOTHING, holdings: [holding(5)], unread: [held] };
    expect(oneRowEach(both)).toEqual({ ...NOTHING, holdings: [holding(5)] });
  });

  it('without a product are left as they are: they may be two positions', () => {
    const row = position({ product: '', quantity: 10 });
    const read = { ...NOTHING, positions: [row, { ...row }] };
    expect(oneRowEach(read)).toBe(read);
  });
});
