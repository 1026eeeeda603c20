import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { CANCEL_ALL, order } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const PATH = '/api/v1/orders/cancel-all';
const send = (body: object, key = KEYS.trade, headers: Record<string, string> = {}) =>
  app.http.post(PATH).set('Authorization', key).set(headers).send(body);

const NO_FILTER = { broker: null, instrument: null, product: null, side: null };

describe('cancelling many orders', () => {
  it('is about the orders of the key where nothing else is said, also with an admin key', async () => {
    for (const key of [KEYS.trade, KEYS.admin]) {
      const response = await send({}, key);
      expectDeclared(app, `POST ${PATH}`, response);
      expect(response.status).toBe(200);
    }
    expect(app.fake.calls).toEqual([
      ['cancelAll', { scope: 'mine', ...NO_FILTER }, { caller: 'key_trade', idempotencyKey: null }],
      ['cancelAll', { scope: 'mine', ...NO_FILTER }, { caller: 'key_admin', idempotencyKey: null }],
    ]);
  });

  it('of the account needs an admin key', async () => {
    const refused = await send({ scope: 'account' });
    expectProblem(refused, 403, 'forbidden');
    expect(app.fake.calls).toEqual([]);
    expect((await send({ scope: 'account' }, KEYS.admin)).status).toBe(200);
  });

  it('passes on filters and key', async () => {
    const filters = { broker: 'alt', instrument: 'NSE:INFY', product: 'MIS', side: 'SELL' };
    const response = await send(filters, KEYS.trade, { 'Idempotency-Key': 'all' });
    expect(response.headers['idempotency-key']).toBe('key-1');
    const asked = { scope: 'mine', ...filters, product: 'INTRADAY' };
    const context = { caller: 'key_trade', idempotencyKey: 'all' };
    expect(app.fake.calls).toEqual([['cancelAll', asked, context]]);
  });

  it('answers 202 while something is open, each order with its result', async () => {
    app.fake.set({
      cancelAll: async () => ({
        ...CANCEL_ALL,
        orders: [{ order: order(), result: 'cancelling', reason: 'it waits' }],
        errors: [{ broker: 'primary', reason: 'no answer' }],
        ...{ estimatedSeconds: 12, settled: false, repeated: true },
      }),
    });
    const response = await send({});
    expectDeclared(app, `POST ${PATH}`, response);
    expect([response.status, response.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(response.body).toMatchObject({
      data: [{ id: order().id, broker: 'alt', result: 'cancelling', reason: 'it waits' }],
      meta: { estimatedSeconds: 12, errors: [{ broker: 'primary', reason: 'no answer' }] },
    });
  });

  it('answers the problem of a book that cannot be read', async () => {
    app.fake.set({
      cancelAll: () =>
        Promise.reject(new GatewayProblem({ code: 'broker_unavailable', detail: 'no answer' })),
    });
    expectProblem(await send({}), 503, 'broker_unavailable');
  });

  it.each([
    [{ scope: 'all' }, 'body.scope'],
    [{ side: 'LONG' }, 'body.side'],
    [{ broker: 'nobody' }, 'body.broker'],
    [{ symbol: 'NSE:INFY' }, 'body'],
  ])('%j is refused', async (body, path) => {
    const response = await send(body);
    expectProblem(response, 400, 'invalid_request');
    expect(response.body.errors[0].path).toBe(path);
  });
});
