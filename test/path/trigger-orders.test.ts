import { describe, expect, it } from 'vitest';
import type { Rig, RigOptions } from '../support/rig.ts';
import {
  alertsOf,
  LEG,
  PAIR,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { downUntil, loggedInRig, pinnedRig, place, spoilReading } from './walk.ts';

const MONDAY = '2026-11-09T10:00:00+05:30';

/** A gateway with a trade key, and a trigger of that key. */
async function withTrigger(body: object = STOP, options: RigOptions = {}) {
  const rig = await loggedInRig(options);
  const { key, caller } = rig.composed.callers.add({ name: 'a strategy', scope: 'trade' });
  const headers = { authorization: `Bearer ${key.reveal()}`, 'idempotency-key': 'stop' };
  const { status, body: answer } = await rig.post('/api/v1/triggers', body, headers);
  expect(status).toBe(201);
  const id: string = answer.data.id;
  return {
    rig,
    headers,
    key: caller.id,
    id,
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

/** NSE:INFY falls below the stop, and stays above its limit price: the order fills in the next seconds. */
const reach = (rig: Rig): void => rig.sandbox.exchange.setPrice('NSE:INFY', 144_975);

/** The order of the trigger rests: the price falls below its limit. */
const reachWithoutFill = (rig: Rig): void => rig.sandbox.exchange.setPrice('NSE:INFY', 144_000);

const quantitiesOf = async (rig: Rig, key: string) => {
  const { body } = await rig.get(`/api/v1/keys/${key}/positions`);
  const { positions, uncertainOrders } = body.data;
  return {
    quantities: positions.map(({ quantity }: { quantity: number }) => quantity),
    uncertainOrders,
  };
};

async function comparedOf(rig: Rig) {
  const { body } = await rig.get('/api/v1/positions/by-key');
  const { positions, uncertainOrders } = body.data;
  const infy = positions.find((each: { instrument: string }) => each.instrument === 'NSE:INFY');
  return { ...infy, uncertainOrders };
}

describe('the order of a trigger that was reached', () => {
  it.each([
    ['a single one', STOP, 0],
    ['of a pair the leg that was reached', PAIR, 0],
  ])('belongs to the key of the trigger: %s', async (_which, body, leg) => {
    await using made = await withTrigger(body);
    const { rig, key, id } = made;
    reach(rig);
    await rig.time.advance(60_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    expect(await comparedOf(rig)).toMatchObject({
      ...{ keys: [{ key, quantity: -10 }], ofKeys: -10, elsewhereToday: 0, difference: 0 },
      uncertainOrders: [],
    });
    const trigger = await triggerOf(rig, id);
    const [trade] = rig.sandbox.kite.fills();
    expect(trigger.status).toBe('triggered');
    expect(trigger.legs[leg]).toMatchObject({ brokerOrderId: trade?.orderId, filledQuantity: 10 });
    expect(trigger.legs[leg].averagePrice).toBe((trade?.pricePaise ?? 0) / 100);
  });

  it('has what its key made of it: the price is that of its trades', async () => {
    await using made = await withTrigger();
    const { rig, key, headers } = made;
    await rig.post(
      '/api/v1/orders',
      { ...STOP, legs: undefined, side: 'BUY', quantity: 10, orderType: 'MARKET', product: 'CNC' },
      { ...headers, 'idempotency-key': 'bought' },
    );
    await rig.time.advance(3_000);
    reach(rig);
    await rig.time.advance(60_000);
    const { body } = await rig.get(`/api/v1/keys/${key}/positions`);
    const [position] = body.data.positions;
    const { buyValue, sellValue } = position.day;
    expect([position.quantity, position.day.sellQuantity]).toEqual([0, 10]);
    const sold = rig.sandbox.kite.fills().filter(({ side }) => side === 'SELL');
    const received = sold.reduce((sum, fill) => sum + fill.pricePaise * fill.quantity, 0);
    expect(sellValue).toBeCloseTo(received / 100, 2);
    expect(body.data.realisedPnl).toBeCloseTo(sellValue - buyValue, 2);
  });

  it('counts while it rests, as far as it has filled, and is read until it is over', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
    expect((await triggerOf(rig, id)).legs[0].filledQuantity).toBe(0);
    reach(rig);
    await rig.time.advance(10_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('is known seconds after its row is in the book, and not only when the list is due', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    await rig.time.advance(20_000);
    const lists = (): number => sentTriggers(rig, 'GET').length;
    const before = lists();
    while (lists() === before) await rig.time.advance(1_000);
    reach(rig);
    await rig.time.advance(2_000);
    await rig.get('/api/v1/orders?broker=alt');
    await rig.time.advance(4_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('is compared as soon as it is in the book, also where no list was read since', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    const list = spoilTriggers(rig, 'error_before', 'GET', { times: 1_000 });
    reach(rig);
    await rig.time.advance(4_000);
    expect(rig.sandbox.kite.fills()).toHaveLength(1);
    rig.sandbox.faults.remove(list);
    expect(await comparedOf(rig)).toMatchObject({
      ...{ keys: [{ key, quantity: -10 }], elsewhereToday: 0, difference: 0 },
    });
  });

  it('leaves the books in doubt while the list or the book that tells of it cannot be read', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    const list = spoilTriggers(rig, 'error_before', 'GET', { times: 1_000 });
    reach(rig);
    await rig.time.advance(40_000);
    expect(await comparedOf(rig)).toMatchObject({ elsewhereToday: -10, uncertainOrders: [id] });
    rig.sandbox.faults.remove(list);
    const book = spoilReading(rig, 'error_before', '/orders');
    await rig.time.advance(40_000);
    expect((await quantitiesOf(rig, key)).uncertainOrders).toEqual([id]);
    rig.sandbox.faults.remove(book);
    await rig.time.advance(40_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('was refused: nothing has filled, and nothing is in doubt', async () => {
    await using made = await withTrigger({ ...STOP, legs: [{ ...LEG, quantity: 10 }] });
    const { rig, key, id } = made;
    // The shares are gone when the price is reached.
    await place(
      rig,
      {
        ...STOP,
        legs: undefined,
        side: 'SELL',
        quantity: 200,
        orderType: 'MARKET',
        product: 'CNC',
        force: true,
      },
      'all',
    );
    await rig.time.advance(3_000);
    reach(rig);
    await rig.time.advance(60_000);
    expect((await triggerOf(rig, id)).status).toBe('triggered');
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
  });
});

describe('the order of a trigger, over restarts and days', () => {
  it('stays that of its key after a crash, the next day, and once its day has left memory', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    reach(rig);
    await rig.time.advance(60_000);
    await rig.crash();
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    for (const at of [MONDAY, '2026-12-14T10:00:00+05:30', '2026-12-15T10:00:00+05:30']) {
      await downUntil(rig, at);
      expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    }
  });

  it('counts on the day on which it traded, however long ago the trigger was placed', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    await downUntil(rig, '2026-12-14T10:00:00+05:30');
    rig.sandbox.exchange.setPrice('NSE:INFY', 150_000);
    await rig.logIn();
    reach(rig);
    await rig.time.advance(60_000);
    for (const again of [false, true]) {
      if (again) await rig.restart();
      const { body } = await rig.get(`/api/v1/keys/${key}/positions`);
      expect(body.data.positions).toMatchObject([{ quantity: -10, day: { sellQuantity: 10 } }]);
    }
  });

  it('that was placed while the gateway was down is found in the book of the day', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    reach(rig);
    await rig.time.advance(60_000);
    await rig.restart();
    await rig.time.advance(60_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('whose book is gone leaves its key in doubt, with one critical alert, also after a restart', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    reach(rig);
    await rig.time.advanceTo(MONDAY);
    await rig.restart();
    await rig.logIn();
    await rig.time.advance(120_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [id] });
    expect((await triggerOf(rig, id)).legs[0].filledQuantity).toBeNull();
    const told = (await alertsOf(rig)).filter((text) => text.includes(`trigger ${id} has placed`));
    expect(told).toHaveLength(1);
    await downUntil(rig, '2026-12-14T10:00:00+05:30');
    expect((await quantitiesOf(rig, key)).uncertainOrders).toEqual([id]);
  });

  it('whose book is gone has filled what a person says, and that alone', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    const say = (body: object) => rig.post(`/api/v1/triggers/${id}/resolve`, body);
    expect((await say({ filled: 10 })).body.code).toBe('order_state');
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    reach(rig);
    await rig.time.advanceTo(MONDAY);
    await rig.restart();
    await rig.logIn();
    await rig.time.advance(120_000);
    expect((await say({ filled: 11 })).body).toMatchObject({ code: 'order_state' });
    const said = await say({ filled: 10, averagePrice: 1_449.7 });
    expect([said.status, said.body.data.legs[0]]).toEqual([
      200,
      expect.objectContaining({ filledQuantity: 10, averagePrice: 1_449.7 }),
    ]);
    await rig.crash();
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    expect((await say({ filled: 9 })).body.code).toBe('order_state');
  });

  it('is none where a person says that a trigger which the list has lost has filled nothing', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    rig.sandbox.kite.hideTrigger(rig.sandbox.kite.triggers()[0]?.id ?? '', 10 * 60_000);
    await rig.time.advance(180_000);
    const said = await rig.post(`/api/v1/triggers/${id}/resolve`, { filled: 0 });
    expect(said.status).toBe(200);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
  });

  it('of a trigger that the list has lost is in doubt: it may have triggered', async () => {
    await using made = await withTrigger(STOP);
    const { rig, key, id } = made;
    rig.sandbox.kite.hideTrigger(rig.sandbox.kite.triggers()[0]?.id ?? '', 10 * 60_000);
    await rig.time.advance(180_000);
    expect((await triggerOf(rig, id)).status).toBe('ended');
    expect((await quantitiesOf(rig, key)).uncertainOrders).toEqual([id]);
  });
});

describe('at the primary brokerage, where a trigger is a stop order', () => {
  it('what it fills is of its key like that of any order', async () => {
    await using rig = await pinnedRig({ environment: { APP_ROUTE_TRADING: 'primary' } });
    const body = {
      ...STOP,
      broker: 'primary',
      legs: [{ ...LEG, side: 'BUY', triggerPrice: 1_510, price: 1_515 }],
    };
    const { status } = await rig.post('/api/v1/triggers', body, { 'idempotency-key': 'k' });
    expect(status).toBe(201);
    rig.sandbox.exchange.setPrice('NSE:INFY', 151_100);
    await rig.time.advance(10_000);
    expect(await quantitiesOf(rig, 'admin')).toEqual({ quantities: [10], uncertainOrders: [] });
    const { body: compared } = await rig.get('/api/v1/positions/by-key?broker=primary');
    const infy = compared.data.positions.find(({ ofKeys }: { ofKeys: number }) => ofKeys === 10);
    expect(infy).toMatchObject({ elsewhereToday: 0, difference: 0 });
  });
});
