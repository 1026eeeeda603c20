import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrokerOrderDetails } from '../../src/domain/broker-order-details.ts';
import { bytesOfOrder, MOST_BYTES_IN_PAGE, writeCursor } from '../../src/router/pages.ts';
import { pageOf } from '../../src/routes/pages.ts';
import { orderView } from '../../src/routes/order-schemas.ts';
import { epochMs, type EpochMs } from '../../src/units/branded.ts';
import { expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { CLOSING, EXIT, NOW, order } from './support/samples.ts';

interface Entry {
  readonly id: string;
  readonly at: EpochMs | null;
}

const EXITS = {
  list: 'exits',
  of: '2026-11-23',
  id: ({ id }: Entry) => id,
  at: ({ at }: Entry) => at,
  view: ({ id }: Entry) => id,
} as const;

/** Reads page after page; between two pages the list grows. */
function readWhole(start: readonly Entry[], added: readonly Entry[], limit: number) {
  const list = [...start];
  const left = [...added];
  const read: string[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { data, nextCursor } = pageOf(list, { limit, cursor }, EXITS);
    read.push(...data);
    // A page that begins with the last entry of the one before would never end.
    if (nextCursor === null || read.length > 500) return { read, list };
    cursor = nextCursor;
    const next = left.shift();
    if (next) list.push(next);
  }
}

describe('a list that is read page after page', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });

  it('shows each entry once, those that are added meanwhile too', () => {
    fc.assert(
      fc.property(ids, fc.nat(40), fc.integer({ min: 1, max: 5 }), (numbers, cut, limit) => {
        // Several entries of one instant, and some without a time, which are the oldest.
        const all = numbers.map((number, index) => ({
          id: `e${number}`,
          at: index < 3 ? null : epochMs(1_000 + Math.floor(index / 4)),
        }));
        const start = all.slice(0, Math.max(3, cut));
        // What is added is newer than all that is there.
        const added = all
          .slice(Math.max(3, cut))
          .map((each, index) => ({ ...each, at: epochMs(5_000 + index) }));
        const { read, list } = readWhole(start, added, limit);
        expect(new Set(read).size).toBe(read.length);
        expect(read.toSorted()).toEqual(list.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('goes on after an entry that is gone', () => {
    const [one, two, three] = [1, 2, 3].map((at) => ({ id: `e${at}`, at: epochMs(at) }));
    const { nextCursor } = pageOf([one!, two!, three!], { limit: 2 }, EXITS);
    const next = pageOf([one!, three!], { cursor: nextCursor ?? '' }, EXITS);
    expect(next).toEqual({ data: ['e3'], nextCursor: null });
  });

  it('has pages that stay below the most bytes, with at least one entry each', () => {
    const long = (id: number): Entry => ({ id: `${id}${'€'.repeat(100_000)}`, at: epochMs(id) });
    const all = Array.from({ length: 9 }, (_, index) => long(index));
    const pages = [];
    let cursor: string | undefined;
    do {
      const page = pageOf(all, { cursor }, EXITS);
      pages.push(page.data);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages.flat()).toEqual(all.map(({ id }) => id));
    const sizes = pages.map((page) => Buffer.byteLength(JSON.stringify(page)));
    expect(Math.max(...sizes)).toBeLessThan(MOST_BYTES_IN_PAGE + 100);
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 3]);
  });
});

describe('the bytes that are counted for an order', () => {
  const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }), { nil: null });
  const number = fc.option(fc.constantFrom(-1, 0, 0.05, 24_000.5, 10_000_000), { nil: null });
  const instant = fc.option(fc.constantFrom(NOW, epochMs(0)), { nil: null });
  const prices = fc.option(fc.record({ trigger: number, limit: number }), { nil: null });
  const icebergFigures = {
    ...{ leg: number, legs: number, legQuantity: number, totalQuantity: number },
    remainingQuantity: number,
  };
  const details: fc.Arbitrary<BrokerOrderDetails> = fc.record({
    ...{ instrument: text, isin: text, variety: text, rawReason: text, placedBy: text },
    ...{ parentBrokerOrderId: text, amo: fc.boolean(), modified: fc.boolean() },
    ...{ disclosedQuantity: number, marketProtection: number, pendingQuantity: number },
    ...{ cancelledQuantity: number, registeredAt: instant, exchangeAt: instant },
    iceberg: fc.option(fc.record(icebergFigures), { nil: null }),
    validityMinutes: number,
    ...{ exchangeUpdatedAt: instant, stopLoss: prices, target: prices },
  });

  it('are at least those of its answer, with what the broker tells besides and without', () => {
    fc.assert(
      fc.property(fc.option(details, { nil: undefined }), text, instant, (told, reason, absent) => {
        const shown = {
          ...order({ reason, absentSince: absent }),
          ...(told === undefined ? {} : { details: told }),
        };
        const answered = Buffer.byteLength(JSON.stringify(orderView(shown))) + 1;
        expect(bytesOfOrder(shown)).toBeGreaterThanOrEqual(answered);
      }),
    );
  });
});

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (path: string) => app.http.get(path).set('Authorization', KEYS.read);

