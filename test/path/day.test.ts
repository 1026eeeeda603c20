import { describe, expect, it } from 'vitest';
import { createRig } from '../support/rig.ts';

const order = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'MARKET',
  product: 'CNC',
};

describe('a day with the gateway', () => {
  it('goes from the fallback through login to the broker, and back when the token dies', async () => {
    await using rig = await createRig();

    // 1. No token: the primary's prices, the paper account's orders.
    const quotes = await rig.get('/api/v1/quotes?instruments=NSE:INFY,NSE:RELIANCE');
    expect(quotes.status).toBe(200);
    expect(Object.keys(quotes.body.data)).toEqual(['NSE:INFY', 'NSE:RELIANCE']);
    expect(quotes.body.meta).toMatchObject({ broker: 'primary' });
    const codes = rig.sent.find((request) => request.url.includes('/market/quotes/full'))?.url;
    expect(decodeURIComponent(codes ?? '')).toContain('NSE_1594,NSE_2885');
    for (const path of ['positions', 'holdings', 'funds', 'orders']) {
      const reply = await rig.get(`/api/v1/${path}`);
      expect(reply.status, path).toBe(200);
      expect(reply.body.meta, path).toMatchObject({ broker: 'paper', mode: 'paper' });
    }
    const paper = await rig.post('/api/v1/orders', order, { 'idempotency-key': 'first' });
    expect(paper.status).toBe(201);
    expect(paper.body.data).toMatchObject({ broker: 'paper', mode: 'paper' });
    await rig.time.advance(2_000);
    const filled = await rig.get(`/api/v1/orders/${paper.body.data.id}`);
    expect(filled.body.data).toMatchObject({ status: 'filled', filledQuantity: 10 });

    // 2. Login.
    const callback = await rig.logIn();
    expect(callback.status).toBe(200);
    expect(callback.body.data ?? callback.body).toMatchObject({ userId: 'AB1234' });
    const status = await rig.get('/api/altbroker/status');
    expect(status.body.data).toMatchObject({ state: 'valid', source: 'memory' });
    const token = await rig.get('/api/altbroker/token');
    expect(token.body.data.accessToken).toBe(rig.sandbox.kite.liveToken());

    // 3. The same calls at the alternative broker.
    await rig.time.advance(2_000);
    const live = await rig.get('/api/v1/quotes?instruments=NSE:INFY,NSE:RELIANCE&maxAgeMs=0');
    expect(live.body.meta).toMatchObject({ broker: 'alt' });
    for (const path of ['positions', 'holdings', 'funds', 'orders']) {
      const reply = await rig.get(`/api/v1/${path}`);
      expect(reply.status, `${path} ${reply.text}`).toBe(200);
      expect(reply.body.meta, path).toMatchObject({ broker: 'alt', mode: 'live' });
    }
    const placed = await rig.post('/api/v1/orders', order, { 'idempotency-key': 'second' });
    expect(placed.status, placed.text).toBe(201);
    expect(placed.body.data).toMatchObject({ broker: 'alt', mode: 'live', boundBy: 'id' });
    await rig.time.advance(5_000);
    const done = await rig.get(`/api/v1/orders/${placed.body.data.id}`);
    expect(done.body.data).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect(rig.sandbox.kite.orders()).toHaveLength(1);

    // 4. 06:00 the next day: expired, and 1 is back.
    await rig.time.advanceTo('2026-11-07T06:00:01+05:30');
    const expired = await rig.get('/api/altbroker/status');
    expect(expired.body.data).toMatchObject({ state: 'expired' });
    expect((await rig.get('/api/altbroker/token')).status).toBe(404);
    const again = await rig.get('/api/v1/quotes?instruments=NSE:INFY');
    expect(again.body.meta).toMatchObject({ broker: 'primary' });
    expect((await rig.get('/api/v1/positions')).body.meta).toMatchObject({ broker: 'paper' });
  });
});
