import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readList, readStrict } from '../../../src/adapters/primary/envelope.ts';
import { createBookMapper, mapFills } from '../../../src/adapters/primary/book-mapping.ts';
import { readStatus } from '../../../src/adapters/primary/status.ts';
import { answered, infosys, lookupOf, orderRow, placing, setUp } from './support.ts';

/** Printed with a counterexample: the same seed gives the same run. */
const RUNS = { seed: 20_261_120, numRuns: 300 };

/** JSON values, with those that a broker's fields really have among them. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', '0', 0, null, -1, 1, '10', '1,000', 1e21, 0.5, true, 'SUCCESS', 'PENDING'),
);
const fields = Object.keys(orderRow({ remarks: '' }));

/** A row of the book with some of its fields removed or replaced by anything. */
const spoiltRow = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 6 }),
    fc.subarray(fields, { maxLength: 4 }),
  )
  .map(([changes, gone]) => {
    const row = orderRow(changes);
    for (const name of gone) delete row[name];
    return row;
  });

/** A status as the broker, or somebody who writes like it, may spell it. */
const statuses = [
  'QUEUED',
  'O-PENDING',
  'SL-PENDING',
  'PROCESSING',
  'INITIATED',
  'MODIFIED',
  'PENDING',
  'PARTIALLY FILLED',
  'SUCCESS',
  'PARTIALLY FILLED - CANCELLED',
  'PARTIALLY FILLED - EXPIRED',
  'CANCELLED',
  'EXPIRED',
  'FAILED',
  'ABORTED',
  'PARTIALLY_EXECUTED',
  'PF-CANCELLED',
  'PFC',
  'PF-EXPIRED',
];
const partial = statuses.filter((name) => /^P(F|ARTIALLY)/.test(name));
const spelt = (names: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(' ', '_', '  '), fc.boolean())
    .map(([name, space, lower]) => {
      const text = name.replaceAll(' ', space);
      return lower ? text.toLowerCase() : text;
    });
const traded = fc.oneof(
  fc.integer({ min: 0, max: 2_000 }),
  fc.constantFrom(null, 'unreadable' as const),
);

describe('whatever JSON the broker writes', () => {
  it('an order book is read', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(spoiltRow, value), { maxLength: 4 }), (rows) => {
        const { orders, unread } = createBookMapper(lookupOf([infosys]), ['GONE']).mapBook(rows);
        expect(orders.length + unread.length).toBeLessThanOrEqual(rows.length);
      }),
      RUNS,
    );
  });

  it('a row with an id is in the book that is read, or is said to be unread', () => {
    fc.assert(
      fc.property(fc.array(spoiltRow, { maxLength: 4 }), (rows) => {
        const book = createBookMapper(lookupOf([infosys]), []).mapBook(rows);
        const named = rows.filter(({ id }) => (id ?? '') !== '');
        expect(book.orders.length + book.unread.length).toBe(named.length);
      }),
      RUNS,
    );
  });

  it('no order has filled more than its quantity, or a fill that is not a number', () => {
    fc.assert(
      fc.property(fc.array(spoiltRow, { maxLength: 3 }), (rows) => {
        const book = createBookMapper(lookupOf([infosys]), []).mapBook(rows);
        for (const { filledQuantity, quantity } of book.orders) {
          if (filledQuantity === null) continue;
          expect(Number.isSafeInteger(filledQuantity)).toBe(true);
          expect(filledQuantity).toBeGreaterThanOrEqual(0);
          expect(filledQuantity).toBeLessThanOrEqual(quantity);
        }
      }),
      RUNS,
    );
  });

  it('a trade book loses no row: each is read, or said to be unread', () => {
    const names = ['fill_id', 'exch_order_id', 'quantity', 'price', 'trade_date', 'order_id'];
    const whole = { fill_id: 1, exch_order_id: '1', quantity: 10, price: 1.5 };
    const trade = fc
      .tuple(fc.constantFrom(...names), value)
      .map(([name, changed]) => ({ ...whole, [name]: changed }));
    fc.assert(
      fc.property(fc.array(trade, { minLength: 1, maxLength: 2 }), (rows) => {
        const { rows: fills, unread } = mapFills(rows);
        expect(fills.length + unread.length).toBe(rows.length);
        for (const fill of fills) expect(fill.quantity * fill.price).toBeGreaterThan(0);
      }),
      RUNS,
    );
  });

  it('a reply to an order is one of the four outcomes, and only an id acknowledges it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 200, max: 599 }), value, async (status, data) => {
        const body = { status: 'success', data };
        const { trading } = setUp({ respond: () => answered(status, body) });
        const outcome = await trading.place(placing());
        const named = (data as { order_id?: unknown } | null)?.order_id;
        if (named === undefined) expect(outcome.kind).not.toBe('acknowledged');
        if (status >= 500 || status < 300) expect(outcome.kind).not.toBe('refused');
        expect(outcome.kind).not.toBe('not_sent');
      }),
      RUNS,
    );
  });
});

