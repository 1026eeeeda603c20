import { describe, expect, it } from 'vitest';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import type { Rig } from '../support/rig.ts';
import {
  itemsOf,
  ordersOnDisk,
  placeBasket,
  requestOf,
  resting,
  resultsOf,
  type ToldItem,
} from './baskets.ts';
import { beginPlacing, BUY, loggedInRig, place, placings, RESTING, spoilPlacing } from './walk.ts';

const SLOW = { sandbox: { latencyMs: [100, 100] } } as const;
/** Forty-two orders, one after the other and the first after a read of the account, in half a minute. */
const VERY_SLOW = { sandbox: { latencyMs: [700, 700] } } as const;

/** Lets time pass until so many requests to place have left. */
async function untilSent(rig: Rig, count: number): Promise<void> {
  for (let turns = 0; placings(rig).length < count && turns < 3_000; turns += 1) {
    await rig.time.advance(10);
  }
}

/** The largest number of requests to place within any second, by when the sandbox received them. */
function mostInASecond(rig: Rig): number {
  const times = rig.sandbox.kite.orders().map(({ createdAt }) => createdAt);
  return Math.max(...times.map((at) => times.filter((t) => t >= at && t < at + 1_000).length));
}

describe('what a basket answers of an order', () => {
  it('is how it stands in the end: one that was refused, and has turned up since, is not called refused', async () => {
    await using rig = await loggedInRig();
    const refusal = kiteRefusals.findIndex(({ reply }) => String(reply.body).includes('IP (10.1.'));
    spoilPlacing(rig, 'refused_after', { params: { refusal } });
    spoilPlacing(rig, 'hang_before');
    const basket = rig.begin(requestOf([{ ...BUY, clientOrderId: 'first' }, ...resting(1)]));
    await rig.time.advance(5_000);
    const alone = await place(rig, BUY, 'first');
    expect(alone.body.data.status).toBe('filled');
    const reply = await rig.time.settle(basket);
    expect(itemsOf(reply)[0]).toMatchObject({
      result: 'acknowledged',
      order: { status: 'filled' },
    });
  });

  it('counts what has filled while it waited for another order', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_before');
    const orders = [...resting(1), { ...BUY, clientOrderId: 'second' }];
    const reply = await placeBasket(rig, orders);
    expect(itemsOf(reply).map(({ order }) => order?.status)).toEqual(['uncertain', 'filled']);
  });
});

const keptBack = (items: readonly ToldItem[]): ToldItem[] =>
  items.filter(({ result }) => result === 'not_sent');

describe('a basket of fifty orders', () => {
  it("is acknowledged within half a minute, and stays below the broker's limit", async () => {
    await using rig = await loggedInRig(SLOW);
    const begun = rig.time.elapsed();
    const reply = await placeBasket(rig, resting(50));
    expect(rig.time.elapsed() - begun).toBeLessThan(30_000);
    expect([reply.status, reply.body.meta.counts.acknowledged]).toEqual([200, 50]);
    expect(rig.sandbox.kite.orders()).toHaveLength(50);
    expect(mostInASecond(rig)).toBeLessThanOrEqual(8);
  });

  it('goes out in the order given, but for ways out, which leave first', async () => {
    await using rig = await loggedInRig(SLOW);
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'bought');
    await rig.time.advance(8_000);
    const exit = { ...BUY, side: 'SELL', product: 'INTRADAY', clientOrderId: 'out' };
    const reply = await placeBasket(rig, [...resting(30), exit]);
    expect(new Set(resultsOf(reply))).toEqual(new Set(['acknowledged']));
    const [, first, ...entries] = placings(rig).map(({ body }) =>
      new URLSearchParams(String(body)).get('price'),
    );
    expect(first ?? null).toBe(null);
    expect(entries).toEqual(entries.toSorted((left, right) => Number(left) - Number(right)));
  });

  it('leaves the places that are kept for ways out to those of other requests', async () => {
    await using rig = await loggedInRig(SLOW);
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'bought');
    await rig.time.advance(8_000);
    const basket = rig.begin(requestOf(resting(40)));
    await untilSent(rig, 12);
    const before = rig.time.elapsed();
    const exit = await place(rig, { ...BUY, side: 'SELL', product: 'INTRADAY' }, 'out');
    expect([exit.status, rig.time.elapsed() - before < 1_000]).toEqual([201, true]);
    expect((await rig.time.settle(basket)).body.meta.counts.acknowledged).toBe(40);
  });

  it('does not wait for one order that hangs, and tells it at the top', async () => {
    await using rig = await loggedInRig(SLOW);
    spoilPlacing(rig, 'hang_before');
    const basket = rig.begin(requestOf(resting(40)));
    await rig.time.advance(7_000);
    expect(rig.sandbox.kite.orders()).toHaveLength(39);
    const reply = await rig.time.settle(basket);
    expect([reply.status, reply.body.meta.counts]).toMatchObject([
      202,
      { acknowledged: 39, uncertain: 1 },
    ]);
    expect(itemsOf(reply)[0]).toMatchObject({
      ...{ result: 'uncertain', httpStatus: 202, order: { status: 'uncertain' }, problem: null },
    });
  });
});

