import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { createRowsInTurn, rowsById } from '../../../src/execution/reconcile/rows-by-id.ts';
import { bookRow } from '../support/makers.ts';

let looks = 0;
/** Counts how often the id of a row is read. */
const counted = (brokerOrderId: string): BrokerOrder =>
  Object.defineProperty(bookRow(), 'brokerOrderId', {
    get() {
      looks += 1;
      return brokerOrderId;
    },
  });

describe('the rows of a read by their ids', () => {
  it('cost the rows that were added, where a list begins with that of the read before', () => {
    const take = createRowsInTurn();
    const rows = Array.from({ length: 1_000 }, (_, number) => counted(`b${number}`));
    take(rows);
    looks = 0;
    const [changed, added] = [counted('b7'), counted('b1000')];
    const next = [...rows.with(7, changed), added];
    take(next);
    expect(rowsById(next).of('b7')).toEqual([changed]);
    expect(rowsById(next).of('b1000')).toEqual([added]);
    expect(rowsById(next).of('b999')).toEqual([rows[999]]);
    expect([rowsById(next).has('b0'), rowsById(next).has('b1001')]).toEqual([true, false]);
    expect(looks).toBeLessThan(10);
  });

  it('are those of the list that is asked about, also of an earlier one', () => {
    const take = createRowsInTurn();
    const [first, second] = [bookRow({ brokerOrderId: 'a' }), bookRow({ brokerOrderId: 'b' })];
    const lists = [[first], [first, second], [second], [second, first]];
    for (const list of lists) take(list);
    const held = lists.map((list) => ['a', 'b'].map((id) => rowsById(list).of(id)));
    expect(lists.map((list) => rowsById(list).has('b'))).toEqual([false, true, true, true]);
    expect(held).toEqual([
      [[first], []],
      [[first], [second]],
      [[], [second]],
      [[first], [second]],
    ]);
  });

  it('are all rows of an id that a book shows twice, in the order of the book', () => {
    const take = createRowsInTurn();
    const [one, other] = [bookRow({ quantity: 1 }), bookRow({ quantity: 2 })];
    const id = one.brokerOrderId;
    for (const list of [[one], [one, other], [one, other, bookRow({ brokerOrderId: 'x' })]]) {
      take(list);
      expect(rowsById(list).of(id)).toEqual(list.slice(0, 2));
    }
    take([one]);
    expect(rowsById([other, one]).of(id)).toEqual([other, one]);
  });
});
