import { describe, expect, it } from 'vitest';
import type { InProcessReply, InProcessRequest } from '../support/in-process-http.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { itemsOf, requestOf, resultsOf } from './baskets.ts';
import {
  beginPlacing,
  BUY,
  loggedInRig,
  orderOf,
  place,
  placings,
  RESTING,
  spoilPlacing,
} from './walk.ts';

/** What is under way at the broker keeps a gateway that stops from ending. */
async function stopping(rig: Rig): Promise<() => Promise<void>> {
  spoilPlacing(rig, 'hang_after');
  const underWay = beginPlacing(rig, { ...RESTING, price: 1_411 }, 'under-way');
  await rig.time.advance(100);
  const stopped = Promise.resolve(rig.composed[Symbol.asyncDispose]());
  return async () => void (await rig.time.settle(Promise.all([underWay, stopped])));
}

const request = (
  method: 'PATCH' | 'DELETE' | 'POST',
  path: string,
  key: string,
  json?: object,
): InProcessRequest => ({
  ...{ method, path, headers: { 'idempotency-key': key } },
  ...(json === undefined ? {} : { json }),
});

const told = ({ status, body, headers }: InProcessReply) => [
  status,
  body.code ?? headers['idempotent-replayed'],
  body.mayHaveExecuted,
];
const REPEATED = [200, 'true', undefined];
const NOTHING = [503, 'order_not_sent', false];

/** Requests that change an order, as they have left. */
const changes = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method !== 'GET' && /\/orders\/\w+\/\w+/.test(url)).length;

async function resting(rig: Rig, price: number, key: string): Promise<string> {
  const placed = await place(rig, { ...RESTING, price }, key);
  expect(placed.status).toBe(201);
  return placed.body.data.id;
}

const FREEZE: RigOptions = { environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' } };

describe('a used key, while the gateway stops', () => {
  it('of a modification and of a cancel is answered with the order, and a new one is not begun', async () => {
    await using rig = await loggedInRig();
    const path = `/api/v1/orders/${await resting(rig, 1_470, 'one')}`;
    const gone = `/api/v1/orders/${await resting(rig, 1_471, 'two')}`;
    await rig.time.advance(2_000);
    const dearer = request('PATCH', path, 'dearer', { price: 1_475 });
    const out = request('DELETE', gone, 'out');
    expect([(await rig.call(dearer)).status, (await rig.call(out)).status]).toEqual([200, 202]);
    await rig.time.advance(2_000);
    const stopped = await stopping(rig);
    const before = changes(rig);
    expect(told(await rig.call(dearer))).toEqual(REPEATED);
    expect(told(await rig.call(out))).toEqual(REPEATED);
    expect(told(await rig.call(request('PATCH', path, 'new', { price: 1_476 })))).toEqual(NOTHING);
    expect(told(await rig.call(request('DELETE', path, 'new')))).toEqual(NOTHING);
    expect(changes(rig)).toBe(before);
    await stopped();
  });

  it('of a cancel of slices says that some may be cancelled, where another one is still open', async () => {
    await using rig = await loggedInRig(FREEZE);
    const id = await resting(rig, 1_470, 'large');
    await rig.time.advance(2_000);
    const out = request('DELETE', `/api/v1/orders/${id}`, 'out');
    // The broker refuses the cancels of two of the three slices.
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'refuse', times: 2 },
      match: { method: 'DELETE', path: '/orders' },
    });
    expect((await rig.call(out)).body.mayHaveExecuted).toBe(true);
    await rig.time.advance(2_000);
    const stopped = await stopping(rig);
    const before = changes(rig);
    expect(told(await rig.call(out))).toEqual([503, 'broker_unavailable', true]);
    const fresh = request('DELETE', `/api/v1/orders/${id}`, 'fresh');
    expect(told(await rig.call(fresh))).toEqual(NOTHING);
    expect(changes(rig)).toBe(before);
    await stopped();
  });

  it('of a change of an order placed elsewhere is answered, and a new one is not begun', async () => {
    await using rig = await loggedInRig();
    const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
      ...{ order_type: 'LIMIT', product: 'CNC', validity: 'DAY', price: '1465' },
    });
    await rig.time.advance(2_000);
    const path = `/api/v1/orders/alt:${String(id)}`;
    const dearer = request('PATCH', path, 'dearer', { price: 1_466 });
    expect((await rig.call(dearer)).status).toBe(200);
    const stopped = await stopping(rig);
    const before = changes(rig);
    expect(told(await rig.call(dearer))).toEqual(REPEATED);
    expect(told(await rig.call(request('PATCH', path, 'new', { price: 1_467 })))).toEqual(NOTHING);
    expect(told(await rig.call(request('DELETE', path, 'new')))).toEqual(NOTHING);
    expect(changes(rig)).toBe(before);
    await stopped();
  });

  it('of a cancel of many says that it may have cancelled', async () => {
    await using rig = await loggedInRig();
    await resting(rig, 1_470, 'one');
    await rig.time.advance(2_000);
    const all = request('POST', '/api/v1/orders/cancel-all', 'all', {});
    expect((await rig.call(all)).status).toBe(200);
    const stopped = await stopping(rig);
    const before = changes(rig);
    expect(told(await rig.call(all))).toEqual([503, 'broker_unavailable', true]);
    const fresh = request('POST', '/api/v1/orders/cancel-all', 'fresh', {});
    expect(told(await rig.call(fresh))).toEqual(NOTHING);
    expect(changes(rig)).toBe(before);
    await stopped();
  });

  it('of an order under way shares its answer, alone and in a basket', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    const placing = beginPlacing(rig, BUY, 'once');
    await rig.time.advance(100);
    const stopped = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    const again = beginPlacing(rig, BUY, 'once');
    const basket = rig.begin(
      requestOf([
        { ...BUY, clientOrderId: 'once' },
        { ...BUY, clientOrderId: 'fresh' },
      ]),
    );
    const [first, second, both] = await rig.time.settle(Promise.all([placing, again, basket]));
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(resultsOf(both)).toEqual(['uncertain', 'not_sent']);
    expect(itemsOf(both)[1]?.problem?.code).toBe('order_not_sent');
    await rig.time.settle(stopped);
    expect(placings(rig)).toHaveLength(1);
  });

  it('of a basket that was placed is answered with its orders', async () => {
    await using rig = await loggedInRig();
    const orders = [{ ...RESTING, clientOrderId: 'a' }];
    expect(resultsOf(await rig.call(requestOf(orders)))).toEqual(['acknowledged']);
    const stopped = await stopping(rig);
    expect(resultsOf(await rig.call(requestOf(orders)))).toEqual(['acknowledged']);
    const fresh = await rig.call(requestOf([{ ...RESTING, clientOrderId: 'b' }]));
    expect([fresh.status, fresh.body.code, fresh.body.mayHaveExecuted]).toEqual(NOTHING);
    await stopped();
  });
});

describe('a key whose order is under way', () => {
  it('is not answered "nothing was sent" where its repeat finds no broker', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    const placing = beginPlacing(rig, BUY, 'once');
    await rig.time.advance(100);
    const repeat = await place(rig, { ...BUY, instrument: 'NSE:NOSUCH' }, 'once');
    expect([repeat.status, repeat.body.mayHaveExecuted]).toEqual([503, true]);
    expect(repeat.body.detail).toContain('an order that is under way');
    const { body } = await rig.time.settle(placing);
    expect((await orderOf(rig, body.data.id)).instrument).toBe('NSE:INFY');
  });
});
