import { describe, expect, it } from 'vitest';
import { itemsOf, ordersOnDisk, placeBasket, requestOf, resting, resultsOf } from './baskets.ts';
import { BUY, loggedInRig, orderOf, place, placings, RESTING, spoilPlacing } from './walk.ts';

const ORDERED = { ordered: true };
/** More than the account can pay for. */
const TOO_MUCH = { quantity: 9_000_000 };
const SLOW = { sandbox: { latencyMs: [100, 100] } } as const;

const withOne = (orders: object[], at: number, more: object): object[] =>
  orders.map((each, index) => (index === at ? { ...each, ...more } : each));

describe('an ordered basket', () => {
  it('sends each order once the one before it is acknowledged', async () => {
    await using rig = await loggedInRig(SLOW);
    const basket = rig.begin(requestOf(resting(5), ORDERED));
    for (let turns = 0; turns < 200 && placings(rig).length < 5; turns += 1) {
      expect(placings(rig).length - rig.sandbox.kite.orders().length).toBeLessThanOrEqual(1);
      await rig.time.advance(10);
    }
    const reply = await rig.time.settle(basket);
    expect(new Set(resultsOf(reply))).toEqual(new Set(['acknowledged']));
    const made = rig.sandbox.kite.orders().map(({ createdAt }) => createdAt);
    const apart = made.slice(1).map((at, index) => at - (made[index] ?? 0));
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(100);
  });

  it('stops at the first that is refused; the rest is not sent, and may be sent later', async () => {
    await using rig = await loggedInRig();
    const orders = withOne(resting(5), 2, TOO_MUCH);
    const reply = await placeBasket(rig, orders, ORDERED);
    expect(resultsOf(reply)).toEqual([
      ...['acknowledged', 'acknowledged', 'refused', 'not_sent', 'not_sent'],
    ]);
    expect([reply.status, placings(rig).length]).toEqual([200, 3]);
    expect(itemsOf(reply)[4]).toMatchObject({
      ...{ httpStatus: 503, order: null, repeated: false },
      problem: { code: 'order_not_sent', mayHaveExecuted: false, retrySafe: true },
    });
    expect(itemsOf(reply)[4]?.problem?.detail).toContain('orders[2] is rejected');
    expect(ordersOnDisk(rig)).toHaveLength(3);
    const rest = await placeBasket(rig, orders.slice(3), ORDERED);
    expect(resultsOf(rest)).toEqual(['acknowledged', 'acknowledged']);
  });

  it('stops at the first that is uncertain', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_after');
    const reply = await placeBasket(rig, resting(3), ORDERED);
    expect([reply.status, ...resultsOf(reply)]).toEqual([
      ...[202, 'uncertain', 'not_sent', 'not_sent'],
    ]);
    expect(reply.body.meta.counts).toMatchObject({ uncertain: 1, notSent: 2 });
    expect(placings(rig)).toHaveLength(1);
    // Once its row is found, the same basket goes on from there.
    await rig.time.advance(5_000);
    const again = await placeBasket(rig, resting(3), ORDERED);
    expect(resultsOf(again)).toEqual(['acknowledged', 'acknowledged', 'acknowledged']);
    expect(rig.sandbox.kite.orders()).toHaveLength(3);
  });

  it('stops at one that is not sent', async () => {
    await using rig = await loggedInRig(SLOW);
    const basket = rig.begin(requestOf(resting(4), ORDERED));
    await rig.time.advance(150);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'enough' });
    const items = itemsOf(await rig.time.settle(basket));
    const first = items.findIndex(({ result }) => result === 'not_sent');
    expect([first > 0, items[first]?.problem?.code]).toEqual([true, 'kill_switch']);
    const codes = items.slice(first + 1).map(({ problem }) => problem?.code);
    expect(new Set(codes)).toEqual(new Set(['order_not_sent']));
    expect(placings(rig)).toHaveLength(first);
  });

  it('stops at an order of which a slice was not acknowledged', async () => {
    await using rig = await loggedInRig({
      ...SLOW,
      environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' },
    });
    const cut = { ...RESTING, quantity: 6, clientOrderId: 'cut' };
    const basket = rig.begin(requestOf([cut, ...resting(1)], ORDERED));
    for (let turns = 0; turns < 100 && placings(rig).length < 1; turns += 1) {
      await rig.time.advance(5);
    }
    spoilPlacing(rig, 'refuse');
    const reply = await rig.time.settle(basket);
    expect(resultsOf(reply)[1]).toBe('not_sent');
    expect(placings(rig)).toHaveLength(2);
  });

  it('goes on past an order that has filled at once', async () => {
    await using rig = await loggedInRig();
    const reply = await placeBasket(
      rig,
      [{ ...BUY, clientOrderId: 'now' }, ...resting(1)],
      ORDERED,
    );
    expect(resultsOf(reply)).toEqual(['acknowledged', 'acknowledged']);
  });
});