async function pagesOf(path: string): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const { body } = await get(`${path}?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    pages.push(body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.nextCursor;
  } while (cursor !== null);
  return pages;
}

describe('over HTTP, pages of', () => {
  it('exits, oldest first', async () => {
    const made = [3, 1, 2].map((number) => ({
      ...EXIT,
      id: `exit_0193576c-2f00-7000-8000-00000000000${number}`,
      createdAt: epochMs(NOW + number),
    }));
    app.fake.set({ getExits: async () => made });
    const [three, one, two] = made.map(({ id }) => id);
    expect(await pagesOf('/api/v1/exits')).toEqual([[one, two], [three]]);
  });

  it('closings, oldest first, without those that are at another broker too', async () => {
    const made = [3, 1, 2].map((number) => ({
      ...CLOSING,
      id: `closing_0193576c-2f00-7000-8000-00000000000${number}`,
      createdAt: epochMs(NOW + number),
    }));
    app.fake.set({ getClosings: async () => made as never });
    const [three, one, two] = made.map(({ id }) => id);
    expect(await pagesOf('/api/v1/positions/close-all')).toEqual([[one, two], [three]]);
    const at = async (broker: string): Promise<number> =>
      (await get(`/api/v1/positions/close-all?broker=${broker}`)).body.data.length;
    const { broker } = CLOSING.positions[0]!;
    expect([await at(broker), await at(broker === 'alt' ? 'primary' : 'alt')]).toEqual([3, 0]);
    // A row that could not be read at another broker is a part of a closing as well.
    const unread = {
      ...{ broker: 'paper', mode: 'paper', list: 'positions', instrument: null, product: null },
      ...{ quantity: null, reason: 'no product' },
    };
    app.fake.set({ getClosings: async () => [{ ...CLOSING, unread: [unread] }] as never });
    expect(await at(broker)).toBe(0);
  });

  it('fills, oldest first', async () => {
    const fills = [1, 2, 3].map((number) => ({
      ...{ id: `f${number}`, orderId: 'ord_1', quantity: 1, price: 1500 },
      at: epochMs(NOW + number),
    }));
    app.fake.set({ getFills: async () => fills });
    expect(await pagesOf('/api/v1/orders/ord_1/fills')).toEqual([['f1', 'f2'], ['f3']]);
  });

  it('triggers, oldest first', async () => {
    const { data, meta } = await app.fake.gateway.getTriggers();
    const triggers = [2, 1, 3].map((number) => ({
      ...{ ...data[0]!, id: `trg_${number}`, triggerId: `${number}` },
      createdAt: epochMs(NOW + number),
    }));
    app.fake.set({ getTriggers: async () => ({ data: triggers, meta }) });
    expect(await pagesOf('/api/v1/triggers')).toEqual([['trg_1', 'trg_2'], ['trg_3']]);
  });

  it.each([
    ['/api/v1/exits', 'orders', '2026-11-23'],
    ['/api/v1/exits?day=2026-11-20', 'exits', '2026-11-23'],
    ['/api/v1/positions/close-all', 'exits', '2026-11-23'],
    ['/api/v1/positions/close-all?day=2026-11-20', 'closings', '2026-11-23'],
    ['/api/v1/triggers', 'triggers', 'primary'],
    ['/api/v1/orders/ord_1/fills', 'fills', 'ord_2'],
  ] as const)('%s refuses the cursor of another list: %s of %s', async (path, list, of) => {
    const cursor = writeCursor({ list, of, after: { createdAt: NOW, id: 'x' } });
    const reply = await get(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
    const problem = expectProblem(reply, 400, 'wrong_cursor');
    expect(problem.detail).toContain(`belongs to the list of ${list} of ${of}`);
  });

  it.each(['exits', 'positions/close-all', 'triggers', 'trades', 'orders', 'orders/ord_1/fills'])(
    '%s refuse a limit that is too large, and a text that is no cursor',
    async (list) => {
      for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x']) {
        expectProblem(await get(`/api/v1/${list}?${query}`), 400, 'invalid_request');
      }
      expect(app.fake.calls).toEqual([]);
    },
  );

  it.each([
    ['exits', 'exits'],
    ['closings', 'positions/close-all'],
  ] as const)('the %s of another day, whose cursor names the day', async (list, path) => {
    const asked: unknown[] = [];
    const none = async (day: unknown): Promise<[]> => {
      asked.push(day);
      return [];
    };
    app.fake.set({ getExits: none, getClosings: none });
    const after = { createdAt: NOW, id: 'x' };
    const cursor = writeCursor({ list, of: '2026-11-20', after });
    expect((await get(`/api/v1/${path}?cursor=${cursor}`)).status).toBe(200);
    expect((await get(`/api/v1/${path}`)).status).toBe(200);
    expect(asked).toEqual(['2026-11-20', '2026-11-23']);
  });
});
