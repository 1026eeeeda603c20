import { describe, expect, it } from 'vitest';
import { createRig } from '../support/rig.ts';
import {
  deleteTrigger,
  LEG,
  PAIR,
  placeElsewhere,
  placeTrigger,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
  UPPER,
} from './trigger-walk.ts';
import { loggedInRig, place, placings, spoilReading } from './walk.ts';

describe('a trigger', () => {
  it('is placed once for a key, and told with the id of its broker', async () => {
    await using rig = await loggedInRig();
    const first = await placeTrigger(rig, STOP, 'stop');
    const again = await placeTrigger(rig, STOP, 'stop');
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(first.body.data).toMatchObject({ status: 'waiting', legs: [LEG] });
    expect(again.body.data.id).toBe(first.body.data.id);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
    expect(rowsAtBroker(rig)).toMatchObject([{ id: Number(first.body.data.triggerId) }]);
  });

  it('of two legs is a pair at the broker', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await placeTrigger(rig, PAIR, 'pair');
    expect([status, body.data.legs]).toMatchObject([201, [LEG, UPPER]]);
    expect(rowsAtBroker(rig)).toMatchObject([{ type: 'two-leg', status: 'active' }]);
  });

  it('is told as triggered, with the order that it has placed', async () => {
    await using rig = await loggedInRig();
    const { body } = await placeTrigger(rig, STOP, 'stop');
    rig.sandbox.exchange.setPrice('NSE:INFY', 144_900);
    await rig.time.advance(40_000);
    const [order] = rig.sandbox.kite.orders();
    expect(await triggerOf(rig, body.data.id)).toMatchObject({
      status: 'triggered',
      legs: [{ brokerOrderId: order?.orderId }],
    });
  });

  it('is listed with its id, beside those placed elsewhere', async () => {
    await using rig = await loggedInRig();
    const other = placeElsewhere(rig);
    const { body } = await placeTrigger(rig, STOP, 'stop');
    const { id, triggerId } = body.data;
    const list = await rig.get('/api/v1/triggers?broker=alt');
    const seen = list.body.data.map((each: { id: string; triggerId: string }) => [
      each.id,
      each.triggerId,
    ]);
    expect(seen).toEqual([
      [null, other],
      [id, triggerId],
    ]);
  });

  const withLeg = (parts: object) => ({ ...STOP, legs: [{ ...LEG, ...parts }] });
  const [PRICE, TRIGGER] = ['body.legs.0.price', 'body.legs.0.triggerPrice'];
  it.each([
    ['a trigger off the tick', withLeg({ triggerPrice: 1_450.03 }), 'price_off_tick', TRIGGER],
    ['a price off the tick', withLeg({ price: 1_449.53 }), 'price_off_tick', PRICE],
    ['a trigger at the present price', withLeg({ triggerPrice: 1_500 }), 'trigger_side', TRIGGER],
    [
      'legs on one side',
      { ...PAIR, legs: [LEG, { ...UPPER, triggerPrice: 1_460 }] },
      'trigger_side',
      TRIGGER,
    ],
    [
      'legs in the wrong order',
      { ...PAIR, legs: [UPPER, LEG] },
      'trigger_side',
      'body.legs.1.triggerPrice',
    ],
    [
      'legs of two sides',
      { ...PAIR, legs: [LEG, { ...UPPER, side: 'BUY' }] },
      'invalid_request',
      'body.legs.1.side',
    ],
    ['no shares', withLeg({ quantity: 0 }), 'invalid_request', 'body.legs.0.quantity'],
    ['three legs', { ...STOP, legs: [LEG, UPPER, UPPER] }, 'invalid_request', 'body.legs'],
    ['a broker of the other mode', { ...STOP, mode: 'paper' }, 'wrong_mode', 'body.broker'],
  ])('with %s is refused before anything is sent, and the field is named', async (...row) => {
    const [, body, code, path] = row;
    await using rig = await loggedInRig();
    const reply = await placeTrigger(rig, body, 'bad');
    expect([reply.status, reply.body.code]).toEqual([400, code]);
    expect(reply.body.errors).toMatchObject([{ path }]);
    expect(sentTriggers(rig, 'POST')).toEqual([]);
  });

  it('as an order of the primary names the fields of its leg', async () => {
    await using rig = await loggedInRig();
    const body = { ...withLeg({ triggerPrice: 1_450.03 }), broker: 'primary' };
    const { status, body: told } = await placeTrigger(rig, body, 'bad');
    expect([status, told.code]).toEqual([400, 'price_off_tick']);
    expect(told.errors).toMatchObject([{ path: TRIGGER, nearest: [1_450, 1_450.1] }]);
  });

  it('that the broker refuses says so, and is not there', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'rate_limited', 'POST');
    const { status, body } = await placeTrigger(rig, STOP, 'stop');
    expect([status, body.code, body.trigger.status]).toEqual([422, 'order_refused', 'refused']);
    expect(rowsAtBroker(rig)).toEqual([]);
  });

  it('is not sent without a list that was read before', async () => {
    await using rig = await loggedInRig();
    spoilReading(rig, 'error_before', '/gtt/triggers');
    const buy = { ...LEG, side: 'BUY', price: 1_450 } as const;
    const { status, body } = await placeTrigger(rig, { ...STOP, legs: [buy] }, 'stop');
    expect([status, body.code, body.mayHaveExecuted]).toEqual([503, 'order_not_sent', false]);
    expect(sentTriggers(rig, 'POST')).toEqual([]);
  });

  it('is not sent where a row of that list has no readable id', async () => {
    await using rig = await loggedInRig();
    const data = [{ id: null, orders: 'none' }];
    const body = JSON.stringify({ status: 'success', data });
    spoilTriggers(rig, 'lying_2xx_after', 'GET', { params: { body }, times: 100 });
    const buy = { ...LEG, side: 'BUY', price: 1_450 } as const;
    const reply = await placeTrigger(rig, { ...STOP, legs: [buy] }, 'stop');
    expect([reply.status, reply.body.code]).toEqual([503, 'order_not_sent']);
    expect(reply.body.detail).toContain('a row has no readable id');
    expect(sentTriggers(rig, 'POST')).toEqual([]);
  });

  it('is not sent to a broker without a session', async () => {
    await using rig = await createRig();
    const { status, body } = await placeTrigger(rig, STOP, 'stop');
    expect([status, body.code]).toEqual([503, 'token_absent']);
  });

  it('under the key of another one is refused', async () => {
    await using rig = await loggedInRig();
    await placeTrigger(rig, STOP, 'stop');
    const other = await placeTrigger(rig, { ...STOP, legs: [{ ...LEG, quantity: 11 }] }, 'stop');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
  });

  it('is known after a restart, and its key with it', async () => {
    await using rig = await loggedInRig();
    const { body } = await placeTrigger(rig, STOP, 'stop');
    await rig.restart();
    const again = await placeTrigger(rig, STOP, 'stop');
    expect([again.status, again.body.data.id]).toEqual([201, body.data.id]);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
  });
});

