import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BasketAnswer, BasketOrderAnswer } from '../../src/domain/basket.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { BASKET, LIMIT_ORDER, MARGIN, order } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const PATH = '/api/v1/orders/basket';
const ROUTE = `POST ${PATH}`;
const ONE = { ...LIMIT_ORDER, clientOrderId: 'key-1' };
const send = (body: object, key = KEYS.trade) =>
  app.http.post(PATH).set('Authorization', key).send(body);
const answerWith = (answer: Partial<BasketAnswer>): void =>
  app.fake.set({ placeBasket: async () => ({ ...BASKET, ...answer }) });

const placed = (
  changes: Parameters<typeof order>[0],
  settled = true,
): BasketOrderAnswer['placed'] => ({
  ...{ order: order(changes), idempotencyKey: 'key-1', settled, repeated: false },
});
const UNCERTAIN: BasketOrderAnswer = {
  ...{ clientOrderId: 'key-1', result: 'uncertain', problem: null },
  placed: placed({ status: 'uncertain', filledQuantity: null }, false),
};

describe('placing a basket', () => {
  it('passes on each order as it was asked for, and its key', async () => {
    const orders = [ONE, { ...ONE, clientOrderId: 'key-2', product: 'MIS', broker: 'paper' }];
    const response = await send({ orders, ordered: true, dryRun: true });
    expectDeclared(app, ROUTE, response);
    const [[name, asked, caller] = []] = app.fake.calls;
    expect([name, caller]).toEqual(['placeBasket', 'key_trade']);
    expect(asked).toMatchObject({
      ...{ ordered: true, dryRun: true },
      orders: [
        { clientOrderId: 'key-1', force: false, request: { price: 1_500, product: 'CNC' } },
        { clientOrderId: 'key-2', request: { product: 'INTRADAY', broker: 'paper' } },
      ],
    });
  });

  it('is neither ordered nor a dry run where nothing is said', async () => {
    expect((await send({ orders: [ONE] })).status).toBe(200);
    expect(app.fake.calls[0]?.[1]).toMatchObject({ ordered: false, dryRun: false });
  });

  it('answers 202 where one order is uncertain, and counts it', async () => {
    answerWith({ orders: [...BASKET.orders, UNCERTAIN] });
    const response = await send({ orders: [ONE] });
    expectDeclared(app, ROUTE, response);
    expect([response.status, response.body.meta.counts]).toEqual([
      202,
      { acknowledged: 1, uncertain: 1, refused: 0, notSent: 0, checked: 0 },
    ]);
    expect(response.body.data[1]).toMatchObject({ httpStatus: 202, problem: null });
  });

  it('shows an order that was refused with the problem of a single one', async () => {
    const refused = placed({ status: 'rejected', reason: 'no funds' });
    const detail = 'the kill switch is engaged';
    const problem = { code: 'kill_switch', detail, mayHaveExecuted: false } as const;
    answerWith({
      orders: [
        { clientOrderId: 'key-1', result: 'refused', placed: refused, problem: null },
        { clientOrderId: 'key-2', result: 'not_sent', placed: null, problem },
      ],
    });
    const response = await send({ orders: [ONE] });
    expectDeclared(app, ROUTE, response);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject([
      {
        ...{ httpStatus: 422, order: { status: 'rejected' } },
        problem: { code: 'order_refused', detail: 'no funds', mayHaveExecuted: false },
      },
      { httpStatus: 409, order: null, problem: { code: 'kill_switch', status: 409 } },
    ]);
    expect(response.body.data[0].problem).not.toHaveProperty('order');
    expect(response.body.data[0].problem).not.toHaveProperty('requestId');
  });

  it('shows the order of a key that was used for another request', async () => {
    const { fields: problem } = new GatewayProblem({
      ...{ code: 'idempotency_conflict', detail: 'used', mayHaveExecuted: true },
      extra: { order: order({ id: 'ord_other' }) },
    });
    answerWith({
      orders: [{ clientOrderId: 'key-1', result: 'uncertain', placed: null, problem }],
    });
    const response = await send({ orders: [ONE] });
    expectDeclared(app, ROUTE, response);
    expect(response.body.data[0].problem.order.id).toBe('ord_other');
  });

  it('shows the margins of a dry run, with the benefit and without', async () => {
    const of = { mode: 'live', orders: 2 } as const;
    answerWith({
      margins: [
        { ...of, broker: 'alt', estimate: { ...MARGIN, alone: 20_000.75 }, error: null },
        { ...of, broker: 'primary', estimate: { ...MARGIN, summed: true }, error: null },
        { ...of, broker: 'paper', estimate: null, error: 'paper does not offer margins' },
      ],
    });
    const response = await send({ orders: [ONE], dryRun: true });
    expectDeclared(app, ROUTE, response);
    expect(response.body.meta.margins).toMatchObject([
      { estimate: { required: 15_000.5, alone: 20_000.75, benefit: 5_000.25 } },
      { estimate: { alone: null, benefit: null, summed: true } },
      { estimate: null, error: 'paper does not offer margins' },
    ]);
  });

  it('answers the problem of the whole basket with its errors', async () => {
    const errors = [{ path: 'body.orders.3.price', message: 'is off the tick' }];
    app.fake.set({
      placeBasket: () =>
        Promise.reject(new GatewayProblem({ code: 'limit_reached', detail: 'no', errors })),
    });
    const problem = expectProblem(await send({ orders: [ONE] }), 409, 'limit_reached');
    expect(problem.errors).toEqual(errors);
  });

  it('takes force with an admin key alone', async () => {
    const orders = [ONE, { ...ONE, clientOrderId: 'key-2', force: true }];
    expectProblem(await send({ orders }), 403, 'forbidden');
    expect(app.fake.calls).toEqual([]);
    expect((await send({ orders }, KEYS.admin)).status).toBe(200);
    expect(app.fake.calls[0]?.[1]).toMatchObject({ orders: [{ force: false }, { force: true }] });
  });

  it('sends orders that name no broker to that of the query, and none to two', async () => {
    const response = await app.http
      .post(`${PATH}?broker=primary`)
      .set('Authorization', KEYS.trade)
      .send({ orders: [ONE] });
    expect(response.status).toBe(200);
    expect(app.fake.calls[0]?.[1]).toMatchObject({ orders: [{ request: { broker: 'primary' } }] });
    const both = await app.http
      .post(`${PATH}?broker=primary`)
      .set('Authorization', KEYS.trade)
      .send({ orders: [ONE, { ...ONE, clientOrderId: 'key-2', broker: 'alt' }] });
    expectProblem(both, 400, 'invalid_request');
    expect(both.body.errors[0].path).toBe('body.orders.1.broker');
  });

  it('says that a key is required', async () => {
    const { body } = await send({ orders: [LIMIT_ORDER] });
    expect(body.errors[0].message).toBe('is required: give each order a key of its own');
  });

  it.each([
    [{ orders: [LIMIT_ORDER] }, 'body.orders.0.clientOrderId'],
    [{ orders: [{ ...ONE, price: undefined }] }, 'body.orders.0.price'],
    [{ orders: [{ ...ONE, note: 'x' }] }, 'body.orders.0'],
    [{ orders: [] }, 'body.orders'],
    [{ orders: [ONE], parallel: true }, 'body'],
  ])('%j is refused', async (body, path) => {
    const response = await send(body);
    expectProblem(response, 400, 'invalid_request');
    expect(response.body.errors[0].path).toBe(path);
    expect(app.fake.calls).toEqual([]);
  });
});
