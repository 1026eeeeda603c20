import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { cancel, loggedInRig, modify, orderOf, place, RESTING, spoilReading } from './walk.ts';

const AFTER_MARKET = { ...RESTING, amo: true } as const;

/** Requests at the alternative broker that change an order, oldest first. */
const changes = (rig: Rig): string[] =>
  rig.sent
    .filter(({ method }) => method === 'PUT' || method === 'DELETE')
    .map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/\d+$/, ':id')}`);

const beforeTheSession = (): Promise<Rig> => loggedInRig({ start: '2026-11-06T08:30:00+05:30' });

/** Places an order that waits at the broker; resolves with its id. */
async function placeWaiting(rig: Rig): Promise<string> {
  const placed = await place(rig, AFTER_MARKET, 'waiting');
  await rig.time.advance(60_000);
  return placed.body.data.id;
}

describe('an after-market order', () => {
  it('is changed and cancelled as one while it waits', async () => {
    await using rig = await beforeTheSession();
    const id = await placeWaiting(rig);
    expect((await modify(rig, id, { price: 1_460 })).status).toBe(200);
    await rig.time.advance(60_000);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working', price: 1_460 });
    expect((await cancel(rig, id)).status).toBe(202);
    await rig.time.advance(60_000);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED AMO');
    expect(await orderOf(rig, id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    expect(changes(rig)).toEqual(['PUT /orders/amo/:id', 'DELETE /orders/amo/:id']);
  });

  it('is cancelled as an ordinary one after a crash in the session', async () => {
    await using rig = await beforeTheSession();
    const id = await placeWaiting(rig);
    await rig.time.advanceTo('2026-11-06T09:17:00+05:30');
    await rig.crash();
    spoilReading(rig, 'error_before', '/orders');
    await cancel(rig, id);
    expect(changes(rig)).toEqual(['DELETE /orders/regular/:id']);
  });

  it('is cancelled as an ordinary one by a gateway that was away at the opening', async () => {
    await using rig = await beforeTheSession();
    const id = await placeWaiting(rig);
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    await rig.time.advanceTo('2026-11-06T09:17:00+05:30');
    await rig.restart();
    expect((await cancel(rig, id)).status).toBe(202);
    expect(changes(rig)).toEqual(['DELETE /orders/regular/:id']);
    await rig.time.advance(10_000);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'cancelled' });
  });

  it('is changed and cancelled as an ordinary one once the exchange has it', async () => {
    await using rig = await beforeTheSession();
    const id = await placeWaiting(rig);
    await rig.time.advanceTo('2026-11-06T09:17:00+05:30');
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('OPEN');
    expect((await modify(rig, id, { price: 1_460 })).status).toBe(200);
    await rig.time.advance(10_000);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working', price: 1_460 });
    expect((await cancel(rig, id)).status).toBe(202);
    await rig.time.advance(10_000);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED');
    expect(await orderOf(rig, id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    expect(changes(rig)).toEqual(['PUT /orders/regular/:id', 'DELETE /orders/regular/:id']);
  });
});
