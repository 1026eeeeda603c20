import { describe, expect, it } from 'vitest';
import type { OrderStatus, RowStatus } from '../../../src/domain/order.ts';
import { AT, bookRow, fillsOf, orderRecord } from '../support/makers.ts';
import { afterRow, reduce } from '../support/reduce.ts';
import { epochMs } from '../../../src/units/branded.ts';

const LATER = epochMs(AT + 60_000);

describe('the quantities of a row overrule its status', () => {
  it.each<[RowStatus, number | null, OrderStatus, number | null]>([
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
    expect(afterRow('working', 12)).toMatchObject({ status: 'working', filledQuantity: 10 });
    expect(afterRow('filled', 12)).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(afterRow('filled', 10, fillsOf(10, 2)).filledQuantity).toBe(10);
  });
});

describe('fills that are known of an order', () => {
  it('count when the row says less', () => {
    expect(afterRow('working', 3, fillsOf(3, 2))).toMatchObject({
      status: 'working',
      filledQuantity: 5,
    });
  });

  it('make it whole when they add up, although its row does not say how many', () => {
    expect(afterRow('filled', null, fillsOf(6, 4))).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
    });
  });

  it('make a cancelled order a partial one', () => {
    expect(afterRow('cancelled', 0, fillsOf(3))).toMatchObject({
      status: 'partial',
      filledQuantity: 3,
    });
  });

  it('make a cancelled order a partial one also when its row tells no quantity', () => {
    // More may have filled than is known: so some, and not known how many.
    expect(afterRow('cancelled', null, fillsOf(3))).toMatchObject({
      status: 'partial',
      filledQuantity: null,
    });
  });

  it('are a lower bound only while the row does not say how many', () => {
    expect(afterRow('working', null, fillsOf(3)).filledQuantity).toBeNull();
    expect(afterRow('partial', null, fillsOf(3)).filledQuantity).toBeNull();
  });

  it('leave the quantity unknown while no row has been seen', () => {
    const order = reduce(orderRecord(), null, fillsOf(3), AT);
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

  it('rises also by a row that is older than the one which ended the order', () => {
    const ended = afterRow('cancelled', 3);
    const stale = bookRow({ status: 'working', filledQuantity: 5 });
    expect(reduce(ended, stale, [], LATER)).toMatchObject({ status: 'partial', filledQuantity: 5 });
  });

  it('becomes unknown when it was 0 and the row contradicts itself', () => {
    const order = afterRow('working', 0);
    const next = reduce(
      order,
      bookRow({ status: 'filled', filledQuantity: null, updatedAt: LATER }),
      [],
      LATER,
    );
    expect(next.filledQuantity).toBeNull();
  });
});
