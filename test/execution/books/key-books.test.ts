import { describe, expect, it } from 'vitest';
import { tradedByOrder } from '../../../src/execution/books/books-of-state.ts';
import { KeyBooks } from '../../../src/execution/books/key-books.ts';
import type { OrderFacts } from '../../../src/execution/books/order-share.ts';
import { fillRecord, ist, orderRecord, terms, uncertainOrder } from '../support/makers.ts';

/** An order that has filled whole at one price, on a day of November. */
const traded = (
  day: number,
  side: 'BUY' | 'SELL',
  quantity: number,
  price: number,
): OrderFacts => ({
  order: orderRecord({
    ...{ id: `ord_${day}`, kind: 'filled', day: `2026-11-0${day}`, filledQuantity: quantity },
    ...{ averagePrice: price, fillPriceSource: 'order_row' },
    terms: terms({ side, quantity }),
  }),
  ...{ fills: [], attempts: [] },
});

function booksOf(...all: readonly OrderFacts[]) {
  const facts = new Map(all.map((one) => [one.order.id, one]));
  const books = new KeyBooks();
  for (const id of facts.keys()) books.touch(id);
  const of = (id: string) => {
    const found = facts.get(id);
    return found ? tradedByOrder(found) : null;
  };
  return { facts, books, of };
}

describe('the books of keys', () => {
  it('have what an after-market order has traded on the day of its trades, whatever the clock said', () => {
    const bought = traded(6, 'BUY', 10, 100);
    // By a clock that is hours ahead it was made after the close: for the session of Monday.
    const order = orderRecord({
      ...{ id: bought.order.id, kind: 'filled', day: '2026-11-06', filledQuantity: 10 },
      ...{ brokerOrderId: 'b1', createdAt: ist('2026-11-06T13:37:00') },
      terms: terms({ side: 'BUY', quantity: 10, amo: true, product: 'INTRADAY' }),
    });
    const fill = fillRecord({ orderId: order.id, quantity: 10, price: 100, day: '2026-11-06' });
    const { books, of } = booksOf({ order, fills: [fill], attempts: [] });
    const quantities = (day: string): readonly number[] =>
      books.positions(of, day, () => true).map(({ quantity }) => quantity);
    expect(quantities('2026-11-06')).toEqual([10]);
    expect(quantities('2026-11-09')).toEqual([]);
  });

  it('carry over from one day to the next, in whatever order the days became known', () => {
    const days = [traded(2, 'BUY', 10, 100), traded(3, 'SELL', 10, 110), traded(4, 'BUY', 5, 120)];
    for (const known of [days, [...days].reverse()]) {
      const { books, of } = booksOf(...known);
      const [position] = books.positions(of, '2026-11-05', () => true);
      expect(position?.carried.quantity).toBe(5);
      expect(position?.carried.cost?.toNumber()).toBe(600);
    }
  });

  it('take back what an order has filled no more', () => {
    const { books, facts, of } = booksOf(traded(2, 'BUY', 10, 100));
    expect(books.positions(of, '2026-11-02', () => true)).toHaveLength(1);
    facts.clear();
    books.touch('ord_2');
    expect(books.positions(of, '2026-11-02', () => true)).toEqual([]);
  });

  it('have an order in doubt until it is known what it has filled', () => {
    const { books, facts, of } = booksOf({
      ...{ order: uncertainOrder({ id: 'ord_2' }), fills: [], attempts: [] },
    });
    expect(books.doubts(of)).toEqual(['ord_2']);
    expect([books.doubts(of, 'someone'), books.doubts(of, 'another')]).toEqual([['ord_2'], []]);
    facts.set('ord_2', traded(2, 'BUY', 10, 100));
    books.touch('ord_2');
    expect(books.doubts(of)).toEqual([]);
  });
});