describe('brakes', () => {
  const engage = { engaged: true, reason: 'test' };
  const BUY_LEG = { ...LEG, side: 'BUY', price: 1_451 } as const;

  it('stop a trigger that would open a position, and no deletion', async () => {
    await using rig = await loggedInRig();
    const { body } = await placeTrigger(rig, { ...STOP, legs: [BUY_LEG] }, 'before');
    await rig.post('/api/v1/kill-switch', engage);
    const other = { ...BUY_LEG, quantity: 5 };
    const reply = await placeTrigger(rig, { ...STOP, legs: [other] }, 'after');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
    const deleted = await deleteTrigger(rig, body.data.id);
    expect([deleted.status, deleted.body.data.status]).toEqual([200, 'ended']);
  });

  it('let one pass that only reduces, but not a second one for the same shares', async () => {
    await using rig = await loggedInRig();
    await rig.post('/api/v1/kill-switch', engage);
    const whole = { ...STOP, legs: [{ ...LEG, quantity: 200 }] };
    expect((await placeTrigger(rig, whole, 'first')).status).toBe(201);
    const second = { ...STOP, legs: [{ ...LEG, triggerPrice: 1_440, price: 1_440 }] };
    const reply = await placeTrigger(rig, second, 'second');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
  });

  it('of the settings hold for each leg', async () => {
    const environment = { APP_MAX_ORDER_QUANTITY: '5' };
    await using rig = await loggedInRig({ environment });
    const reply = await placeTrigger(rig, { ...STOP, legs: [BUY_LEG] }, 'large');
    expect([reply.status, reply.body.code]).toEqual([409, 'limit_reached']);
  });

  it('count triggers among the orders of a minute', async () => {
    const environment = { APP_MAX_ORDERS_PER_MINUTE: '1' };
    await using rig = await loggedInRig({ environment });
    const one = await placeTrigger(rig, { ...STOP, legs: [BUY_LEG] }, 'one');
    expect(one.status, one.text).toBe(201);
    const other = { ...STOP, legs: [{ ...BUY_LEG, quantity: 5 }] };
    expect((await placeTrigger(rig, other, 'two')).body.code).toBe('limit_reached');
  });
});

