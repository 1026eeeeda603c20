import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { writeCursor } from '../../src/router/pages.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { META, NOW_IST, order } from './support/samples.ts';
import { epochMs } from '../../src/units/branded.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

describe('GET /orders', () => {
  it("answers the day's orders with their source", async () => {
    const response = await app.http
      .get('/api/v1/orders?status=working&broker=alt&day=2026-11-20&limit=5&maxAgeMs=0')
      .set('Authorization', KEYS.read);
    expect(response.status).toBe(200);
    expectDeclared(app, 'GET /api/v1/orders', response);
    expect(response.body.meta).toEqual({
      ...{ broker: 'alt', mode: 'live', source: 'alt', asOf: NOW_IST, ageMs: 12 },
      nextCursor: null,
      eventsCursor: '0-0',
      books: [{ broker: 'alt', mode: 'live', read: true, reason: null, unreadRows: 0 }],
    });
    expect(app.fake.calls).toEqual([
      [
        'getOrders',
        { status: ['working'], broker: 'alt', day: '2026-11-20', limit: 5, maxAgeMs: 0 },
      ],
    ]);
  });

  it.each([
    ['open', ['accepted', 'sending', 'working', 'uncertain', 'disputed']],
    ['filled,partial', ['filled', 'partial']],
    [
      'open,working,rejected',
      ['accepted', 'sending', 'working', 'rejected', 'uncertain', 'disputed'],
    ],
  ])('takes several statuses, and open for all that are not over: %s', async (status, asked) => {
    await app.http.get(`/api/v1/orders?status=${status}`).set('Authorization', KEYS.read);
    expect(app.fake.calls).toEqual([['getOrders', { status: asked }]]);
  });

  it.each(['', 'opened', 'open,', 'OPEN'])('refuses the status %j', async (status) => {
    const response = await app.http
      .get(`/api/v1/orders?status=${status}`)
      .set('Authorization', KEYS.read);
    expect(expectProblem(response, 400, 'invalid_request').detail).toContain('query.status: takes');
  });

  it('shows unknown enum values as the broker wrote them', async () => {
    const external = order({ id: 'alt:1', external: true, product: 'MTF' as never });
    app.fake.set({
      getOrders: async () => ({ data: [external], meta: META, nextCursor: null, books: [] }),
    });
    const response = await app.http.get('/api/v1/orders').set('Authorization', KEYS.read);
    expectDeclared(app, 'GET /api/v1/orders', response);
    expect(response.body.data[0]).toMatchObject({ id: 'alt:1', product: 'MTF', external: true });
  });

  const CURSOR = writeCursor({
    list: 'orders',
    of: '2026-11-20',
    after: { createdAt: epochMs(1), id: 'ord_1' },
  });

  it('passes a cursor on, and answers with the cursor of the next page', async () => {
    app.fake.set({
      getOrders: async () => ({ data: [order()], meta: META, nextCursor: 'Zm9v', books: [] }),
    });
    const response = await app.http
      .get(`/api/v1/orders?cursor=${CURSOR}`)
      .set('Authorization', KEYS.read);
    expectDeclared(app, 'GET /api/v1/orders', response);
    expect(response.body.meta.nextCursor).toBe('Zm9v');
    expect(app.fake.calls.at(-1)).toEqual(['getOrders', { cursor: CURSOR }]);
  });

  it('refuses a cursor that no answer contained', async () => {
    const response = await app.http
      .get(`/api/v1/orders?cursor=next`)
      .set('Authorization', KEYS.read);
    const problem = expectProblem(response, 400, 'invalid_request');
    expect(problem.detail).toBe('query.cursor: takes the nextCursor of an answer, unchanged');
  });

  it('never answers a failure with an empty list', async () => {
    app.fake.set({
      getOrders: async () => {
        throw new GatewayProblem({ code: 'broker_unavailable', detail: 'away', broker: 'alt' });
      },
    });
    const response = await app.http.get('/api/v1/orders').set('Authorization', KEYS.read);
    expect(expectProblem(response, 503, 'broker_unavailable').broker).toBe('alt');
    expect(response.body.data).toBeUndefined();
  });
});

