import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { placeBasket, resting } from './baskets.ts';
import { BUY, loggedInRig, pinnedRig, place, spoilPlacing } from './walk.ts';

/** The `data` of all events of a type, oldest first. */
async function told(rig: Rig, type: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await rig.get(`/api/v1/events?after=0-0&type=${type}&limit=500`);
  expect(status).toBe(200);
  return body.data.map(({ data }: { data: Record<string, unknown> }) => data);
}

describe('events of what is in memory alone', () => {
  it('tell of a session that begins, ends at its hour and ends before it, and never of its token', async () => {
    await using rig = await pinnedRig({ start: '2026-11-06T08:00:00+05:30' });
    expect(await told(rig, 'session.changed')).toEqual([]);
    await rig.logIn();
    await rig.time.advance(1_000);
    const valid = { broker: 'alt', state: 'valid', userId: 'AB1234' };
    expect(await told(rig, 'session.changed')).toEqual([
      { ...valid, expiresAt: '2026-11-07T06:00:00.000+05:30' },
    ]);
    await rig.time.advanceTo('2026-11-07T06:00:10+05:30');
    const second = await told(rig, 'session.changed');
    expect(second.slice(1)).toEqual([
      { broker: 'alt', state: 'expired', userId: 'AB1234', expiresAt: null },
    ]);
    await rig.logIn();
    await rig.time.advance(60_000);
    rig.sandbox.kite.killTokens();
    await rig.get('/api/v1/positions?maxAgeMs=0');
    await rig.time.advance(60_000);
    const all = await told(rig, 'session.changed');
    expect(all.map(({ state }) => state)).toEqual(['valid', 'expired', 'valid', 'expired']);
    const sent = rig.sent.flatMap(({ headers }) => Object.values(headers));
    const tokens = sent.flatMap((each) => (each.startsWith('token ') ? each.split(':')[1] : []));
    expect(new Set(tokens).size).toBeGreaterThan(1);
    expect(tokens.filter((token) => JSON.stringify(all).includes(String(token)))).toEqual([]);
  });

  it('tell of a breaker that opens and closes, and of a broker that has no session', async () => {
    await using rig = await loggedInRig();
    await rig.time.advance(40_000);
    const before = (await told(rig, 'broker.changed')).length;
    spoilPlacing(rig, 'refuse', { times: 5 });
    for (let count = 0; count < 5; count += 1) await place(rig, BUY, `away-${count}`);
    await rig.time.advance(6_000);
    const open = await told(rig, 'broker.changed');
    expect(open.slice(before)).toEqual([
      {
        ...{ broker: 'alt', mode: 'live', available: false, cause: 'breaker' },
        reason: expect.any(String),
      },
    ]);
    expect((await place(rig, BUY, 'later')).status).toBeLessThan(600);
    await rig.time.advance(60_000);
    const closed = await told(rig, 'broker.changed');
    expect(closed.slice(before + 1)).toEqual([
      { broker: 'alt', mode: 'live', available: true, cause: null, reason: null },
    ]);
    rig.sandbox.kite.killTokens();
    await rig.get('/api/v1/positions?maxAgeMs=0');
    await rig.time.advance(40_000);
    const last = await told(rig, 'broker.changed');
    expect(last.at(-1)).toMatchObject({ available: false, cause: 'token' });
  });

  it('tell of a basket that begins and is over, with its orders', async () => {
    await using rig = await loggedInRig();
    expect((await placeBasket(rig, resting(2))).status).toBe(200);
    await rig.time.advance(1_000);
    const baskets = await told(rig, 'basket.updated');
    const { body } = await rig.get('/api/v1/orders');
    const idOf = (key: string): string =>
      body.data.find((order: { clientOrderId: string }) => order.clientOrderId === key).id;
    const orders = ['order-0', 'order-1'].map((key) => ({
      ...{ clientOrderId: key, orderId: idOf(key), reason: null },
    }));
    expect(baskets.map(({ basket }) => basket)).toEqual([
      {
        ...{ status: 'begun', ordered: false },
        orders: orders.map((order) => ({ ...order, orderId: null, status: null })),
      },
      {
        ...{ status: 'over', ordered: false },
        orders: orders.map((order) => ({ ...order, status: 'working' })),
      },
    ]);
    // The same again sends nothing, and neither does one that is only checked.
    await placeBasket(rig, resting(2));
    await placeBasket(rig, resting(3).slice(2), { dryRun: true });
    await rig.time.advance(1_000);
    expect(await told(rig, 'basket.updated')).toHaveLength(2);
  });
});
