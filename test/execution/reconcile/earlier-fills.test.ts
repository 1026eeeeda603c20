import { describe, expect, it } from 'vitest';
import { earlierFills } from '../../../src/execution/reconcile/earlier-fills.ts';
import { plus } from '../../../src/units/branded.ts';
import { AT, bookRow } from '../support/makers.ts';

const DAY_MS = 86_400_000;

describe('what a read of a book no longer shows as filled', () => {
  const six = bookRow({ brokerOrderId: 'a', quantity: 10, filledQuantity: 6 });
  const read = (rows: readonly (typeof six)[], after = 0, account: string | null = null) => ({
    ...{ rows, begunAt: plus(AT, after), begun: after as never, account, earlier: [] },
  });

  it('is the most that any read of the day has shown, until it is shown again', () => {
    const first = read([six]);
    const none = read([bookRow({ brokerOrderId: 'a', filledQuantity: 0 })], 1_000);
    const lost = earlierFills(first, none);
    expect(lost).toEqual([{ row: six, less: 6, shownAt: 0 }]);
    const two = read([bookRow({ brokerOrderId: 'a', filledQuantity: 2 })], 2_000);
    const less = earlierFills({ ...none, earlier: lost }, two);
    expect(less).toEqual([{ row: six, less: 4, shownAt: 0 }]);
    const gone = read([], 3_000);
    expect(earlierFills({ ...two, earlier: less }, gone)).toEqual([
      { row: six, less: 6, shownAt: 0 },
    ]);
    expect(earlierFills({ ...two, earlier: less }, read([six], 3_000))).toEqual([]);
  });

  it('is nothing where rows have moved, or show more', () => {
    const other = bookRow({ brokerOrderId: 'b', filledQuantity: 3 });
    const more = bookRow({ brokerOrderId: 'a', quantity: 10, filledQuantity: 10 });
    expect(earlierFills(read([six, other]), read([other, more]))).toEqual([]);
  });

  it('is nothing on another day, and in the book of another account', () => {
    expect(earlierFills(read([six]), read([], DAY_MS))).toEqual([]);
    expect(earlierFills(read([six], 0, 'AB1234'), read([], 1, 'CD5678'))).toEqual([]);
    expect(earlierFills(read([six], 0, 'AB1234'), read([], 1, 'ab1234'))).toHaveLength(1);
    expect(earlierFills(read([six], 0, 'AB1234'), read([], 1))).toHaveLength(1);
  });
});