describe('a trigger at the primary brokerage', () => {
  const BUY_ABOVE = {
    ...LEG,
    side: 'BUY',
    quantity: 3,
    triggerPrice: 1_590,
    price: 1_600,
  } as const;
  const AT_PRIMARY = { ...STOP, broker: 'primary', legs: [BUY_ABOVE] };

  it('is an SL order of the gateway', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await placeTrigger(rig, AT_PRIMARY, 'stop');
    expect(status, JSON.stringify(body)).toBe(201);
    const { id } = body.data;
    expect([status, id.slice(0, 4), body.data.status]).toEqual([201, 'ord_', 'waiting']);
    const order = (await rig.get(`/api/v1/orders/${id}`)).body.data;
    expect(order).toMatchObject({ orderType: 'SL', triggerPrice: 1_590, price: 1_600 });
    const again = await placeTrigger(rig, AT_PRIMARY, 'stop');
    expect(again.body.data.id).toBe(id);
    await rig.time.advance(2_000);
    const deleted = await deleteTrigger(rig, id);
    expect([deleted.status, deleted.body.data.deleteWanted]).toEqual([202, true]);
    await rig.time.advance(5_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });

  it('is no pair, which it says', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await placeTrigger(rig, { ...PAIR, broker: 'primary' }, 'pair');
    expect([status, body.code]).toEqual([501, 'not_supported']);
  });

  it('is not placed as well while one of the same key is on its way to the other broker', async () => {
    await using rig = await loggedInRig({
      environment: { APP_ROUTE_TRADING: 'alt,primary' },
    });
    spoilTriggers(rig, 'hang_after', 'POST');
    const asked = { instrument: 'NSE:INFY', legs: [BUY_ABOVE] };
    const begin = () =>
      rig.begin({
        ...{ method: 'POST', path: '/api/v1/triggers', json: asked },
        headers: { 'idempotency-key': 'once' },
      });
    const first = begin();
    await rig.time.advance(100);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
    await rig.call({ method: 'DELETE', path: '/api/altbroker/token' });
    const [one, two] = await rig.time.settle(Promise.all([first, begin()]));
    expect(two.body.data?.id, two.text).toBe(one.body.data.id);
    expect(placings(rig)).toEqual([]);
  });

  it('and one at the other broker do not share a key', async () => {
    await using rig = await loggedInRig();
    await placeTrigger(rig, AT_PRIMARY, 'stop');
    const { status, body } = await placeTrigger(rig, STOP, 'stop');
    expect([status, body.code]).toEqual([422, 'idempotency_conflict']);
    expect(sentTriggers(rig, 'POST')).toEqual([]);
  });

  it('is one of those orders alone that are stops', async () => {
    await using rig = await loggedInRig();
    const limit = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'CNC' };
    const order = { ...limit, orderType: 'LIMIT', price: 1_470, broker: 'primary' };
    const placed = await place(rig, order, 'limit');
    const reply = await rig.get(`/api/v1/triggers/${placed.body.data.id}`);
    expect([reply.status, reply.body.code]).toEqual([404, 'unknown_trigger']);
  });
});
