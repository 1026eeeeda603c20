import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place, spoilReading } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
};

/** An order of the admin, one of another key, and one placed elsewhere, all filled. */
async function afterThree() {
  const rig = await loggedInRig();
  const { key } = rig.composed.callers.add({ name: 'a strategy', scope: 'trade' });
  const headers = { authorization: `Bearer ${key.reveal()}` };
  const admins = await place(rig, BUY, 'of-the-admin');
  const theirs = await rig.post('/api/v1/orders', { ...BUY, quantity: 3 }, headers);
  const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
  await rig.time.advance(3_000);
  return {
    ...{ rig, headers, other: `alt:${String(id)}` },
    ...{ admins: String(admins.body.data.id), theirs: String(theirs.body.data.id) },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

const get = (rig: Rig, path: string, headers: Record<string, string> = {}) =>
  rig.call({ method: 'GET', path, headers });

describe('scope=mine', () => {
  it('lists the orders of the key of the request alone', async () => {
    await using three = await afterThree();
    const { rig, headers, admins, theirs, other } = three;
    const ids = async (query: string, of: Record<string, string> = {}) =>
      (await get(rig, `/api/v1/orders${query}`, of)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('?scope=mine', headers)).toEqual([theirs]);
    expect(await ids('?scope=mine')).toEqual([admins]);
    expect(await ids('?scope=mine&status=open', headers)).toEqual([]);
    for (const query of ['', '?scope=account']) {
      expect(new Set(await ids(query, headers))).toEqual(new Set([admins, theirs, other]));
    }
  });

  it('lists the trades of the orders of the key alone', async () => {
    await using three = await afterThree();
    const { rig, headers, admins, theirs, other } = three;
    const orders = async (query: string, of: Record<string, string> = {}) => {
      const { data } = (await get(rig, `/api/v1/trades${query}`, of)).body;
      return new Set(data.map(({ orderId }: { orderId: string }) => orderId));
    };
    expect(await orders('?scope=mine', headers)).toEqual(new Set([theirs]));
    expect(await orders('?scope=mine')).toEqual(new Set([admins]));
    expect(await orders('', headers)).toEqual(new Set([admins, theirs, other]));
  });

  it('of orders needs no book, since none of them was placed elsewhere', async () => {
    await using three = await afterThree();
    const { rig, headers, theirs } = three;
    spoilReading(rig, 'reset_after', '/orders');
    await rig.time.advance(1_000);
    const { status, body } = await get(rig, '/api/v1/orders?scope=mine', headers);
    expect([status, body.data[0].id]).toEqual([200, theirs]);
    expect((await get(rig, '/api/v1/orders', headers)).status).toBe(503);
  });

  it('is one of two words', async () => {
    await using rig = await loggedInRig();
    for (const path of ['/api/v1/orders?scope=all', '/api/v1/trades?scope=']) {
      expect((await get(rig, path)).status).toBe(400);
    }
  });
});