describe('a basket that is sent again', () => {
  it('is answered with the orders as they stand, and sends nothing', async () => {
    await using rig = await loggedInRig();
    const orders = [{ ...BUY, clientOrderId: 'now' }, ...withOne(resting(3), 1, TOO_MUCH)];
    const first = await placeBasket(rig, orders);
    await rig.time.advance(3_000);
    const again = await placeBasket(rig, orders);
    expect(itemsOf(again).map(({ order, repeated }) => [order?.id, repeated])).toEqual(
      itemsOf(first).map(({ order }) => [order?.id, true]),
    );
    expect(itemsOf(again)[0]?.order?.status).toBe('filled');
    expect(placings(rig)).toHaveLength(4);
  });

  it('while the first is under way shares its orders', async () => {
    await using rig = await loggedInRig(SLOW);
    const request = requestOf(resting(20));
    const first = rig.begin(request);
    await rig.time.advance(700);
    const second = rig.begin(request);
    const [one, two] = await rig.time.settle(Promise.all([first, second]));
    const ids = [one, two].map((reply) =>
      reply ? itemsOf(reply).map(({ order }) => order?.id) : [],
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(rig.sandbox.kite.orders()).toHaveLength(20);
  });

  it('while the first is under way is told how its orders end, also where none may leave now', async () => {
    await using rig = await loggedInRig(SLOW);
    const first = rig.begin(requestOf(resting(4)));
    for (let turns = 0; turns < 100 && placings(rig).length < 4; turns += 1) {
      await rig.time.advance(5);
    }
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'enough' });
    expect(rig.sandbox.kite.orders().length).toBeLessThanOrEqual(4);
    const reply = await placeBasket(rig, resting(5));
    expect(resultsOf(reply)).toEqual([
      ...Array.from({ length: 4 }, () => 'acknowledged'),
      'not_sent',
    ]);
    await rig.time.settle(first);
    expect(placings(rig)).toHaveLength(4);
  });

  it('with other contents under a known key is told so, and nothing new of it is sent', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...RESTING, quantity: 3 }, 'order-1');
    const refused = await placeBasket(rig, resting(3));
    expect([refused.status, refused.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(refused.body).toMatchObject({
      mayHaveExecuted: true,
      errors: [{ path: 'body.orders.1' }],
    });
    expect(placings(rig)).toHaveLength(1);
    // Beside an order that was placed before, it is answered for itself.
    await placeBasket(rig, resting(1));
    const reply = await placeBasket(rig, resting(3));
    expect([reply.status, ...itemsOf(reply).map(({ httpStatus }) => httpStatus)]).toEqual([
      ...[202, 201, 422, 503],
    ]);
    expect(itemsOf(reply)[2]?.problem?.detail).toContain('orders[1] was refused');
    expect(placings(rig)).toHaveLength(2);
  });

  it('tells what was placed also where the rest would be refused now, and sends none of it', async () => {
    await using rig = await loggedInRig();
    await placeBasket(rig, resting(2));
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'enough' });
    const reply = await placeBasket(rig, resting(4));
    expect(resultsOf(reply)).toEqual(['acknowledged', 'acknowledged', 'not_sent', 'not_sent']);
    expect(itemsOf(reply)[2]).toMatchObject({ httpStatus: 409, problem: { code: 'kill_switch' } });
    expect(placings(rig)).toHaveLength(2);
  });

  it('after a crash in the middle sends only what had not left', async () => {
    await using rig = await loggedInRig(SLOW);
    void rig.begin(requestOf(resting(30)));
    for (let turns = 0; turns < 500 && placings(rig).length < 12; turns += 1) {
      await rig.time.advance(5);
    }
    const onDisk = ordersOnDisk(rig).length;
    expect(onDisk).toBeLessThan(30);
    await rig.crash();
    await rig.time.advance(10_000);
    const reply = await placeBasket(rig, resting(30));
    expect(reply.body.meta.counts.acknowledged).toBe(30);
    const made = rig.sandbox.kite.orders();
    const wanted = resting(30).map((_, index) => 144_000 + index * 50);
    expect(made.map(({ limitPaise }) => limitPaise).toSorted()).toEqual(wanted);
    const repeats = itemsOf(reply).filter(({ repeated }) => repeated);
    expect(repeats).toHaveLength(onDisk);
    for (const { order } of repeats) {
      expect((await orderOf(rig, order?.id ?? '')).status).toBe('working');
    }
  });
});
