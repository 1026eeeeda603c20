import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { LIMIT_ORDER, MARGIN, META } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const post = (body: object, query = '') =>
  app.http.post(`/api/v1/margins${query}`).set('Authorization', KEYS.read).send(body);

const order = { ...LIMIT_ORDER, product: 'MIS' };

describe('margins', () => {
  it('are calculated for orders as they would be placed, with a read-only key', async () => {
    const response = await post({ orders: [order, { ...order, side: 'SELL' }] });
    expectDeclared(app, 'POST /api/v1/margins', response);
    expect(response.body).toMatchObject({
      data: { ...MARGIN, summed: false },
      meta: { broker: 'alt' },
    });
    expect(app.fake.calls).toMatchObject([
      [
        'getMargins',
        [
          { instrument: 'NSE:INFY', side: 'BUY', product: 'INTRADAY', price: 1500, mode: null },
          { instrument: 'NSE:INFY', side: 'SELL' },
        ],
        {},
      ],
    ]);
  });

  it('say when they are sums of single orders', async () => {
    const data = { ...MARGIN, charges: null, summed: true };
    app.fake.set({ getMargins: async () => ({ data, meta: META }) });
    const response = await post({ orders: [order] });
    expectDeclared(app, 'POST /api/v1/margins', response);
    expect(response.body.data).toMatchObject({ charges: null, summed: true });
  });

  it.each([
    ['of the query', { orders: [order] }, '?broker=primary'],
    ['of an order', { orders: [order, { ...order, broker: 'primary' }] }, ''],
    ['of both', { orders: [{ ...order, broker: 'primary' }] }, '?broker=primary'],
  ])('are read from the broker %s', async (_, body, query) => {
    await post(body, query);
    expect(app.fake.calls[0]?.[2]).toEqual({ broker: 'primary' });
  });

  it.each([
    ['no orders', { orders: [] }],
    ['orders without end', { orders: Array(21).fill(order) }],
    ['an order that could not be placed', { orders: [{ ...order, price: undefined }] }],
    ['no body', {}],
    ['something besides', { orders: [order], place: true }],
  ])('are refused for %s', async (_, body) => {
    expectProblem(await post(body), 400, 'invalid_request');
    expect(app.fake.calls).toEqual([]);
  });

  it('are refused for two brokers', async () => {
    const orders = ['alt', 'primary'].map((broker) => ({ ...order, broker }));
    expectProblem(await post({ orders }), 400, 'several_brokers');
    expect(app.fake.calls).toEqual([]);
  });

  it('place nothing', async () => {
    await post({ orders: [order] });
    expect(app.fake.calls.map(([name]) => name)).toEqual(['getMargins']);
  });
});
