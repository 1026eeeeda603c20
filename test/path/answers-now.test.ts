import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import {
  BUY,
  loggedInRig,
  modify,
  orderOf,
  pinnedRig,
  place,
  RESTING,
  spoilReading,
} from './walk.ts';

/** The id of a resting order that the book has shown. */
async function resting(rig: Rig): Promise<string> {
  const placed = await place(rig, RESTING, 'resting');
  await rig.time.advance(2_000);
  return placed.body.data.id;
}

describe('the answer to a modification that the broker has accepted', () => {
  it('has the new price and quantity, also while the book cannot be read', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilReading(rig, 'error_before', '/orders');
    const reply = await modify(rig, id, { price: 1_460, quantity: 12 });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ price: 1_460, quantity: 12, remainingQuantity: 12 });
  });

  it('has the same figures when the request is sent again', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilReading(rig, 'error_before', '/orders');
    const headers = { 'idempotency-key': 'lower' };
    const again = {
      method: 'PATCH',
      path: `/api/v1/orders/${id}`,
      json: { price: 1_460 },
      headers,
    };
    await rig.call(again);
    const reply = await rig.call(again);
    expect(reply.headers['idempotent-replayed']).toBe('true');
    expect(reply.body.data).toMatchObject({ price: 1_460 });
  });

  it('has the new type, and so have the reads once the row shows it', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    const reply = await modify(rig, id, { orderType: 'SL', price: 1_600, triggerPrice: 1_590 });
    const terms = { orderType: 'SL', price: 1_600, triggerPrice: 1_590 };
    expect(reply.body.data).toMatchObject(terms);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, id)).toMatchObject(terms);
    const { body } = await rig.get('/api/v1/orders');
    expect(body.data).toMatchObject([terms]);
  });

  it('keeps the old price while it is not known whether the broker has taken the new one', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilReading(rig, 'error_before', '/orders');
    const match = { method: 'PUT' };
    rig.sandbox.faults.add({ broker: 'kite', kind: 'hang_after', match, times: 1 });
    const reply = await modify(rig, id, { price: 1_460 });
    expect([reply.status, reply.body.data.price]).toEqual([202, 1_470]);
  });
});

describe('the answer to a paper order', () => {
  it('is filled where a market order has filled', async () => {
    await using rig = await pinnedRig();
    const { status, body } = await place(rig, BUY, 'market');
    expect([status, body.meta.broker]).toEqual([201, 'paper']);
    expect(body.data).toMatchObject({ status: 'filled', filledQuantity: 10, remainingQuantity: 0 });
    expect(body.data.averagePrice).toBeGreaterThan(0);
  });

  it('is working where a limit order waits for its price', async () => {
    await using rig = await pinnedRig();
    const { body } = await place(rig, RESTING, 'limit');
    expect(body.data).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('is filled for an order above the freeze quantity, with each of its slices', async () => {
    await using rig = await pinnedRig({ environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' } });
    const { body } = await place(rig, BUY, 'slices');
    expect(body.data).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });
});
