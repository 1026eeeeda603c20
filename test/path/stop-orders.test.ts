import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { cancel, orderOf, pinnedRig, place, placings } from './walk.ts';

const STOP = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'SL',
  price: 1_515,
  triggerPrice: 1_510,
  product: 'CNC',
};

const rigAtThePrimary = (environment: Record<string, string> = {}): Promise<Rig> =>
  pinnedRig({ environment: { APP_ROUTE_TRADING: 'primary', ...environment } });

const pathsOf = (rig: Rig): readonly string[] =>
  placings(rig).map(({ url }) => new URL(url).pathname);

describe('a stop order at the primary brokerage', () => {
  it('waits, fires when its price comes, and its fills are told', async () => {
    await using rig = await rigAtThePrimary();
    const reply = await place(rig, STOP, 'stop');
    expect([reply.status, reply.body.data.status]).toEqual([201, 'working']);
    await rig.time.advance(10_000);
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'working',
      filledQuantity: 0,
    });
    rig.sandbox.exchange.setPrice('NSE:INFY', 151_000);
    await rig.time.advance(5_000);
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
      orderType: 'SL',
    });
    expect(pathsOf(rig)).toEqual(['/smart/order']);
  });

  it('whose answer is lost is found by its fingerprint, and sent once', async () => {
    await using rig = await rigAtThePrimary();
    rig.sandbox.faults.add({
      broker: 'primary',
      kind: 'hang_after',
      match: { method: 'POST', path: '/smart/order' },
      times: 1,
    });
    const reply = await place(rig, STOP, 'lost');
    expect([reply.status, reply.body.data.status]).toEqual([202, 'uncertain']);
    await rig.time.advance(20_000);
    const [taken] = rig.sandbox.primary.orders();
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'working',
      boundBy: 'fingerprint',
      brokerOrderId: taken?.orderId,
    });
    expect(placings(rig)).toHaveLength(1);
    expect(rig.sandbox.primary.orders()).toHaveLength(1);
  });

  it('is cancelled while it waits', async () => {
    await using rig = await rigAtThePrimary();
    const { body } = await place(rig, STOP, 'cancelled');
    await rig.time.advance(3_000);
    await cancel(rig, body.data.id);
    await rig.time.advance(3_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ status: 'cancelled' });
  });

  it('without a limit is refused, and nothing is sent', async () => {
    await using rig = await rigAtThePrimary();
    const market = { ...STOP, orderType: 'SL-M', price: undefined };
    const reply = await place(rig, market, 'no-limit');
    expect(reply.status).toBe(422);
    expect(pathsOf(rig)).toEqual([]);
  });

  it('in the plain form fires at once, as its trigger is lost; the gateway says so at its start', async () => {
    await using rig = await rigAtThePrimary({ APP_PRIMARY_STOP_ORDERS: 'plain' });
    const { body } = await place(rig, STOP, 'plain');
    await rig.time.advance(5_000);
    expect(pathsOf(rig)).toEqual(['/order']);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ status: 'filled' });
    expect(rig.log.join()).toContain('APP_PRIMARY_STOP_ORDERS');
  });
});
