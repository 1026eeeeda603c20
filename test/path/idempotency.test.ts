import { describe, expect, it } from 'vitest';
import { beginPlacing, BUY, loggedInRig, place, placings, spoilPlacing } from './walk.ts';

describe('an idempotency key', () => {
  it('used twice for one request makes one order at the broker', async () => {
    await using rig = await loggedInRig();
    const first = await place(rig, BUY, 'once');
    const second = await place(rig, BUY, 'once');
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
    await rig.time.advance(60_000);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });

  it('used twice at the same moment makes one order', async () => {
    await using rig = await loggedInRig({ sandbox: { latencyMs: [300, 300] } });
    const both = await rig.time.settle(
      Promise.all([beginPlacing(rig, BUY, 'together'), beginPlacing(rig, BUY, 'together')]),
    );
    expect(new Set(both.map(({ body }) => body.data.id)).size).toBe(1);
    expect(placings(rig)).toHaveLength(1);
  });

  it('used again while the outcome is open answers the same order, and sends nothing', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    const first = await place(rig, BUY, 'open');
    await rig.time.advance(10_000);
    const second = await place(rig, BUY, 'open');
    expect([second.status, second.body.data.id]).toEqual([202, first.body.data.id]);
    expect(placings(rig)).toHaveLength(1);
  });

  it('used again after a restart answers the order that it made', async () => {
    await using rig = await loggedInRig();
    const first = await place(rig, BUY, 'kept');
    await rig.restart();
    const second = await place(rig, BUY, 'kept');
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });

  it('of a request that was refused before it was sent is still free', async () => {
    await using rig = await loggedInRig();
    const wrong = await place(rig, { ...BUY, quantity: 0 }, 'free');
    expect(wrong.status).toBe(400);
    expect((await place(rig, BUY, 'free')).status).toBe(201);
  });

  it.each([
    ['quantity', { quantity: 11 }],
    ['side', { side: 'SELL' }],
    ['instrument', { instrument: 'NSE:SBIN' }],
    ['product', { product: 'INTRADAY' }],
    ['broker', { broker: 'alt' }],
    ['tag', { tag: 'mine' }],
  ])('used for a request of another %s is a conflict, and sends nothing', async (_what, other) => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'taken');
    const reply = await place(rig, { ...BUY, ...other }, 'taken');
    expect([reply.status, reply.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(reply.body.retrySafe).toBe(false);
    expect(placings(rig)).toHaveLength(1);
  });
});
