import { elsewhere } from '../support/kite-elsewhere.ts';
import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import type { Rig } from '../support/rig.ts';
import { bookReads, BUY, loggedInRig, place, spoilReading } from './walk.ts';

describe('the orders of a day', () => {
  it('hold those that were placed by hand, as external', async () => {
    await using rig = await loggedInRig();
    const mine = await place(rig, BUY, 'mine');
    const byHand = rig.sandbox.kite.placeByHand({
      instrument: 'NSE:SBIN',
      side: 'BUY',
      quantity: 3,
    });
    await rig.time.advance(3_000);
    const { body } = await rig.get('/api/v1/orders');
    const rows = body.data.map(({ id, external, instrument }: Record<string, unknown>) => ({
      id,
      external,
      instrument,
    }));
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ id: mine.body.data.id, external: false, instrument: 'NSE:INFY' });
    expect(rows).toContainEqual({
      id: `alt:${byHand.orderId}`,
      external: true,
      instrument: 'NSE:SBIN',
    });
  });

  it('come in pages, each with the cursor of the next one', async () => {
    await using rig = await loggedInRig();
    const placed = [];
    for (const key of ['one', 'two', 'three']) {
      placed.unshift((await place(rig, BUY, key)).body.data.id);
      await rig.time.advance(1_000);
    }
    const first = await rig.get('/api/v1/orders?limit=2');
    const { nextCursor } = first.body.meta;
    const second = await rig.get(`/api/v1/orders?limit=2&cursor=${nextCursor}`);
    const ids = [...first.body.data, ...second.body.data].map(({ id }) => id);
    expect(ids).toEqual(placed);
    expect(second.body.meta.nextCursor).toBeNull();
  });

  it('are told one by one under their ids, those by hand too', async () => {
    await using rig = await loggedInRig();
    const byHand = rig.sandbox.kite.placeByHand({
      instrument: 'NSE:SBIN',
      side: 'BUY',
      quantity: 3,
    });
    await rig.time.advance(3_000);
    const { body } = await rig.get(`/api/v1/orders/alt:${byHand.orderId}`);
    expect(body.data).toMatchObject({ external: true, quantity: 3, status: 'filled' });
  });
});

describe('a book that was read less than half a second ago', () => {
  const list = async (rig: Rig) => (await rig.get('/api/v1/orders')).body;
  const byHand = { instrument: 'NSE:SBIN', side: 'BUY', quantity: 3 } as const;

  it('answers every list, and is not read again', async () => {
    await using rig = await loggedInRig();
    await rig.time.advance(30_000);
    const before = bookReads(rig);
    const first = await list(rig);
    for (let count = 0; count < 4; count += 1) {
      await rig.time.advance(100);
      const { data, meta } = await list(rig);
      expect([data, meta.asOf]).toEqual([first.data, first.meta.asOf]);
    }
    expect(bookReads(rig) - before).toBe(1);
  });

  it('is the oldest that a list is made of', async () => {
    await using rig = await loggedInRig();
    await rig.time.advance(30_000);
    await list(rig);
    const before = bookReads(rig);
    const { orderId } = rig.sandbox.kite.placeByHand(byHand);
    for (const step of [501, 600, 2_000]) {
      await rig.time.advance(step);
      const { data, meta } = await list(rig);
      expect(meta.ageMs).toBeLessThanOrEqual(500);
      expect(data).toMatchObject([{ id: `alt:${orderId}` }]);
    }
    expect(bookReads(rig) - before).toBe(3);
  });

  it('is read again for a list that may not be that old', async () => {
    await using rig = await loggedInRig();
    await rig.time.advance(30_000);
    await list(rig);
    await rig.time.advance(100);
    const before = bookReads(rig);
    await rig.get('/api/v1/orders?maxAgeMs=50');
    expect(bookReads(rig) - before).toBe(1);
  });
});

const spoilt: readonly FaultKind[] = [
  'refuse',
  'error_before',
  'html_2xx_after',
  'cut_after',
  'lying_2xx_after',
  'hang_before',
];

