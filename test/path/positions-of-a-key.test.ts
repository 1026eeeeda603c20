import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { BUY, loggedInRig, pinnedRig, place, spoilReading } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
};

const get = (rig: Rig, path: string, headers: Record<string, string> = {}) =>
  rig.call({ method: 'GET', path, headers });

/** A book in which the order that a smart order sends to the exchange has a row of its own, with the same trades. */
function withChildren(body: string): string {
  const book = JSON.parse(body);
  const children = (book.data ?? [])
    .filter((row: { order_type: string }) => row.order_type.startsWith('GTT'))
    .map((row: { id: string }) => ({ ...row, id: `EQ-${row.id}`, order_type: 'LIMIT' }));
  return JSON.stringify({ ...book, data: [...(book.data ?? []), ...children] });
}

/** The quantity of each row of TCS is a word. */
const withOddRow = (body: string): string =>
  JSON.stringify(JSON.parse(body), (_, value: { tradingsymbol?: string } | null) =>
    value?.tradingsymbol === 'TCS' ? { ...value, quantity: 'many' } : value,
  );

/** Two keys have bought, one of them has sold a part, and somebody has bought in the broker's app. */
async function afterTrades(options: RigOptions = {}) {
  const rig = await loggedInRig(options);
  const { key, caller } = rig.composed.callers.add({ name: 'a strategy', scope: 'trade' });
  const headers = { authorization: `Bearer ${key.reveal()}` };
  await place(rig, BUY, 'of-the-admin');
  await rig.post('/api/v1/orders', { ...BUY, quantity: 8 }, headers);
  await rig.time.advance(3_000);
  await rig.post('/api/v1/orders', { ...BUY, side: 'SELL', quantity: 3 }, headers);
  elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
  await rig.time.advance(3_000);
  return { rig, headers, id: caller.id, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('the positions of a key', () => {
  it('are those of its own orders, with what they have made', async () => {
    await using after = await afterTrades();
    const { rig, headers, id } = after;
    for (const [path, of] of [
      ['/api/v1/keys/me/positions', headers],
      [`/api/v1/keys/${id}/positions`, {}],
    ] as const) {
      const { status, body } = await get(rig, path, of);
      expect(status).toBe(200);
      const [position, ...others] = body.data.positions;
      expect(others).toEqual([]);
      expect(position).toMatchObject({
        ...{ broker: 'alt', instrument: 'NSE:INFY', product: BUY.product, quantity: 5 },
        day: { buyQuantity: 8, sellQuantity: 3 },
      });
      const { buyValue, sellValue } = position.day;
      const received = sellValue - buyValue + 5 * position.lastPrice;
      expect(body.data.pnl).toBeCloseTo(received, 2);
      expect(body.data.pnl).toBeCloseTo(position.realisedPnl + position.unrealisedPnl, 2);
      expect(body.data.prices.ageMs).toBeGreaterThanOrEqual(0);
      expect(body.data.uncertainOrders).toEqual([]);
    }
  });

  it('are listed by scope=mine in the form of the account’s', async () => {
    await using after = await afterTrades();
    const { rig, headers } = after;
    const quantities = async (query: string, of: Record<string, string> = {}) =>
      (await get(rig, `/api/v1/positions?${query}`, of)).body.data.map(
        ({ quantity }: { quantity: number }) => quantity,
      );
    expect(await quantities('scope=mine', headers)).toEqual([5]);
    expect(await quantities('scope=mine&list=day', headers)).toEqual([5]);
    expect(await quantities('scope=mine')).toEqual([BUY.quantity]);
    expect(await quantities('scope=account', headers)).toEqual([BUY.quantity + 10]);
    expect((await get(rig, '/api/v1/positions?scope=all', headers)).status).toBe(400);
  });

  it('need no broker: they are in the journal, and no price is guessed', async () => {
    await using after = await afterTrades();
    const { rig, headers } = after;
    for (const broker of ['kite', 'primary'] as const) {
      rig.sandbox.faults.add({ broker, kind: 'reset_after', match: { method: 'GET' } });
    }
    await rig.time.advance(60_000);
    const { body } = await get(rig, '/api/v1/positions?scope=mine', headers);
    expect(body.data[0]).toMatchObject({ quantity: 5, unrealisedPnl: null, pnl: null });
    expect(body.data[0].realisedPnl).not.toBeNull();
    expect((await get(rig, '/api/v1/keys/me/positions', headers)).body.data.pnl).toBeNull();
  });

  it('name the orders of which nobody knows how much they have filled', async () => {
    await using after = await afterTrades();
    const { rig, headers } = after;
    spoilReading(rig, 'reset_after', '/orders');
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'reset_after',
      match: { method: 'POST', path: '/orders/regular' },
    });
    const { status, body } = await rig.post('/api/v1/orders', { ...BUY, quantity: 2 }, headers);
    expect([status, body.data.status]).toEqual([202, 'uncertain']);
    const own = await get(rig, '/api/v1/keys/me/positions', headers);
    expect(own.body.data.uncertainOrders).toEqual([body.data.id]);
    const mine = await get(rig, '/api/v1/positions?scope=mine', headers);
    expect(mine.body.meta.uncertainOrders).toEqual([body.data.id]);
    const admins = await get(rig, '/api/v1/keys/me/positions');
    expect(admins.body.data.uncertainOrders).toEqual([]);
  });

  it('of another key are for admins', async () => {
    await using after = await afterTrades();
    const { rig, headers } = after;
    expect((await get(rig, '/api/v1/keys/admin/positions', headers)).body.code).toBe('forbidden');
    expect((await get(rig, '/api/v1/keys/nobody/positions')).body.code).toBe('unknown_key');
    expect((await get(rig, '/api/v1/positions/by-key', headers)).body.code).toBe('forbidden');
  });
});

