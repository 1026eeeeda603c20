import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallers, type Callers } from '../../src/callers/callers.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { Secret } from '../../src/platform/secret.ts';
import { takesBroker } from '../../src/routes/confinement.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { expectDeclared, expectProblem, type Harness, startApp } from './support/harness.ts';
import { LIMIT_ORDER, NOW, order } from './support/samples.ts';

const ADMIN = 'Bearer the-owners-own-admin-key';
const PATH = '/api/v1/keys';
let directory: string;
let callers: Callers;

let app: Harness;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'keys-'));
  callers = createCallers({
    ...{ files: systemFiles, ids: systemIds, clock: new VirtualTime(NOW), log: silentLog },
    path: join(directory, 'callers.json'),
    adminKeyPath: join(directory, 'admin-key'),
    adminKey: new Secret('the-owners-own-admin-key'),
  });
  app = await startApp({ callers, keys: callers });
});
afterEach(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

const add = (body: object) => app.http.post(PATH).set('Authorization', ADMIN).send(body);
const list = async () => (await app.http.get(PATH).set('Authorization', ADMIN)).body.data;

/** A new key as a header. */
async function keyOf(body: object): Promise<string> {
  const { body: answer, status } = await add({ name: 'bot', scope: 'trade', ...body });
  expect(status, JSON.stringify(answer)).toBe(201);
  return `Bearer ${answer.data.key}`;
}

describe('keys', () => {
  it('are added, and shown once', async () => {
    const response = await add({ name: 'bot', scope: 'trade' });
    expect(response.status).toBe(201);
    expectDeclared(app, 'POST /api/v1/keys', response);
    const { key, ...shown } = response.body.data;
    expect(response.headers.location).toBe(`${PATH}/${shown.id}`);
    expect(shown).toMatchObject({ name: 'bot', scope: 'trade', broker: null, createdBy: 'admin' });
    const reply = await app.http.get('/api/v1/orders').set('Authorization', `Bearer ${key}`);
    expect(reply.status).toBe(200);
    const all = await app.http.get(PATH).set('Authorization', ADMIN);
    expectDeclared(app, 'GET /api/v1/keys', all);
    expect(all.body.data[0]).toEqual(shown);
    expect(all.text).not.toContain(key);
    expect(readFileSync(join(directory, 'callers.json'), 'utf8')).not.toContain(key);
  });

  it('are for admins alone', async () => {
    const trade = await keyOf({});
    for (const request of [
      app.http.get(PATH),
      app.http.post(PATH).send({ name: 'other', scope: 'read' }),
      app.http.post(`${PATH}/admin/rotate`),
      app.http.delete(`${PATH}/key_1`),
    ]) {
      expectProblem(await request.set('Authorization', trade), 403, 'forbidden');
    }
    expect(await list()).toHaveLength(2);
  });

  it('are rotated: the old secret is refused, the id stays', async () => {
    const old = await keyOf({});
    const [{ id }] = await list();
    const rotate = () => app.http.post(`${PATH}/${id}/rotate`).set('Authorization', ADMIN);
    const response = await rotate();
    expectDeclared(app, 'POST /api/v1/keys/{id}/rotate', response);
    expect(response.body.data).toMatchObject({ id, rotatedBy: 'admin' });
    expect((await app.http.get('/api/v1/orders').set('Authorization', old)).status).toBe(401);
    const next = `Bearer ${response.body.data.key}`;
    expect((await app.http.get('/api/v1/orders').set('Authorization', next)).status).toBe(200);
  });

  it('are revoked, and listed with who did it', async () => {
    const key = await keyOf({});
    const [{ id }] = await list();
    const revoke = () => app.http.delete(`${PATH}/${id}`).set('Authorization', ADMIN);
    const response = await revoke();
    expectDeclared(app, 'DELETE /api/v1/keys/{id}', response);
    expect((await app.http.get('/api/v1/orders').set('Authorization', key)).status).toBe(401);
    expect((await list())[0]).toMatchObject({ id, name: 'bot', revokedBy: 'admin' });
    expectProblem(await revoke(), 409, 'key_revoked');
  });

  it.each([
    [{}, 'body.name'],
    [{ name: 'a\u0007', scope: 'read' }, 'unprintable'],
    [{ name: 'bot', scope: 'owner' }, 'body.scope'],
    [{ name: 'bot', scope: 'read', broker: 'zerodha' }, 'body.broker'],
    [{ name: 'bot', scope: 'read', limits: 1 }, 'limits'],
    [{ name: 'bot', scope: 'admin', broker: 'alt' }, 'body.scope: is admin'],
  ])('are refused for %j', async (body, words) => {
    const problem = expectProblem(await add(body), 400, 'invalid_request');
    expect(problem.detail).toContain(words);
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['alt', 'paper', 'body.mode: is paper'],
    ['paper', 'live', 'body.mode: is live'],
  ])(
    'are refused where broker and mode contradict each other: %s, %s',
    async (broker, mode, words) => {
      const problem = expectProblem(
        await add({ name: 'bot', scope: 'trade', broker, mode }),
        400,
        'wrong_mode',
      );
      expect(problem.detail).toContain(words);
      expect(await list()).toHaveLength(1);
    },
  );

  it('read themselves, and others with an admin key alone', async () => {
    const key = await keyOf({ limits: { maxOrderQuantity: 5 } });
    const get = (id: string, as = key) => app.http.get(`${PATH}/${id}`).set('Authorization', as);
    const own = await get('me');
    expectDeclared(app, 'GET /api/v1/keys/{id}', own);
    expect(own.body.data).toMatchObject({
      name: 'bot',
      limits: { maxOrderQuantity: { every: 5 } },
    });
    expect((await get(own.body.data.id)).body).toEqual(own.body);
    expect((await get(own.body.data.id, ADMIN)).body).toEqual(own.body);
    expectProblem(await get('admin'), 403, 'forbidden');
    expectProblem(await get('key_none', ADMIN), 404, 'unknown_key');
  });

  it('are renamed, and given other limits in place of all', async () => {
    await keyOf({ limits: { maxOrderQuantity: 5 } });
    const [{ id }] = await list();
    const patch = (body: object) =>
      app.http.patch(`${PATH}/${id}`).set('Authorization', ADMIN).send(body);
    const response = await patch({ name: 'other', limits: { maxOrdersPerMinute: 3 } });
    expectDeclared(app, 'PATCH /api/v1/keys/{id}', response);
    expect(response.body.data).toMatchObject({
      name: 'other',
      limits: { maxOrderQuantity: { every: null }, maxOrdersPerMinute: 3 },
    });
    expectProblem(await patch({}), 400, 'invalid_request');
    expectProblem(await patch({ name: 'admin' }), 409, 'name_taken');
  });

  it.each(['key_none', 'admin'])('are not changed where that is impossible: %s', async (id) => {
    const status = id === 'admin' ? 409 : 404;
    const code = id === 'admin' ? 'admin_key' : 'unknown_key';
    const at = `${PATH}/${id}`;
    expectProblem(await app.http.delete(at).set('Authorization', ADMIN), status, code);
    const rotated = await app.http.post(`${at}/rotate`).set('Authorization', ADMIN);
    expectProblem(rotated, status, code);
  });
});

describe('a key that is confined to a broker', () => {
  it.each([{ mode: 'paper' }, { broker: 'paper' }, { broker: 'paper', mode: 'paper' }])(
    'for %j sends its orders to the paper account',
    async (body) => {
      const key = await keyOf(body);
      const place = (more: object) =>
        app.http
          .post('/api/v1/orders')
          .set('Authorization', key)
          .send({ ...LIMIT_ORDER, ...more });
      expect((await place({})).status).toBe(201);
      expect((await place({ broker: 'paper' })).status).toBe(201);
      expect(app.fake.calls.map(([name, request]) => [name, Object(request).broker])).toEqual([
        ['placeOrder', 'paper'],
        ['placeOrder', 'paper'],
      ]);
      expectProblem(await place({ broker: 'alt' }), 403, 'forbidden');
      expect(app.fake.calls).toHaveLength(2);
    },
  );

  it('for live orders places no paper order', async () => {
    const key = await keyOf({ mode: 'live' });
    const place = (more: object) =>
      app.http
        .post('/api/v1/orders')
        .set('Authorization', key)
        .send({ ...LIMIT_ORDER, ...more });
    expect((await place({})).status).toBe(201);
    expect(app.fake.calls[0]?.[1]).toMatchObject({ mode: 'live', broker: null });
    expectProblem(await place({ mode: 'paper' }), 403, 'forbidden');
    expect(app.fake.calls).toHaveLength(1);
  });

  it('reads the portfolio of that broker, and market data of any', async () => {
    const key = await keyOf({ broker: 'primary' });
    const get = (path: string) => app.http.get(path).set('Authorization', key);
    await get('/api/v1/positions');
    expect(app.fake.calls).toEqual([['getPositions', { broker: 'primary' }]]);
    expectProblem(await get('/api/v1/positions?broker=alt'), 403, 'forbidden');
    expect((await get('/api/v1/quotes?instruments=NSE:INFY&broker=alt')).status).toBe(200);
  });

  it('cannot see, change or exit an order at another broker', async () => {
    const key = await keyOf({ broker: 'primary' });
    app.fake.set({ getOrder: async () => order() });
    const at = '/api/v1/orders/ord_1';
    for (const request of [
      app.http.get(at),
      app.http.delete(at),
      app.http.patch(at).send({ price: 1500 }),
      ...['fills', 'history', 'latency'].map((of) => app.http.get(`${at}/${of}`)),
      app.http.post('/api/v1/exits').send({ orderId: 'ord_1' }),
    ]) {
      expectProblem(await request.set('Authorization', key), 404, 'unknown_order');
    }
  });

  it('does not get the figures of every account', async () => {
    const key = await keyOf({ broker: 'primary' });
    expectProblem(await app.http.get('/metrics').set('Authorization', key), 403, 'forbidden');
  });

  it('cannot see or end an exit or a closing at another broker', async () => {
    const key = await keyOf({ broker: 'primary' });
    const exit = '/api/v1/exits/exit_01935760-0000-7000-8000-000000000000';
    const closing = '/api/v1/positions/close-all/closing_01935760-0000-7000-8000-000000000000';
    for (const [path, code] of [
      [exit, 'unknown_exit'],
      [closing, 'unknown_closing'],
    ] as const) {
      expectProblem(await app.http.get(path).set('Authorization', key), 404, code);
      expectProblem(await app.http.delete(path).set('Authorization', key), 404, code);
    }
    expect(app.fake.calls.map(([name]) => name).toSorted()).not.toContain('cancelExit');
    const { body } = await app.http.get('/api/v1/exits').set('Authorization', key);
    expect(body.data).toEqual([]);
  });

  /** Neither takes a broker nor concerns an account, or is for admins, whose keys are not confined. */
  const ABOUT_NO_ACCOUNT = new Set([
    ...['GET /api/v1/calendar', 'GET /api/v1/brokers', 'GET /api/v1/instruments'],
    ...['GET /api/v1/instruments/{instrument}', 'GET /api/v1/keys/{id}/positions'],
    ...['GET /api/v1/keys/{id}', 'POST /api/v1/keys/{id}/kill-switch'],
    ...['GET /api/v1/kill-switch', 'POST /api/v1/kill-switch'],
    // A key sees events of its own broker (src/routes/event-filter.ts), and its own signals.
    ...['GET /api/v1/events', 'GET /api/v1/signals'],
    // Prices are the same at every broker, and a ticket is for them.
    ...['GET /api/v1/stream', 'POST /api/v1/stream/tickets'],
    // A browser is signed in as a key, with all that confines it.
    ...['GET /api/v1/sign-in', 'DELETE /api/v1/sign-in', 'POST /api/v1/sign-in-links'],
    // Each of its tools confines its own inputs (src/routes/checked-inputs.ts).
    'POST /mcp',
    // It refuses every key that is confined.
    'GET /metrics',
  ]);

  it('reads market data of any broker by these routes, and by no other', () => {
    const marketData = app.routes.filter(({ isMarketData }) => isMarketData);
    expect(marketData.map(({ path }) => path.replace('/api/v1/', '')).toSorted()).toEqual([
      ...['candles', 'expiries', 'ltp', 'ohlc', 'option-chain', 'quotes', 'stream'],
    ]);
  });

  it('finds each route either confined, or about no account', () => {
    const open = app.routes.filter(
      ({ scope, query, body }) =>
        (scope === 'read' || scope === 'trade') && !takesBroker(query) && !takesBroker(body),
    );
    const names = open.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names)).toEqual(ABOUT_NO_ACCOUNT);
  });
});