describe.each([
  ['orders', '/orders'],
  ['positions', '/portfolio/positions'],
  ['holdings', '/portfolio/holdings'],
  ['funds', '/user/margins'],
  ['profile', '/user/profile'],
])('GET /api/v1/%s', (resource, path) => {
  it.each(spoilt)(
    'is an error and never nothing when the broker’s answer is lost: %s',
    async (kind) => {
      await using rig = await loggedInRig();
      spoilReading(rig, kind, path);
      const reply = await rig.get(`/api/v1/${resource}?maxAgeMs=0`);
      // A failure inside a 2xx is the broker's own refusal; of the others no answer came.
      const refused = kind === 'lying_2xx_after';
      const told = refused ? [502, 'broker_refused'] : [503, 'broker_unavailable'];
      expect([reply.status, reply.body.code]).toEqual(told);
      expect(reply.body).not.toHaveProperty('data');
    },
  );

  it('is of the live account or an error, never another account’s, when its token dies', async () => {
    await using rig = await loggedInRig();
    rig.sandbox.kite.killTokens();
    const reply = await rig.get(`/api/v1/${resource}?maxAgeMs=0`);
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(reply.body).toMatchObject({ broker: 'alt' });
  });
});

describe('the order book', () => {
  /** Somebody has placed two orders in the app; the book writes the quantity of the one of TCS in words. */
  async function unreadRig() {
    const spoil = (row: { tradingsymbol: string }) =>
      row.tradingsymbol === 'TCS' ? { ...row, quantity: 'five' } : row;
    const rig = await loggedInRig({
      alter({ method, url }, body) {
        if (method !== 'GET' || !url.endsWith('/orders')) return body;
        const book = JSON.parse(body);
        return JSON.stringify({ ...book, data: book.data.map(spoil) });
      },
    });
    const [readable, unread] = ['INFY', 'TCS'].map((tradingsymbol) => {
      const form = {
        ...{ exchange: 'NSE', tradingsymbol, transaction_type: 'BUY', quantity: '5' },
        ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
      };
      return `alt:${String(elsewhere(rig.sandbox, 'POST', '/orders/regular', form)['order_id'])}`;
    });
    await rig.time.advance(2_000);
    return { rig, readable, unread, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
  }

  it('with a row that cannot be read lists all others, and says what it lacks', async () => {
    await using bench = await unreadRig();
    const { rig, readable, unread } = bench;
    const own = await place(rig, BUY, 'one');
    await rig.time.advance(3_000);
    const { status, body } = await rig.get('/api/v1/orders?maxAgeMs=0');
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect([status, new Set(ids)]).toEqual([200, new Set([own.body.data.id, readable])]);
    const reason = `rows of the order book of alt cannot be read: ${String(unread).slice(4)} (`;
    const [alt, ...others] = body.meta.books;
    expect(alt).toMatchObject({ broker: 'alt', read: false, unreadRows: 1 });
    expect(alt.reason).toContain(reason);
    expect(others.map((each: { unreadRows: number }) => each.unreadRows)).toEqual([0, 0]);
  });

  it('with a row that cannot be read has the orders that can, and says of no such row that there is none', async () => {
    await using bench = await unreadRig();
    const { rig, readable, unread } = bench;
    expect((await rig.get(`/api/v1/orders/${readable}`)).status).toBe(200);
    expect((await rig.get(`/api/v1/orders/${unread}`)).body.code).toBe('broker_unavailable');
    expect((await rig.get('/api/v1/orders/alt:none')).body.code).toBe('unknown_order');
  });

  it('lacks nothing where the row that cannot be read is of an order of the gateway', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'one');
    await rig.time.advance(3_000);
    spoilReading(rig, 'bad_row', '/orders');
    const { status, body } = await rig.get('/api/v1/orders?maxAgeMs=0');
    expect([status, body.data.length]).toEqual([200, 1]);
  });
});