describe('one order', () => {
  const as = (key: string) => ['Authorization', key] as const;

  it('is found by our id, or by the broker and its id', async () => {
    for (const id of ['ord_1', 'alt:220303000308932']) {
      const response = await app.http.get(`/api/v1/orders/${id}`).set(...as(KEYS.read));
      expectDeclared(app, 'GET /api/v1/orders/{id}', response);
    }
    expect(app.fake.calls).toEqual([
      ['getDatedOrder', 'ord_1'],
      ['getDatedOrder', 'alt:220303000308932'],
    ]);
  });

  it('says how old what is known of it is, and so do its fills', async () => {
    for (const path of ['/api/v1/orders/ord_1', '/api/v1/orders/ord_1/fills']) {
      const { body } = await app.http.get(path).set(...as(KEYS.read));
      expect(body.meta).toMatchObject({ asOf: NOW_IST, ageMs: expect.any(Number) });
    }
  });

  it('is 404 when there is none', async () => {
    app.fake.set({
      getDatedOrder: async () => {
        throw new GatewayProblem({ code: 'unknown_order', detail: 'There is no order ord_9.' });
      },
    });
    const response = await app.http.get('/api/v1/orders/ord_9').set(...as(KEYS.read));
    expectProblem(response, 404, 'unknown_order');
  });

  it('has fills, which name their account', async () => {
    const response = await app.http.get('/api/v1/orders/ord_1/fills').set(...as(KEYS.read));
    expectDeclared(app, 'GET /api/v1/orders/{id}/fills', response);
    expect(response.body).toMatchObject({
      data: [{ id: 'f1', orderId: 'ord_1', quantity: 4, price: 1500, at: NOW_IST }],
      meta: { broker: 'alt', mode: 'live' },
    });
  });

  it('has a history', async () => {
    const response = await app.http.get('/api/v1/orders/ord_1/history').set(...as(KEYS.read));
    expectDeclared(app, 'GET /api/v1/orders/{id}/history', response);
    expect(response.body).toMatchObject({
      data: {
        states: [{ status: 'working', brokerStatus: 'OPEN', at: NOW_IST }],
        statesReason: null,
        requests: [{ kind: 'modify', by: 'key_1', changes: { price: 1501 }, sentAt: NOW_IST }],
      },
      meta: { broker: 'alt', mode: 'live' },
    });
  });

  it('is modified only in the fields that are named', async () => {
    const response = await app.http
      .patch('/api/v1/orders/ord_1')
      .set(...as(KEYS.trade))
      .set('Idempotency-Key', 'change-1')
      .send({ price: 1501.05 });
    expect(response.status).toBe(200);
    expectDeclared(app, 'PATCH /api/v1/orders/{id}', response);
    expect(app.fake.calls).toEqual([
      [
        'modifyOrder',
        'ord_1',
        { quantity: null, price: 1501.05, triggerPrice: null, orderType: null, validity: null },
        { caller: 'key_trade', idempotencyKey: 'change-1' },
      ],
    ]);
  });

  it('is cancelled, and shown in its state afterwards', async () => {
    const response = await app.http.delete('/api/v1/orders/ord_1').set(...as(KEYS.trade));
    expect(response.status).toBe(200);
    expectDeclared(app, 'DELETE /api/v1/orders/{id}', response);
    expect(response.body.data.status).toBe('cancelled');
    expect(app.fake.calls).toEqual([
      ['cancelOrder', 'ord_1', { caller: 'key_trade', idempotencyKey: null }],
    ]);
  });

  it('answers 202 while it is open whether a cancel or a modification took effect', async () => {
    const open = { order: order(), idempotencyKey: 'k', settled: false, repeated: false };
    app.fake.set({ cancelOrder: async () => open, modifyOrder: async () => open });
    const path = '/api/v1/orders/ord_1';
    const cancelled = await app.http.delete(path).set(...as(KEYS.trade));
    const modified = await app.http
      .patch(path)
      .set(...as(KEYS.trade))
      .send({ quantity: 5 });
    expect([cancelled.status, modified.status]).toEqual([202, 202]);
  });

  it('is not changed when the caller names another broker than the order’s', async () => {
    const path = '/api/v1/orders/ord_1';
    const responses = [
      await app.http.delete(`${path}?broker=paper`).set(...as(KEYS.trade)),
      await app.http
        .delete(path)
        .set(...as(KEYS.trade))
        .send({ broker: 'paper' }),
      await app.http
        .patch(path)
        .set(...as(KEYS.trade))
        .send({ quantity: 5, broker: 'paper' }),
      await app.http
        .post(`${path}/resolve?broker=paper`)
        .set(...as(KEYS.admin))
        .send({ absent: true }),
    ];
    for (const response of responses) expectProblem(response, 404, 'unknown_order');
    expect(app.fake.calls.every(([name]) => name === 'getOrder')).toBe(true);
  });

  it('is changed when the caller names the order’s broker', async () => {
    const response = await app.http
      .delete('/api/v1/orders/ord_1?broker=alt')
      .set(...as(KEYS.trade));
    expect(response.status).toBe(200);
  });

  it.each([
    [{ placed: '220303000308932' }, { kind: 'placed', brokerOrderId: '220303000308932' }],
    [{ absent: true }, { kind: 'absent' }],
  ])('is resolved manually by %j', async (body, word) => {
    const response = await app.http
      .post('/api/v1/orders/ord_1/resolve')
      .set(...as(KEYS.admin))
      .send(body);
    expect(response.status).toBe(200);
    expectDeclared(app, 'POST /api/v1/orders/{id}/resolve', response);
    expect(app.fake.calls).toEqual([
      ['resolveOrder', 'ord_1', word, { caller: 'key_admin', idempotencyKey: null }],
    ]);
  });
});
