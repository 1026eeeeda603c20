import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import type { ExecutionResult } from '../../src/router/gateway.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { LIMIT_ORDER, NOW_IST, order } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const place = (body: object = LIMIT_ORDER, query = '') =>
  app.http.post(`/api/v1/orders${query}`).set('Authorization', KEYS.trade).send(body);

function placed(result: Partial<ExecutionResult>): void {
  app.fake.set({
    placeOrder: async () => ({
      ...{ order: order(), idempotencyKey: 'key-1', settled: true, repeated: false },
      ...result,
    }),
  });
}

describe('POST /orders', () => {
  it('passes the order on with its caller and key, and answers 201', async () => {
    const response = await place({ ...LIMIT_ORDER, tag: 'mine' }).set('Idempotency-Key', 'key-1');
    expect(response.status).toBe(201);
    expectDeclared(app, 'POST /api/v1/orders', response);
    expect(response.headers).toMatchObject({
      location: '/api/v1/orders/ord_1',
      'idempotency-key': 'key-1',
    });
    expect(response.body.meta).toEqual({ broker: 'alt', mode: 'live' });
    expect(app.fake.calls).toEqual([
      [
        'placeOrder',
        {
          ...{ ...LIMIT_ORDER, validity: 'DAY', triggerPrice: null, amo: false, tag: 'mine' },
          ...{ broker: null, mode: null },
        },
        { caller: 'key_trade', idempotencyKey: 'key-1' },
      ],
    ]);
  });

  it('shows the order in the documented shape, with times in IST', async () => {
    const { body } = await place();
    expect(body.data).toMatchObject({ ...order(), createdAt: NOW_IST, updatedAt: NOW_IST });
    // What no book has told is null.
    expect(body.data).toMatchObject({ brokerTags: null, variety: null, disclosedQuantity: null });
  });

  it.each([
    ['MIS', 'INTRADAY'],
    ['NRML', 'MARGIN'],
    ['INTRADAY', 'INTRADAY'],
    ['MARGIN', 'MARGIN'],
    ['CNC', 'CNC'],
  ])('reads the product %s as %s', async (product, as) => {
    expect((await place({ ...LIMIT_ORDER, product })).status).toBe(201);
    expect(app.fake.calls[0]?.[1]).toMatchObject({ product: as });
  });

  it.each([
    { orderType: 'MARKET', price: undefined },
    { orderType: 'MARKET', price: null, triggerPrice: null },
    { orderType: 'SL', triggerPrice: 1499.9 },
    { orderType: 'SL-M', price: undefined, triggerPrice: 1499.9 },
    { price: 0.0001 },
    { price: 10_000_000, quantity: 10_000_000 },
    { validity: 'IOC', amo: true, mode: 'live', broker: 'alt', tag: null },
    { instrument: 'NSE_1594' },
    { instrument: 'NFO:NIFTY26NOV24450CE' },
  ])('accepts %j', async (changes) => {
    expect((await place({ ...LIMIT_ORDER, ...changes })).status).toBe(201);
  });

  it('accepts a body with a charset', async () => {
    const response = await place().set('Content-Type', 'application/json; charset=utf-8');
    expect(response.status).toBe(201);
  });

  it('answers 202 while it is not known whether the broker has the order', async () => {
    placed({ settled: false, order: order({ status: 'uncertain', filledQuantity: null }) });
    const response = await place();
    expect(response.status).toBe(202);
    expectDeclared(app, 'POST /api/v1/orders', response);
    expect(response.body.data).toMatchObject({ status: 'uncertain', filledQuantity: null });
  });

  it.each(['rejected', 'not_sent'] as const)(
    'does not call an order %s while its outcome is open',
    async (status) => {
      placed({ settled: false, order: order({ status }) });
      expect((await place()).status).toBe(202);
    },
  );

  it.each(['uncertain', 'disputed'] as const)('answers 202 for a %s order', async (status) => {
    placed({ order: order({ status }) });
    expect((await place()).status).toBe(202);
  });

  it.each(['filled', 'partial', 'cancelled', 'working'] as const)(
    'answers 201 for a %s order',
    async (status) => {
      placed({ order: order({ status }) });
      expect((await place()).status).toBe(201);
    },
  );

  it('says that a refused order was not placed, and shows it', async () => {
    placed({ order: order({ status: 'rejected', reason: 'Insufficient funds' }) });
    const response = await place();
    const problem = expectProblem(response, 422, 'order_refused');
    expect(problem).toMatchObject({
      detail: 'Insufficient funds',
      broker: 'alt',
      mayHaveExecuted: false,
      retrySafe: true,
      order: { id: 'ord_1', status: 'rejected', createdAt: NOW_IST },
    });
  });

  it('says that an order that was not sent may be placed again', async () => {
    placed({ order: order({ status: 'not_sent', reason: 'no connection', brokerOrderId: null }) });
    expect(expectProblem(await place(), 503, 'order_not_sent')).toMatchObject({
      detail: 'no connection',
      mayHaveExecuted: false,
      retrySafe: true,
      order: { status: 'not_sent' },
    });
  });

  it('marks the answer to a repeated key, whatever the order’s state', async () => {
    placed({ repeated: true });
    expect((await place()).headers).toMatchObject({ 'idempotent-replayed': 'true' });
    placed({ repeated: true, order: order({ status: 'rejected' }) });
    const refused = await place();
    expect(refused.status).toBe(422);
    expect(refused.headers).toMatchObject({ 'idempotent-replayed': 'true' });
  });

  it('does not mark the first answer', async () => {
    expect((await place()).headers['idempotent-replayed']).toBeUndefined();
  });

  it('returns the key that it generated, where the caller gave none', async () => {
    placed({ idempotencyKey: 'made-by-us' });
    expect((await place()).headers['idempotency-key']).toBe('made-by-us');
    expect(app.fake.calls[0]?.[2]).toEqual({ caller: 'key_trade', idempotencyKey: null });
  });

  it('accepts clientOrderId as the key, and both when they agree', async () => {
    await place({ ...LIMIT_ORDER, clientOrderId: 'key-2' });
    await place({ ...LIMIT_ORDER, clientOrderId: 'key-2' }).set('Idempotency-Key', 'key-2');
    expect(app.fake.calls.map((call) => call[2])).toEqual([
      { caller: 'key_trade', idempotencyKey: 'key-2' },
      { caller: 'key_trade', idempotencyKey: 'key-2' },
    ]);
  });

  it('refuses two keys that differ', async () => {
    const response = await place({ ...LIMIT_ORDER, clientOrderId: 'a' }).set(
      'Idempotency-Key',
      'b',
    );
    expect(expectProblem(response, 400, 'invalid_request').detail).toContain('clientOrderId');
    expect(app.fake.calls).toEqual([]);
  });

  it('reads the broker from query or body, and refuses two that differ', async () => {
    await place(LIMIT_ORDER, '?broker=primary');
    await place({ ...LIMIT_ORDER, broker: 'paper' });
    expect(app.fake.calls.map((call) => call[1])).toMatchObject([
      { broker: 'primary' },
      { broker: 'paper' },
    ]);
    expectProblem(
      await place({ ...LIMIT_ORDER, broker: 'alt' }, '?broker=paper'),
      400,
      'invalid_request',
    );
    expect(app.fake.calls).toHaveLength(2);
  });

  it('passes on a problem of the gateway with its statement of the risk', async () => {
    app.fake.set({
      placeOrder: async () => {
        throw new GatewayProblem({
          code: 'broker_unavailable',
          detail: 'the broker is away',
          broker: 'alt',
          mayHaveExecuted: true,
          retryAfterMs: 1500,
          extra: { order: order({ status: 'uncertain' }), status: 200 },
        });
      },
    });
    const response = await place();
    expect(expectProblem(response, 503, 'broker_unavailable')).toMatchObject({
      detail: 'the broker is away',
      mayHaveExecuted: true,
      retrySafe: false,
      order: { status: 'uncertain', createdAt: NOW_IST },
    });
    expect(response.headers['retry-after']).toBe('2');
  });

  it('leaves the outcome of an order open after an unexpected error', async () => {
    app.fake.set({ placeOrder: () => Promise.reject(new TypeError('undefined is not a thing')) });
    const response = await place();
    const problem = expectProblem(response, 500, 'internal');
    expect(problem).toMatchObject({ mayHaveExecuted: true, retrySafe: false });
    expect(response.text).not.toContain('not a thing');
  });
});