describe('the positions of all keys', () => {
  it('and of orders placed elsewhere are what the broker has', async () => {
    await using after = await afterTrades();
    const { rig, id } = after;
    const { body } = await get(rig, '/api/v1/positions/by-key');
    const infy = body.data.positions.filter(
      (each: { instrument: string }) => each.instrument === 'NSE:INFY',
    );
    expect(infy).toMatchObject([
      {
        keys: [
          { key: 'admin', name: 'admin', quantity: BUY.quantity },
          { key: id, name: 'a strategy', quantity: 5 },
        ],
        ...{ ofKeys: BUY.quantity + 5, elsewhereToday: 5, difference: 0 },
      },
    ]);
    const [{ ofKeys, elsewhereBefore, broker }] = infy;
    expect(ofKeys + 5 + elsewhereBefore).toBe(broker);
  });

  it('count what the child of a stop order has filled once', async () => {
    await using rig = await pinnedRig({
      environment: { APP_ROUTE_TRADING: 'primary' },
      alter: ({ url }, body) => (url.endsWith('/order-book') ? withChildren(body) : body),
    });
    await place(
      rig,
      { ...BUY, quantity: 8, orderType: 'SL', price: 1_515, triggerPrice: 1_510 },
      'k',
    );
    rig.sandbox.exchange.setPrice('NSE:INFY', 151_000);
    await rig.time.advance(5_000);
    const { body } = await get(rig, '/api/v1/positions/by-key?broker=primary');
    const found = body.data.positions.find(
      ({ keys }: { keys: readonly unknown[] }) => keys.length > 0,
    );
    expect(found).toMatchObject({
      ...{ instrument: 'NSE:INFY', keys: [{ key: 'admin', quantity: 8 }] },
      ...{ elsewhereToday: 0, difference: 0 },
    });
  });

  it.each([
    [
      'the positions',
      '/portfolio/positions',
      { broker: null, elsewhereToday: 5, difference: null },
      { list: 'positions', instrument: 'NSE:TCS', product: 'CNC' },
    ],
    [
      'the order book',
      '/orders',
      { elsewhereToday: null, difference: null },
      { list: 'orders', instrument: 'NSE:TCS', product: 'CNC' },
    ],
  ])('are compared but for a row of %s that cannot be read', async (_, path, figures, row) => {
    let isOdd = false;
    await using after = await afterTrades({
      alter: ({ method, url }, body) =>
        isOdd && method === 'GET' && url.endsWith(path) ? withOddRow(body) : body,
    });
    const { rig, headers } = after;
    elsewhere(rig.sandbox, 'POST', '/orders/regular', { ...FORM, tradingsymbol: 'TCS' });
    await rig.time.advance(3_000);
    isOdd = true;
    const { status, body } = await get(rig, '/api/v1/positions/by-key');
    expect([status, body.data.unread]).toEqual([200, [expect.objectContaining(row)]]);
    const of = (name: string) =>
      body.data.positions.find(({ instrument }: { instrument: string }) => instrument === name);
    expect(of('NSE:INFY')).toMatchObject({ ofKeys: BUY.quantity + 5, difference: 0 });
    expect(of('NSE:TCS')).toMatchObject(figures);
    for (const own of ['/api/v1/keys/me/positions', '/api/v1/positions?scope=mine']) {
      expect((await get(rig, own, headers)).status).toBe(200);
    }
  });

  it('are not compared with an account that cannot be read', async () => {
    await using after = await afterTrades();
    const { rig } = after;
    spoilReading(rig, 'reset_after', '/portfolio/positions');
    expect((await get(rig, '/api/v1/positions/by-key')).status).toBe(503);
  });
});
