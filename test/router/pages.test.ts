import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareAge,
  newestFirst,
  readCursor,
  writeCursor,
  type ListPosition,
} from '../../src/router/pages.ts';
import { epochMs } from '../../src/units/branded.ts';

const position = fc.record({
  createdAt: fc.integer({ min: 0, max: 6 }).map(epochMs),
  id: fc.string({ minLength: 1, maxLength: 2 }),
});

/** Two sorted lists that have no order twice. */
const lists = fc
  .uniqueArray(position, { selector: ({ createdAt, id }) => `${createdAt} ${id}`, maxLength: 30 })
  .chain((orders) =>
    fc.array(fc.boolean(), { minLength: orders.length, maxLength: orders.length }).map((left) => ({
      left: orders.filter((_, index) => left[index]).sort(compareAge),
      right: orders.filter((_, index) => !left[index]).sort(compareAge),
    })),
  );

const newestOf = (orders: readonly ListPosition[]): ListPosition[] =>
  [...orders].sort((one, other) => compareAge(other, one));

describe('a list of orders', () => {
  it('has both lists, newest first', () => {
    fc.assert(
      fc.property(lists, ({ left, right }) => {
        expect([...newestFirst(left, right, null)]).toEqual(newestOf([...left, ...right]));
      }),
    );
  });

  it('continues after any of its orders, whatever newer orders have come since', () => {
    fc.assert(
      fc.property(lists, fc.nat(), ({ left, right }, at) => {
        const whole = newestOf([...left, ...right]);
        const index = whole.length === 0 ? 0 : at % whole.length;
        const after = whole[index] ?? null;
        const newer = { createdAt: epochMs(7), id: 'newer' };
        expect([...newestFirst([...left, newer], right, after)]).toEqual(
          after === null ? [newer] : whole.slice(index + 1),
        );
      }),
    );
  });

  it('continues after an order that is no longer in it', () => {
    const [first, gone, last] = [3, 2, 1].map((createdAt) => ({
      createdAt: epochMs(createdAt),
      id: 'a',
    }));
    expect([...newestFirst([last!, first!], [], gone!)]).toEqual([last]);
  });
});

describe('a cursor', () => {
  it('is read back as the day and the position that it was made from', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 50), fc.string({ minLength: 1 }), (createdAt, id) => {
        const cursor = {
          list: 'orders' as const,
          of: '2026-11-06',
          after: { createdAt: epochMs(createdAt), id },
        };
        expect(readCursor(writeCursor(cursor))).toEqual(cursor);
      }),
    );
  });

  it('is letters, digits, hyphens and underscores', () => {
    const text = writeCursor({
      ...{ list: 'orders', of: '2026-11-06' },
      after: { createdAt: epochMs(1), id: 'alt:ü?>/~' },
    });
    expect(text).toMatch(/^[\w-]+$/);
  });

  it.each([
    ['nothing', ''],
    ['a word', 'next'],
    ['an order id', 'ord_0193576c-2f00-7000-8000-000000000000'],
    ['a page number', '2'],
    [
      'one that was cut',
      writeCursor({
        list: 'orders',
        of: '2026-11-06',
        after: { createdAt: epochMs(1), id: 'a' },
      }).slice(0, 12),
    ],
  ])('is not %s', (_, text) => {
    expect(readCursor(text)).toBeNull();
  });
});
