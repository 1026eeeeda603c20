import { describe, expect, it } from 'vitest';
import type { RigOptions } from '../support/rig.ts';
import { itemsOf, ordersOnDisk, placeBasket, requestOf, resting, resultsOf } from './baskets.ts';
import { BUY, loggedInRig, place, placings, RESTING } from './walk.ts';

const limitedRig = (environment: Readonly<Record<string, string>>, more: RigOptions = {}) =>
  loggedInRig({ ...more, environment });

const CLOSED = { start: '2026-11-06T16:30:00+05:30' };
const errorsOf = (body: { errors: { path: string; message: string }[] }): string[] =>
  body.errors.map(({ path }) => path);

describe('POST /api/v1/orders/basket', () => {
  it('places each order under its own key, and answers in the order of the request', async () => {
    await using rig = await loggedInRig();
    const orders = [{ ...BUY, clientOrderId: 'now' }, ...resting(3)];
    const reply = await placeBasket(rig, orders);
    expect(reply.status).toBe(200);
    const told = itemsOf(reply);
    expect(told.map(({ clientOrderId, httpStatus }) => [clientOrderId, httpStatus])).toEqual([
      ['now', 201],
      ['order-0', 201],
      ['order-1', 201],
      ['order-2', 201],
    ]);
    const counts = { acknowledged: 4, uncertain: 0, refused: 0, notSent: 0, checked: 0 };
    expect(reply.body.meta).toEqual({ dryRun: false, counts, margins: null });
    expect(placings(rig)).toHaveLength(4);
    const alone = await place(rig, orders[0] ?? {}, 'now');
    expect(alone.body.data.id).toBe(told[0]?.order?.id);
  });

  it('needs a key that may trade', async () => {
    await using rig = await loggedInRig();
    const { key } = rig.composed.callers.add({ name: 'a reader', scope: 'read' }, null);
    const headers = { authorization: `Bearer ${key.reveal()}` };
    const reply = await rig.call({ ...requestOf(resting(1)), headers });
    expect([reply.status, placings(rig).length]).toEqual([403, 0]);
  });

  it('tells each order that the broker refused beside those that it has', async () => {
    await using rig = await loggedInRig();
    // More than the account can pay for.
    const orders = resting(3).map((each, index) =>
      index === 1 ? { ...each, quantity: 9_000_000 } : each,
    );
    const reply = await placeBasket(rig, orders);
    expect(resultsOf(reply)).toEqual(['acknowledged', 'refused', 'acknowledged']);
    expect(itemsOf(reply)[1]).toMatchObject({
      ...{ httpStatus: 422, order: { status: 'rejected' } },
      problem: { code: 'order_refused', mayHaveExecuted: false },
    });
    expect(reply.body.meta.counts).toMatchObject({ acknowledged: 2, refused: 1 });
  });
});

