import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import { beginPlacing, loggedInRig, orderOf, place, RESTING, spoilReading } from './walk.ts';

const ALL = '/api/v1/orders/cancel-all';

const cancelAll = (rig: Rig, json: object = {}, key: string | null = null) =>
  rig.post(ALL, json, key === null ? {} : { 'idempotency-key': key });

const cancelsSent = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method === 'DELETE' && url.includes('/orders/')).length;

/** A key of its own, which is no admin's. */
async function traderOf(rig: Rig): Promise<Record<string, string>> {
  const { key } = rig.composed.callers.add({ name: 'a program', scope: 'trade' });
  return { authorization: `Bearer ${key.reveal()}` };
}

async function restingOrders(rig: Rig, prices: readonly number[]): Promise<string[]> {
  const ids = [];
  for (const price of prices) {
    const { body } = await place(rig, { ...RESTING, price }, `resting-${price}`);
    ids.push(String(body.data.id));
  }
  await rig.time.advance(2_000);
  return ids;
}

/** A LIMIT order that a person has placed in the broker's app. */
function placeElsewhere(rig: Rig, quantity = '7'): string {
  const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
    ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity },
    ...{ product: 'CNC', order_type: 'LIMIT', price: '1465', validity: 'DAY' },
  });
  return String(id);
}

describe('POST /api/v1/orders/cancel-all', () => {
  it('cancels every open order of the key, and answers each', async () => {
    await using rig = await loggedInRig();
    const ids = await restingOrders(rig, [1_470, 1_471, 1_472]);
    const { status, body } = await cancelAll(rig);
    expect(body.data.map(({ id, result }: { id: string; result: string }) => [id, result])).toEqual(
      ids.map((id) => [id, 'cancelled']),
    );
    expect([status, body.meta.errors]).toEqual([200, []]);
    expect(cancelsSent(rig)).toBe(3);
  });

  it('leaves the orders of other keys and those placed elsewhere, unless asked for the account', async () => {
    await using rig = await loggedInRig();
    const own = await restingOrders(rig, [1_470]);
    const other = placeElsewhere(rig);
    const trader = await traderOf(rig);
    const mine = await rig.post(ALL, {}, trader);
    expect([mine.status, mine.body.data]).toEqual([200, []]);
    const refused = await rig.post(ALL, { scope: 'account' }, trader);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(cancelsSent(rig)).toBe(0);
    const { status, body } = await cancelAll(rig, { scope: 'account' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { id: own[0], result: 'cancelled' },
      { id: `alt:${other}`, result: 'cancelled', order: { external: true, status: 'cancelled' } },
    ]);
  });

  it('takes only what the filters name', async () => {
    await using rig = await loggedInRig();
    const [resting] = await restingOrders(rig, [1_470]);
    for (const filter of [{ side: 'SELL' }, { product: 'MIS' }, { instrument: 'NSE:TCS' }]) {
      expect((await cancelAll(rig, filter)).body.data).toEqual([]);
    }
    expect((await cancelAll(rig, { broker: 'paper' })).body.data).toEqual([]);
    expect((await orderOf(rig, resting ?? '')).status).toBe('working');
    const filters = { side: 'BUY', product: 'CNC', instrument: 'NSE_1594', broker: 'alt' };
    const { body } = await cancelAll(rig, filters);
    expect(body.data).toMatchObject([{ id: resting, result: 'cancelled' }]);
  });

  it('of an instrument that does not exist is refused, and not answered with an empty list', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await cancelAll(rig, { instrument: 'NSE:INFI' });
    expect([status, body.code]).toEqual([404, 'unknown_instrument']);
  });

  it('says that a book cannot be read instead of "nothing to cancel"', async () => {
    await using rig = await loggedInRig();
    spoilReading(rig, 'hang_before', '/orders');
    const { status, body } = await cancelAll(rig, { scope: 'account', broker: 'alt' });
    expect([status, body.code]).toEqual([503, 'broker_unavailable']);
  });

  it('cancels what is known while the book cannot be read, and lists the error', async () => {
    await using rig = await loggedInRig();
    const [resting] = await restingOrders(rig, [1_470]);
    spoilReading(rig, 'hang_before', '/orders');
    const { status, body } = await cancelAll(rig, { scope: 'account' });
    expect([status, cancelsSent(rig)]).toEqual([202, 1]);
    expect(body.data).toMatchObject([{ id: resting, result: 'cancelling' }]);
    expect(body.meta.errors).toMatchObject([{ broker: 'alt' }]);
  });

  it('passes entries that wait for the limit, and says how long it takes', async () => {
    await using rig = await loggedInRig();
    const ids = await restingOrders(
      rig,
      Array.from({ length: 30 }, (_, index) => 1_440 + index),
    );
    const entries = Array.from({ length: 60 }, (_, index) =>
      beginPlacing(rig, { ...RESTING, quantity: 1, price: 1_400 + index / 10 }, `entry-${index}`),
    );
    const { status, body } = await cancelAll(rig, { side: 'BUY', instrument: 'NSE:INFY' });
    const done = new Set(body.data.map(({ id }: { id: string }) => id));
    expect(ids.filter((id) => !done.has(id))).toEqual([]);
    expect([200, 202]).toContain(status);
    expect(body.meta.estimatedSeconds).toBeGreaterThan(1);
    expect(body.meta.estimatedSeconds).toBeLessThan(10);
    await rig.time.advance(30_000);
    await Promise.all(entries);
    for (const id of ids) expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('cancels a sliced order through the order, and lists no slice', async () => {
    await using rig = await loggedInRig({
      environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=10' },
    });
    const { body } = await place(rig, { ...RESTING, quantity: 25 }, 'sliced');
    await rig.time.advance(2_000);
    const answer = await cancelAll(rig);
    expect(answer.body.data).toMatchObject([{ id: body.data.id, result: 'cancelled' }]);
    expect([answer.body.data.length, cancelsSent(rig)]).toEqual([1, 3]);
  });

  it('keeps a cancel for an uncertain order', async () => {
    await using rig = await loggedInRig();
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'hang_after', times: 1 },
      match: { method: 'POST', path: '/orders' },
    });
    spoilReading(rig, 'hang_before', '/orders');
    const { body } = await place(rig, RESTING, 'lost');
    const answer = await cancelAll(rig);
    expect(answer.status).toBe(202);
    expect(answer.body.data).toMatchObject([{ id: body.data.id, result: 'uncertain' }]);
    rig.sandbox.faults.clear();
    await rig.time.advance(90_000);
    expect((await orderOf(rig, body.data.id)).status).toBe('cancelled');
  });
});

