import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, modify, place, placings, RESTING } from './walk.ts';

const formOf = (body: string | null | undefined): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body ?? ''));

const lastPlaced = (rig: Rig) => formOf(placings(rig).at(-1)?.body);

async function keyWith(rig: Rig, marks: object) {
  const { body } = await rig.post('/api/v1/keys', { name: 'algo', scope: 'trade', ...marks });
  return {
    id: String(body.data.id),
    headers: { authorization: `Bearer ${String(body.data.key)}` },
  };
}

describe('the algo id and the market protection of an order', () => {
  it('are those of the order, else of its key, else of the settings', async () => {
    await using rig = await loggedInRig({
      environment: { APP_ALT_BROKER_ALGO_ID: 'SET', APP_ALT_BROKER_MARKET_PROTECTION: '4' },
    });
    await place(rig, BUY, 'of-settings');
    expect(lastPlaced(rig)).toMatchObject({ algo_id: 'SET', market_protection: '4' });
    const { id, headers } = await keyWith(rig, { algoId: 'KEY', marketProtection: 2 });
    await rig.post('/api/v1/orders', BUY, headers);
    expect(lastPlaced(rig)).toMatchObject({ algo_id: 'KEY', market_protection: '2' });
    await rig.post('/api/v1/orders', { ...BUY, algoId: 'ONE', marketProtection: 1 }, headers);
    expect(lastPlaced(rig)).toMatchObject({ algo_id: 'ONE', market_protection: '1' });
    const changed = await rig.call({
      ...{ method: 'PATCH', path: `/api/v1/keys/${id}` },
      json: { algoId: null, marketProtection: -1 },
    });
    expect(changed.body.data).toMatchObject({ algoId: null, marketProtection: -1 });
    await rig.post('/api/v1/orders', BUY, headers);
    expect(lastPlaced(rig)).toMatchObject({ algo_id: 'SET', market_protection: '-1' });
  });

  it('are shown as they were sent, with whatever they come from, also after a restart', async () => {
    await using rig = await loggedInRig({ environment: { APP_ALT_BROKER_ALGO_ID: 'SET' } });
    const { id, headers } = await keyWith(rig, { algoId: 'KEY', marketProtection: 2 });
    const ofKey = (await rig.post('/api/v1/orders', BUY, headers)).body.data;
    const ofSettings = (await place(rig, RESTING, 'of-settings')).body.data;
    expect([ofKey.algoId, ofSettings.algoId]).toEqual(['KEY', 'SET']);
    // Another mark of the key is that of orders to come.
    const json = { algoId: 'NEW', marketProtection: 3 };
    await rig.call({ method: 'PATCH', path: `/api/v1/keys/${id}`, json });
    await rig.time.advance(2_000);
    await rig.crash();
    await rig.time.advance(5_000);
    for (const [order, algoId] of [
      [ofKey, 'KEY'],
      [ofSettings, 'SET'],
    ]) {
      expect((await rig.get(`/api/v1/orders/${order.id}`)).body.data).toMatchObject({ algoId });
    }
    const { body } = await rig.get('/api/v1/events');
    const told = body.data.map(({ data }: { data: { order?: object } }) => data.order);
    expect(told.findLast((order?: { id: string }) => order?.id === ofKey.id)).toMatchObject({
      ...{ algoId: 'KEY', marketProtection: 2 },
    });
  });

  it('of a key hold for the changes of an order that was sent with them', async () => {
    await using rig = await loggedInRig();
    const { id, headers } = await keyWith(rig, { marketProtection: 2 });
    const order = { ...BUY, orderType: 'SL-M', triggerPrice: 1_550 };
    const { body } = await rig.post('/api/v1/orders', order, headers);
    expect(body.data.marketProtection).toBe(2);
    const json = { marketProtection: 3 };
    await rig.call({ method: 'PATCH', path: `/api/v1/keys/${id}`, json });
    await rig.time.advance(2_000);
    await modify(rig, body.data.id, { triggerPrice: 1_560 });
    const change = rig.sent.findLast(({ method }) => method === 'PUT');
    expect(formOf(change?.body)).toMatchObject({ market_protection: '2' });
  });

  it('of the slices of an order are those of the whole', async () => {
    await using rig = await loggedInRig({
      environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4', APP_ALT_BROKER_ALGO_ID: 'SET' },
    });
    const { body } = await place(rig, BUY, 'sliced');
    expect(body.data.algoId).toBe('SET');
  });

  it('are in its answers, those that the order named', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...BUY, algoId: 'ONE', marketProtection: 2 }, 'marked');
    expect(body.data).toMatchObject({ algoId: 'ONE', marketProtection: 2 });
    const listed = (await rig.get('/api/v1/orders')).body.data;
    expect(listed[0]).toMatchObject({ id: body.data.id, algoId: 'ONE' });
    const { data } = (await place(rig, RESTING, 'unmarked')).body;
    expect(data).toMatchObject({ algoId: null });
  });

  it('of an order hold for its changes, also after a restart', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...RESTING, marketProtection: 1.5 }, 'marked');
    await rig.time.advance(2_000);
    await rig.crash();
    await rig.time.advance(5_000);
    await modify(rig, body.data.id, { orderType: 'MARKET' });
    const change = rig.sent.findLast(({ method }) => method === 'PUT');
    expect(formOf(change?.body)).toMatchObject({ order_type: 'MARKET', market_protection: '1.5' });
  });

  it('of a key that are changed leave its requests the same: a repeat sends nothing', async () => {
    await using rig = await loggedInRig();
    const { id, headers } = await keyWith(rig, { marketProtection: 2 });
    const keyed = { ...headers, 'idempotency-key': 'once' };
    const first = await rig.post('/api/v1/orders', BUY, keyed);
    await rig.call({
      ...{ method: 'PATCH', path: `/api/v1/keys/${id}` },
      json: { marketProtection: 3 },
    });
    const again = await rig.post('/api/v1/orders', BUY, keyed);
    expect([again.body.data.id, placings(rig).length]).toEqual([first.body.data.id, 1]);
    const other = await rig.post('/api/v1/orders', { ...BUY, algoId: 'X' }, keyed);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
  });

  it.each([
    { algoId: '' },
    { algoId: 'a b' },
    { algoId: 'x'.repeat(65) },
    { marketProtection: -2 },
    { marketProtection: 101 },
    { marketProtection: 1.234 },
    { marketProtection: '1' },
  ])('are refused where they are none: %j', async (marks) => {
    await using rig = await loggedInRig();
    const order = await place(rig, { ...BUY, ...marks }, 'odd');
    expect([order.status, order.body.code]).toEqual([400, 'invalid_request']);
    const key = await rig.post('/api/v1/keys', { name: 'odd', scope: 'trade', ...marks });
    expect([key.status, placings(rig).length]).toEqual([400, 0]);
  });
});