describe('a basket with an order that is wrong', () => {
  it('is refused whole, with an error for each wrong order, and its keys stay free', async () => {
    await using rig = await loggedInRig();
    const orders = resting(5);
    const wrong = orders.map((each, index) => {
      if (index === 1) return { ...each, instrument: 'NSE:INFI' };
      if (index === 3) return { ...each, price: 1_470.03 };
      return index === 4 ? { ...each, instrument: 'NFO:NIFTY26NOV24450CE', quantity: 7 } : each;
    });
    const { status, body } = await placeBasket(rig, wrong);
    expect([status, body.code, body.mayHaveExecuted]).toEqual([400, 'basket_refused', false]);
    expect(errorsOf(body)).toEqual([
      'body.orders.1.instrument',
      'body.orders.3.price',
      'body.orders.4.quantity',
    ]);
    expect(body.errors[1].message).toContain('is not a multiple of the tick');
    expect(body.errors.map(({ nearest }: { nearest?: number[] }) => nearest)).toEqual([
      undefined,
      [1_470, 1_470.1],
      [65],
    ]);
    expect([placings(rig).length, ordersOnDisk(rig).length]).toEqual([0, 0]);
    expect(resultsOf(await placeBasket(rig, orders))).toEqual(orders.map(() => 'acknowledged'));
  });

  it('has the errors of all its fields, without a key of its own among them', async () => {
    await using rig = await loggedInRig();
    const orders = resting(50, { price: -1 });
    const { status, body } = await placeBasket(rig, [...orders.slice(0, 49), RESTING]);
    expect(status).toBe(400);
    const paths = orders.slice(0, 49).map((_, index) => `body.orders.${index}.price`);
    expect(errorsOf(body)).toEqual([...paths, 'body.orders.49.clientOrderId']);
  });

  it('has two orders under one key', async () => {
    await using rig = await loggedInRig();
    const orders = [...resting(3), { ...BUY, clientOrderId: 'order-1' }];
    const { status, body } = await placeBasket(rig, orders);
    expect([status, errorsOf(body)]).toEqual([400, ['body.orders.3.clientOrderId']]);
    expect(body.errors[0].message).toContain('orders[1]');
    expect(placings(rig)).toEqual([]);
  });

  it('has none, or more than fifty', async () => {
    await using rig = await loggedInRig();
    expect((await placeBasket(rig, [])).status).toBe(400);
    const { status, body } = await placeBasket(rig, resting(51));
    expect([status, body.errors[0].message]).toEqual([400, 'takes at most 50 orders']);
    expect(placings(rig)).toEqual([]);
  });

  it('is outside the hours of an exchange', async () => {
    await using rig = await loggedInRig(CLOSED);
    const { status, body } = await placeBasket(rig, resting(3));
    expect([status, body.code, errorsOf(body).length]).toEqual([409, 'market_closed', 3]);
    expect(placings(rig)).toEqual([]);
  });

  it('has no broker that takes orders', async () => {
    await using rig = await limitedRig({ APP_ROUTE_TRADING: 'alt' });
    await rig.call({ method: 'DELETE', path: '/api/altbroker/token' });
    const { status, body } = await placeBasket(rig, resting(2));
    expect([status, body.code, body.retrySafe]).toEqual([503, 'token_absent', true]);
  });
});

describe('brakes on a basket', () => {
  it.each([
    ['APP_MAX_ORDERS_PER_MINUTE', '3'],
    ['APP_MAX_OPEN_ORDERS', '3'],
  ])('count its own orders: %s', async (setting, most) => {
    await using rig = await limitedRig({ [setting]: most });
    const { status, body } = await placeBasket(rig, resting(5));
    expect([status, body.code]).toEqual([409, 'limit_reached']);
    expect(errorsOf(body)).toEqual(['body.orders.3', 'body.orders.4']);
    expect(placings(rig)).toEqual([]);
    expect(resultsOf(await placeBasket(rig, resting(3)))).toEqual(
      Array.from({ length: 3 }, () => 'acknowledged'),
    );
  });

  it('refuse all of it under the kill switch, but ways out pass', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'bought');
    await rig.time.advance(8_000);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const out = { ...BUY, side: 'SELL', product: 'INTRADAY', quantity: 5 };
    const ways = [
      { ...out, clientOrderId: 'out-1' },
      { ...out, clientOrderId: 'out-2' },
    ];
    const { status, body } = await placeBasket(rig, [...ways, ...resting(1)]);
    expect([status, body.code, errorsOf(body)]).toEqual([409, 'kill_switch', ['body.orders.2']]);
    expect(placings(rig)).toHaveLength(1);
    expect(resultsOf(await placeBasket(rig, ways))).toEqual(['acknowledged', 'acknowledged']);
  });

  it('decide each order anew when it leaves: together they may not sell more than is held', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'bought');
    await rig.time.advance(8_000);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const out = { ...BUY, side: 'SELL', product: 'INTRADAY' };
    const reply = await placeBasket(rig, [
      { ...out, clientOrderId: 'out-1' },
      { ...out, clientOrderId: 'out-2' },
    ]);
    expect(resultsOf(reply).toSorted()).toEqual(['acknowledged', 'not_sent']);
    const stopped = itemsOf(reply).find(({ result }) => result === 'not_sent');
    expect([stopped?.httpStatus, stopped?.problem?.code]).toEqual([409, 'kill_switch']);
  });

  it('let force be asked for with an admin key alone', async () => {
    await using rig = await loggedInRig();
    const { key } = rig.composed.callers.add({ name: 'a program', scope: 'trade' }, null);
    const headers = { authorization: `Bearer ${key.reveal()}` };
    const request = requestOf(resting(1, { force: true }));
    expect((await rig.call({ ...request, headers })).status).toBe(403);
    expect((await rig.call(request)).status).toBe(200);
  });
});
