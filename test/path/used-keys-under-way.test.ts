import { describe, expect, it } from 'vitest';
import type { InProcessReply } from '../support/in-process-http.ts';
import type { Rig } from '../support/rig.ts';
import { itemsOf, requestOf, resting } from './baskets.ts';
import { beginPlacing, BUY, loggedInRig, place, RESTING, spoilPlacing } from './walk.ts';

/** The keys that an answer calls not sent. */
const unsent = (reply: InProcessReply): string[] =>
  itemsOf(reply).flatMap(({ result, clientOrderId }) =>
    result === 'not_sent' ? [clientOrderId] : [],
  );

/** The keys of the orders of `resting` that the broker has, by their price. */
const taken = (rig: Rig): string[] =>
  rig.sandbox.kite.orders().map(({ limitPaise }) => `order-${(limitPaise / 100 - 1_440) * 2}`);

/** Each answer takes its time, so that a basket of twelve leaves in two waves. */
const LATE = { sandbox: { latencyMs: [2_000, 2_000] } } as const;

describe('a basket that is sent again while its first request is under way', () => {
  it('is not told that an order was not sent which the first request has sent', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after', { times: 100 });
    const orders = resting(12);
    const first = rig.begin(requestOf(orders));
    await rig.time.advance(1_000);
    const second = rig.begin(requestOf(orders));
    await rig.time.advance(1_000);
    const stopped = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    const replies = await rig.time.settle(Promise.all([first, second]));
    await rig.time.settle(stopped);
    const there = taken(rig);
    expect(there.length).toBeGreaterThan(7);
    expect(replies.map((each) => unsent(each).filter((key) => there.includes(key)))).toEqual([
      [],
      [],
    ]);
  });
});

describe('an order of a basket that was also sent alone, under its key', () => {
  it('is answered as that one where the basket does not come to it', async () => {
    await using rig = await loggedInRig(LATE);
    const basket = rig.begin(requestOf(resting(6), { ordered: true }));
    await rig.time.advance(200);
    const order = { ...RESTING, quantity: 1, price: 1_442.5 };
    const alone = beginPlacing(rig, order, 'order-5');
    await rig.time.advance(5_000);
    const stopped = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    const [reply, own] = await rig.time.settle(Promise.all([basket, alone]));
    await rig.time.settle(stopped);
    expect([own.status, own.body.data?.status], own.text).toEqual([201, 'working']);
    const kept = unsent(reply);
    expect([kept.includes('order-4'), kept.includes('order-5')]).toEqual([true, false]);
  });
});

/** The account is read before a way out begins. */
const SLOW = { sandbox: { latencyMs: [900, 900] } } as const;

describe('a way out that is asked for again before its first request has begun it', () => {
  it.each([
    ['an exit', '/api/v1/exits', { instrument: 'NSE:INFY', product: 'INTRADAY' }],
    ['a closing', '/api/v1/positions/close-all', { scope: 'account' }],
  ])('is not told that nothing happened: %s, while the gateway stops', async (_, path, json) => {
    await using rig = await loggedInRig(SLOW);
    expect((await place(rig, BUY, 'bought')).status).toBe(201);
    await rig.time.advance(120_000);
    // What is under way keeps a gateway that stops from ending.
    spoilPlacing(rig, 'hang_after');
    const underWay = beginPlacing(rig, BUY, 'under-way');
    const request = { method: 'POST', path, json, headers: { 'idempotency-key': 'out' } } as const;
    const first = rig.begin(request);
    await rig.time.advance(100);
    const stopped = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    const second = rig.begin(request);
    const [begun, repeat] = await rig.time.settle(Promise.all([first, second]));
    await rig.time.settle(Promise.all([underWay, stopped]));
    expect(repeat.body.data?.id).toBe(begun.body.data.id);
    expect(repeat.headers['idempotent-replayed']).toBe('true');
  });

  it('is answered also where it comes while the gateway waits for the first one alone', async () => {
    await using rig = await loggedInRig(SLOW);
    expect((await place(rig, BUY, 'bought')).status).toBe(201);
    await rig.time.advance(120_000);
    const json = { instrument: 'NSE:INFY', product: 'INTRADAY' };
    const headers = { 'idempotency-key': 'out' };
    const request = { method: 'POST', path: '/api/v1/exits', json, headers } as const;
    const first = rig.begin(request);
    await rig.time.advance(100);
    const stopped = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    await rig.time.advance(100);
    const second = rig.begin(request);
    const [begun, repeat] = await rig.time.settle(Promise.all([first, second]));
    await rig.time.settle(stopped);
    expect([repeat.status, repeat.body.data?.id], repeat.text).toEqual([202, begun.body.data.id]);
  });
});
