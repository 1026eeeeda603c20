import { describe, expect, it } from 'vitest';
import { comparedOf, quantitiesOf, reach, reachWithoutFill, withTrigger } from './fired-trigger.ts';
import { LEG, PAIR, sentTriggers, spoilTriggers, STOP, triggerOf } from './trigger-walk.ts';
import { pinnedRig, place, spoilReading } from './walk.ts';

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

  it('is among the trades and in the contract note of its key, as one placed elsewhere', async () => {
    await using made = await withTrigger();
    const { rig, headers } = made;
    reach(rig);
    await rig.time.advance(60_000);
    for (const path of ['/api/v1/trades', '/api/v1/contract-note'] as const) {
      const listOf = async (of: Record<string, string>) => {
        const query = {
          method: 'GET',
          path: `${path}?broker=alt&scope=mine`,
          headers: of,
        } as const;
        const { data } = (await rig.call(query)).body;
        return Array.isArray(data) ? data : data.orders;
      };
      expect(await listOf({ authorization: headers.authorization })).toMatchObject([
        { external: true, quantity: 10, side: 'SELL' },
      ]);
      expect(await listOf({})).toEqual([]);
    }
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