describe('a reply that reports a failure', () => {
  const failure = fc.oneof(
    fc.record({ status: fc.constantFrom('error', 'failure', 'Error', 'FAILURE') }),
    fc.record({ success: fc.constant(false) }),
    fc.record({ error: fc.oneof(fc.string({ minLength: 1 }), fc.record({ msg: fc.string() })) }),
    fc.record({ error_type: fc.string({ minLength: 1 }) }),
    fc.record({ error_code: fc.oneof(fc.string({ minLength: 1 }), fc.integer({ min: 1 })) }),
  );
  const payload = fc.oneof(
    fc.record({ data: fc.oneof(value, fc.constantFrom([], null, {})) }),
    fc.record({ net_positions: fc.constant([]) }),
    fc.constant({}),
  );

  it('is never read as an answer: neither as no orders nor as no positions', () => {
    fc.assert(
      fc.property(failure, payload, fc.boolean(), (reported, sent, calledSuccess) => {
        const claim = calledSuccess && !('status' in reported) ? { status: 'success' } : {};
        const text = JSON.stringify({ ...claim, ...sent, ...reported });
        expect(readList(text).kind).toBe('error_body');
        expect(readStrict(text).kind).toBe('error_body');
      }),
      RUNS,
    );
  });

  it('and null in any other body without a success is never an empty list', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, { maxKeys: 4 }), (body) => {
        const text = JSON.stringify({ ...body, status: 'unheard of', data: null });
        expect(readList(text).kind).not.toBe('data');
      }),
      RUNS,
    );
  });

  it('and no text makes a reader throw', () => {
    const text = fc.oneof(
      fc.string(),
      fc.jsonValue().map((json) => JSON.stringify(json)),
    );
    fc.assert(
      fc.property(text, (body) => {
        const { kind } = readList(body);
        expect(['data', 'error_body', 'bad_payload']).toContain(kind);
      }),
      RUNS,
    );
  });
});

describe('a status', () => {
  it('never has more filled than the quantity', () => {
    fc.assert(
      fc.property(
        fc.oneof(spelt(statuses), fc.string()),
        fc.integer({ min: 0, max: 1_000 }),
        traded,
        fc.boolean(),
        (raw, requested, quantity, smart) => {
          const { filledQuantity } = readStatus(raw, requested, quantity, ['GONE'], smart);
          if (filledQuantity !== null) expect(filledQuantity).toBeLessThanOrEqual(requested);
        },
      ),
      RUNS,
    );
  });

  it('that is partial never has a fill of 0', () => {
    fc.assert(
      fc.property(
        spelt(partial),
        fc.integer({ min: 1, max: 1_000 }),
        fc.constantFrom(0, null, 'unreadable' as const),
        (raw, requested, quantity) => {
          const { filledQuantity } = readStatus(raw, requested, quantity, []);
          expect(filledQuantity).toBeNull();
        },
      ),
      RUNS,
    );
  });

  it('tells the whole quantity where that has traded, and nothing where more has', () => {
    fc.assert(
      fc.property(
        fc.oneof(spelt(statuses), fc.string()),
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 0, max: 100 }),
        (raw, requested, more) => {
          const reading = readStatus(raw, requested, requested + more, ['GONE']);
          const isTold = more === 0 || reading.status === 'filled';
          expect(reading.filledQuantity).toBe(isTold ? requested : null);
        },
      ),
      RUNS,
    );
  });
});
