import { describe, expect, it } from 'vitest';
import { fakeMessenger } from '../support/fake-messenger.ts';
import { createRig } from '../support/rig.ts';
import { openVirtualCron } from '../support/virtual-cron.ts';

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

describe('a day under the clock', () => {
  const RESTING = { ...order, orderType: 'LIMIT', price: 1_470 };

  it('begins with a token of yesterday and a reminder, and ends with its own at six', async () => {
    const messenger = fakeMessenger();
    await using rig = await createRig({
      start: '2026-11-04T11:00:00+05:30',
      environment: { APP_ORDER_POLL_SECONDS: '30', APP_PUBLIC_URL: 'https://gateway.example' },
      overrides: { messenger, openCron: openVirtualCron },
    });
    rig.sandbox.exchange.setPrice('NSE:INFY', 150_000);
    const status = async () => (await rig.get('/api/altbroker/status')).body.data;
    const quotedBy = async (): Promise<string> =>
      (await rig.get('/api/v1/quotes?instruments=NSE:INFY&maxAgeMs=0')).body.meta.broker;
    const place = (terms: object, key: string) =>
      rig.post('/api/v1/orders', terms, { 'idempotency-key': key });

    const sentWith = (token: string): number =>
      rig.sent.filter((request) => JSON.stringify(request).includes(token)).length;

    // Yesterday: a login, and the gateway is switched off for the night.
    expect((await rig.logIn()).status).toBe(200);
    const yesterdays = rig.sandbox.kite.liveToken()!;
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    messenger.texts.length = 0;

    // 08:30: started with the token of yesterday, which is not used for anything.
    await rig.time.advanceTo('2026-11-05T08:30:00+05:30');
    const sentWithYesterdays = sentWith(yesterdays);
    await rig.restart();
    await rig.time.advance(1_000);
    expect(await status()).toMatchObject({
      state: 'expired',
      userId: 'AB1234',
      expiresAt: '2026-11-05T06:00:00.000+05:30',
    });
    expect((await rig.get('/api/altbroker/token')).status).toBe(404);
    expect(await quotedBy()).toBe('primary');

    // 09:00: the reminder, once, with the way to log in.
    await rig.time.advanceTo(Date.parse('2026-11-05T09:00:00+05:30') - 1);
    expect(messenger.texts).toEqual([]);
    await rig.time.advance(1);
    expect(messenger.texts).toHaveLength(1);
    expect(messenger.texts[0]).toContain('https://gateway.example/api/altbroker/login');

    // 09:05: login. Nothing more is said of it.
    await rig.time.advanceTo('2026-11-05T09:05:00+05:30');
    expect((await rig.logIn()).status).toBe(200);
    expect(await status()).toMatchObject({
      state: 'valid',
      source: 'memory',
      expiresAt: '2026-11-06T06:00:00.000+05:30',
    });
    expect(sentWith(yesterdays)).toBe(sentWithYesterdays);
    const todays = rig.sandbox.kite.liveToken()!;

    // 09:20: trading. One order is filled, one rests.
    await rig.time.advanceTo('2026-11-05T09:20:00+05:30');
    expect(messenger.texts).toHaveLength(1);
    expect(await quotedBy()).toBe('alt');
    const bought = await place(order, 'bought');
    const resting = await place(RESTING, 'resting');
    expect([bought.status, resting.status]).toEqual([201, 201]);
    await rig.time.advance(5_000);
    const statusOf = async (reply: typeof bought): Promise<string> =>
      (await rig.get(`/api/v1/orders/${reply.body.data.id}`)).body.data.status;
    expect([await statusOf(bought), await statusOf(resting)]).toEqual(['filled', 'working']);

    // 15:45: the market has shut; what rested is over, and nothing new is taken.
    await rig.time.advanceTo('2026-11-05T15:45:00+05:30');
    expect([await statusOf(bought), await statusOf(resting)]).toEqual(['filled', 'cancelled']);
    const late = await place(order, 'late');
    expect([late.status, late.body.code]).toEqual([409, 'market_closed']);
    expect((await rig.get('/api/v1/positions')).body.meta).toMatchObject({ broker: 'alt' });
    expect(rig.sandbox.kite.orders()).toHaveLength(2);

    // 06:00: the token is valid to the last millisecond of the broker's day.
    await rig.time.advanceTo(Date.parse('2026-11-06T06:00:00+05:30') - 1);
    expect(await status()).toMatchObject({ state: 'valid' });
    await rig.time.advance(1);
    expect(await status()).toMatchObject({ state: 'expired', userId: 'AB1234' });
    const sentWithTodays = sentWith(todays);
    expect(sentWithTodays).toBeGreaterThan(0);

    // 09:00: the next reminder, and not before.
    await rig.time.advanceTo(Date.parse('2026-11-06T09:00:00+05:30') - 1);
    const reminders = (): number =>
      messenger.texts.filter((text) => text.startsWith('Please log in')).length;
    expect(reminders()).toBe(1);
    await rig.time.advance(1);
    expect(reminders()).toBe(2);

    // 09:20: nobody has logged in. Whoever wants a live order is told; what may be paper is paper.
    await rig.time.advanceTo('2026-11-06T09:20:00+05:30');
    expect((await rig.get('/api/v1/positions')).body.meta).toMatchObject({ broker: 'paper' });
    const live = await place({ ...order, mode: 'live' }, 'next-day');
    expect([live.status, live.body.code]).toEqual([503, 'token_absent']);
    expect(rig.sandbox.kite.orders()).toHaveLength(2);
    expect(sentWith(todays)).toBe(sentWithTodays);
  });

  it('reminds of a login whose token the broker has cleared since, with nobody using it', async () => {
    const messenger = fakeMessenger();
    await using rig = await createRig({
      start: '2026-11-05T06:30:00+05:30',
      environment: { APP_PUBLIC_URL: 'https://gateway.example' },
      overrides: { messenger, openCron: openVirtualCron },
    });
    expect((await rig.logIn()).status).toBe(200);
    await rig.time.advanceTo('2026-11-05T07:30:00+05:30');
    rig.sandbox.kite.killTokens();
    await rig.time.advanceTo('2026-11-05T08:59:00+05:30');
    expect(messenger.texts).toEqual([]);
    await rig.time.advanceTo('2026-11-05T09:00:01+05:30');
    // Beside the alert that the session has died.
    expect(messenger.texts.join()).toContain('Please log in');
  });
});