describe('an order of a basket whose turn does not come', () => {
  it('within half a minute is not sent, which is known, and its key is free', async () => {
    await using rig = await loggedInRig(VERY_SLOW);
    const reply = await placeBasket(rig, resting(45), { ordered: true });
    const { acknowledged, notSent } = reply.body.meta.counts;
    expect([reply.status, acknowledged, notSent]).toEqual([200, 42, 3]);
    expect(keptBack(itemsOf(reply))).toMatchObject(
      ['order-42', 'order-43', 'order-44'].map((clientOrderId) => ({
        ...{ clientOrderId, httpStatus: 503, order: null },
        problem: { code: 'order_not_sent', mayHaveExecuted: false, retrySafe: true },
      })),
    );
    expect(keptBack(itemsOf(reply))[0]?.problem?.detail).toContain('its turn did not come');
    expect(ordersOnDisk(rig)).toHaveLength(42);
  });

  it('in time for its permit is not sent after half a minute either', async () => {
    await using rig = await loggedInRig(VERY_SLOW);
    const basket = rig.begin(requestOf(resting(45), { ordered: true }));
    await rig.time.advance(29_000);
    const others = Array.from({ length: 60 }, (_, index) =>
      beginPlacing(rig, { ...RESTING, quantity: 2, price: 1_400 + index / 10 }, `other-${index}`),
    );
    const reply = await rig.time.settle(basket);
    expect(reply.body.meta.counts).toMatchObject({ acknowledged: 41, notSent: 4 });
    expect(keptBack(itemsOf(reply))[0]?.problem?.detail).toContain('its price may be outdated');
    await rig.time.settle(Promise.all(others));
  });

  it('because its broker answers nothing any more is not sent', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_before', { times: 1_000 });
    const begun = rig.time.elapsed();
    const reply = await placeBasket(rig, resting(50));
    expect(rig.time.elapsed() - begun).toBeLessThan(45_000);
    const { uncertain, notSent } = reply.body.meta.counts;
    expect([reply.status, uncertain + notSent, uncertain]).toEqual([202, 50, placings(rig).length]);
    expect(ordersOnDisk(rig)).toHaveLength(uncertain);
  });

  it('because the kill switch was engaged in the middle is answered so, and the rest stands', async () => {
    await using rig = await loggedInRig(SLOW);
    const basket = rig.begin(requestOf(resting(40)));
    await untilSent(rig, 16);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'enough' });
    const sent = placings(rig).length;
    const reply = await rig.time.settle(basket);
    expect(placings(rig)).toHaveLength(sent);
    const kept = keptBack(itemsOf(reply));
    expect(reply.body.meta.counts.acknowledged).toBe(rig.sandbox.kite.orders().length);
    expect(kept.length).toBe(40 - rig.sandbox.kite.orders().length);
    expect(kept.at(-1)).toMatchObject({ httpStatus: 409, problem: { code: 'kill_switch' } });
  });

  it('because the gateway stops is not sent, and is on no disk', async () => {
    await using rig = await loggedInRig(SLOW);
    const basket = rig.begin(requestOf(resting(40)));
    await untilSent(rig, 16);
    const sent = placings(rig).length;
    const stopped = rig.composed.execution[Symbol.asyncDispose]();
    const reply = await rig.time.settle(basket);
    await rig.time.settle(Promise.resolve(stopped));
    // Those on their way already hold a permit.
    expect(placings(rig).length).toBeLessThanOrEqual(sent + 8);
    const kept = keptBack(itemsOf(reply));
    expect(kept.length + reply.body.meta.counts.acknowledged).toBe(40);
    expect(kept.at(-1)?.problem?.detail).toContain('the gateway is stopping');
    expect(rig.sandbox.kite.orders()).toHaveLength(reply.body.meta.counts.acknowledged);
    await rig.restart();
    expect(ordersOnDisk(rig).length).toBeLessThan(32);
  });

  it('because the session ended is not sent, on paper neither', async () => {
    await using rig = await loggedInRig(SLOW);
    const basket = rig.begin(requestOf(resting(40)));
    await untilSent(rig, 16);
    await rig.call({ method: 'DELETE', path: '/api/altbroker/token' });
    const reply = await rig.time.settle(basket);
    const { acknowledged, notSent, uncertain } = reply.body.meta.counts;
    expect([acknowledged + notSent, uncertain]).toEqual([40, 0]);
    expect(rig.sandbox.kite.orders()).toHaveLength(acknowledged);
    expect(keptBack(itemsOf(reply)).at(-1)?.problem?.code).toBe('token_absent');
  });

  it('before its permit, because other programs send as many, is not sent', async () => {
    await using rig = await loggedInRig(SLOW);
    const others = Array.from({ length: 60 }, (_, index) =>
      beginPlacing(rig, { ...RESTING, quantity: 2, price: 1_400 + index / 10 }, `other-${index}`),
    );
    const reply = await placeBasket(rig, resting(10));
    const { acknowledged, notSent } = reply.body.meta.counts;
    expect([acknowledged + notSent, notSent > 0]).toEqual([10, true]);
    await rig.time.settle(Promise.all(others));
    expect(mostInASecond(rig)).toBeLessThanOrEqual(8);
  });
});
