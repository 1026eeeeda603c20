import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { otherKey, reach, reachWithoutFill, withTrigger } from './fired-trigger.ts';
import { sentTriggers, spoilTriggers } from './trigger-walk.ts';
import { BUY, spoilReading } from './walk.ts';

const MINE = '/api/v1/orders?broker=alt&scope=mine';

const read = (rig: Rig, path: string, { authorization }: { readonly authorization: string }) =>
  rig.call({ method: 'GET', path, headers: { authorization } });

const restingIds = (rig: Rig): readonly string[] =>
  rig.sandbox.kite
    .orders()
    .filter(({ side }) => side === 'SELL')
    .map(({ orderId }) => `alt:${orderId}`);

function keyThatReads(rig: Rig) {
  const { key } = rig.composed.callers.add({ name: 'one that reads', scope: 'read' });
  return { authorization: `Bearer ${key.reveal()}` };
}

describe('the order of a trigger in the lists of its key', () => {
  it('is listed while it rests, with the trigger that has placed it, and to no other key', async () => {
    await using made = await withTrigger();
    const { rig, headers, id } = made;
    const other = await otherKey(rig);
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    const [resting = ''] = restingIds(rig);
    const { body } = await read(rig, `${MINE}&status=open`, headers);
    expect(body.data).toMatchObject([
      { id: resting, external: true, triggeredBy: id, status: 'working', filledQuantity: 0 },
    ]);
    expect(body.meta.uncertainTriggers).toEqual([]);
    for (const headersOf of [keyThatReads(rig), other]) {
      const others = await read(rig, MINE, headersOf);
      expect([others.body.data, others.body.meta.uncertainTriggers]).toEqual([[], []]);
    }
    const account = await rig.get('/api/v1/orders?broker=alt');
    expect(account.body.data).toMatchObject([{ id: resting, triggeredBy: id }]);
    expect(account.body.meta).not.toHaveProperty('uncertainTriggers');
    expect((await rig.get(`/api/v1/orders/${resting}`)).body.data).toMatchObject({
      triggeredBy: id,
    });
  });

  it('is listed with its trades once it has filled, and beside the orders of the key', async () => {
    await using made = await withTrigger();
    const { rig, headers, id } = made;
    const placed = await rig.post(
      '/api/v1/orders',
      { ...BUY, broker: 'alt' },
      {
        ...headers,
        'idempotency-key': 'bought',
      },
    );
    reach(rig);
    await rig.time.advance(60_000);
    const { body } = await read(rig, MINE, headers);
    expect(body.data).toMatchObject([
      { id: restingIds(rig)[0], triggeredBy: id, status: 'filled', filledQuantity: 10 },
      { id: placed.body.data.id, external: false, triggeredBy: null },
    ]);
    const trades = await read(rig, '/api/v1/trades?broker=alt&scope=mine', headers);
    expect(
      trades.body.data.map(({ orderId, triggeredBy }: Record<string, unknown>) => [
        orderId,
        triggeredBy,
      ]),
    ).toEqual([
      [restingIds(rig)[0], id],
      [placed.body.data.id, null],
    ]);
    expect(trades.body.meta.uncertainTriggers).toEqual([]);
  });

  it('is known as soon as the book has it: the list of triggers is read for it at once', async () => {
    await using made = await withTrigger();
    const { rig, headers, id } = made;
    await rig.time.advance(5_000);
    reachWithoutFill(rig);
    await rig.time.advance(2_000);
    const lists = sentTriggers(rig, 'GET').length;
    const { body } = await read(rig, `${MINE}&maxAgeMs=0`, headers);
    expect(body.data).toMatchObject([{ triggeredBy: id }]);
    expect(sentTriggers(rig, 'GET').length).toBeGreaterThan(lists);
  });

  it('may be lacking where the list of triggers cannot be read: the answers name the trigger', async () => {
    await using made = await withTrigger();
    const { rig, headers, id } = made;
    await rig.time.advance(5_000);
    const list = spoilTriggers(rig, 'error_before', 'GET', { times: 1_000 });
    reach(rig);
    await rig.time.advance(3_000);
    for (const path of [`${MINE}&maxAgeMs=0`, '/api/v1/trades?broker=alt&scope=mine']) {
      const { status, body } = await read(rig, path, headers);
      expect([status, body.data, body.meta.uncertainTriggers]).toEqual([200, [], [id]]);
    }
    rig.sandbox.faults.remove(list);
    await rig.time.advance(3_000);
    const { body } = await read(rig, MINE, headers);
    expect([body.data.length, body.meta.uncertainTriggers]).toEqual([1, []]);
  });

  it('is not waited for longer than three seconds: the answers then name the trigger', async () => {
    await using made = await withTrigger();
    const { rig, headers, id } = made;
    await rig.time.advance(5_000);
    const list = spoilTriggers(rig, 'hang_before', 'GET', { times: 1_000 });
    reach(rig);
    await rig.time.advance(3_000);
    for (const path of [`${MINE}&maxAgeMs=0`, '/api/v1/trades?broker=alt&scope=mine']) {
      const begun = rig.time.elapsed();
      const { status, body } = await read(rig, path, headers);
      expect([status, body.data, body.meta.uncertainTriggers]).toEqual([200, [], [id]]);
      expect(rig.time.elapsed() - begun).toBeLessThan(4_000);
    }
    rig.sandbox.faults.remove(list);
    await rig.time.advance(60_000);
    const { body } = await read(rig, MINE, headers);
    expect([body.data.length, body.meta.uncertainTriggers]).toEqual([1, []]);
  });

  it('may be lacking where the book cannot be read: the orders of the gateway are listed all the same', async () => {
    await using made = await withTrigger();
    const { rig, headers, id } = made;
    const ofKey = { ...headers, 'idempotency-key': 'bought' };
    const placed = await rig.post('/api/v1/orders', { ...BUY, broker: 'alt' }, ofKey);
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    spoilReading(rig, 'reset_after', '/orders');
    await rig.time.advance(1_000);
    const { status, body } = await read(rig, MINE, headers);
    expect([status, body.data.length, body.data[0].id]).toEqual([200, 1, placed.body.data.id]);
    expect(body.meta.uncertainTriggers).toEqual([id]);
    expect(body.meta.books).toMatchObject([{ broker: 'alt', read: false }]);
  });

  it('is not taken for an order that a person has placed while the trigger waits', async () => {
    await using made = await withTrigger();
    const { rig, headers } = made;
    await rig.time.advance(5_000);
    elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'SELL', quantity: '10' },
      ...{ product: 'CNC', order_type: 'LIMIT', price: '1600', validity: 'DAY' },
    });
    await rig.time.advance(500);
    const early = await read(rig, `${MINE}&maxAgeMs=0`, headers);
    expect(early.body.data).toEqual([]);
    await rig.time.advance(3_000);
    const { body } = await read(rig, MINE, headers);
    expect([body.data, body.meta.uncertainTriggers]).toEqual([[], []]);
  });
});