describe('a cancel of an order of the gateway, and of one placed elsewhere,', () => {
  it.each([
    ['twice is sent a third time', 2, 'cancelled', 3],
    ['three times is not sent, which is told', 3, 'not_sent', 3],
  ])('that did not leave %s', async (_what, refusals, result, tries) => {
    await using rig = await loggedInRig();
    const [own] = await restingOrders(rig, [1_470]);
    const other = `alt:${placeElsewhere(rig)}`;
    const match = { method: 'DELETE', path: '/orders' };
    rig.sandbox.faults.add({ broker: 'kite', kind: 'refuse', match, times: 2 * refusals });
    const answer = await cancelAll(rig, { scope: 'account' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject([
      { id: own, result },
      { id: other, result },
    ]);
    expect(cancelsSent(rig)).toBe(2 * tries);
  });
});

describe('a key of a cancel of many', () => {
  it('sends no second cancel, and reaches no order that was placed since', async () => {
    await using rig = await loggedInRig();
    const [first] = await restingOrders(rig, [1_470]);
    const external = placeElsewhere(rig);
    await rig.time.advance(2_000);
    await cancelAll(rig, { scope: 'account' }, 'all');
    const [second] = await restingOrders(rig, [1_475]);
    placeElsewhere(rig, '8');
    const again = await cancelAll(rig, { scope: 'account' }, 'all');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.body.data).toMatchObject([
      { id: first, result: 'cancelled' },
      { id: `alt:${external}`, result: 'cancelled' },
    ]);
    await rig.restart();
    await rig.time.advance(2_000);
    await cancelAll(rig, { scope: 'account' }, 'all');
    expect(cancelsSent(rig)).toBe(2);
    expect((await orderOf(rig, second ?? '')).status).toBe('working');
    const other = await cancelAll(rig, {}, 'all');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
  });

  it('shares the answer of the request that is under way', async () => {
    await using rig = await loggedInRig();
    await restingOrders(rig, [1_470, 1_471]);
    const request = {
      ...{ method: 'POST', path: ALL, json: {} },
      headers: { 'idempotency-key': 'both' },
    } as const;
    const both = [rig.begin(request), rig.begin(request)];
    const [one, two] = await rig.time.settle(Promise.all(both));
    expect(two?.body.data).toEqual(one?.body.data);
    expect(cancelsSent(rig)).toBe(2);
  });
});

describe('a book that could not be read', () => {
  it('is read for a repeat under the key, for orders that were there at the first request', async () => {
    await using rig = await loggedInRig();
    const early = placeElsewhere(rig);
    await rig.time.advance(2_000);
    spoilReading(rig, 'hang_before', '/orders');
    const account = { scope: 'account', broker: 'alt' };
    expect((await cancelAll(rig, account, 'later')).status).toBe(503);
    rig.sandbox.faults.clear();
    await rig.time.advance(10_000);
    placeElsewhere(rig, '8');
    await rig.time.advance(2_000);
    const { body } = await cancelAll(rig, account, 'later');
    expect(body.data).toMatchObject([{ id: `alt:${early}`, result: 'cancelled' }]);
    expect(cancelsSent(rig)).toBe(1);
  });
});

describe('an order placed elsewhere', () => {
  it('is cancelled with an event before the request leaves and one after it', async () => {
    await using rig = await loggedInRig();
    const brokerOrderId = placeElsewhere(rig);
    await rig.time.advance(2_000);
    await cancelAll(rig, { scope: 'account' });
    const told = journalEvents(rig.dataDirectory, 'order.external_cancel');
    expect(told.map(({ data }) => [data['brokerOrderId'], data['outcome']])).toEqual([
      [brokerOrderId, null],
      [brokerOrderId, 'acknowledged'],
    ]);
  });

  it('of which a crash lost the answer is not sent a second cancel by itself, nor under the key', async () => {
    await using rig = await loggedInRig();
    placeElsewhere(rig);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'hang_before', times: 1 },
      match: { method: 'DELETE', path: '/orders' },
    });
    const request = {
      ...{ method: 'POST', path: ALL, json: { scope: 'account' } },
      headers: { 'idempotency-key': 'crash' },
    } as const;
    void rig.begin(request).catch(() => undefined);
    await rig.time.advance(1_500);
    expect(cancelsSent(rig)).toBe(1);
    await rig.crash();
    await rig.time.advance(30_000);
    expect(cancelsSent(rig)).toBe(1);
    const again = await cancelAll(rig, { scope: 'account' }, 'crash');
    expect([again.status, cancelsSent(rig)]).toEqual([202, 1]);
    expect(again.body.data).toMatchObject([{ result: 'cancelling', order: { status: 'working' } }]);
  });
});
