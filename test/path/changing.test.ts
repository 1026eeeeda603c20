import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import {
  BUY,
  cancel,
  loggedInRig,
  modify,
  orderOf,
  pinnedRig,
  place,
  RESTING,
  spoilPlacing,
} from './walk.ts';

const cancels = (rig: Rig): number => rig.sent.filter(({ method }) => method === 'DELETE').length;

describe('a working order', () => {
  it('is cancelled with nothing filled', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    // Taken by the broker, and open until its row says so.
    expect((await cancel(rig, placed.body.data.id)).status).toBe(202);
    await rig.time.advance(3_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'cancelled',
      filledQuantity: 0,
    });
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED');
  });

  it('that is cancelled on its way to the exchange is cancelled once it is there', async () => {
    await using rig = await loggedInRig({ sandbox: { orderStepMs: [4_000, 4_000] } });
    const placed = await place(rig, RESTING, 'on its way');
    const reply = await cancel(rig, placed.body.data.id);
    expect([reply.status, reply.body.data.status]).toEqual([202, 'working']);
    await rig.time.advance(60_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'cancelled' });
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED');
  });

  it.each([
    ['rate_limited', {}],
    ['refuse', {}],
  ] as const)('whose cancel is kept is not said to stand as it was: %s', async (kind, params) => {
    await using rig = await loggedInRig({ sandbox: { orderStepMs: [4_000, 4_000] } });
    const placed = await place(rig, RESTING, 'on its way');
    await cancel(rig, placed.body.data.id);
    rig.sandbox.faults.add({
      broker: 'kite',
      kind,
      match: { method: 'DELETE' },
      times: 1,
      params,
    });
    expect((await cancel(rig, placed.body.data.id)).status).toBe(202);
    await rig.time.advance(60_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'cancelled' });
  });

  it('that cannot be cancelled yet is asked about ever more seldom', async () => {
    await using rig = await loggedInRig({ sandbox: { orderStepMs: [200_000, 200_000] } });
    const placed = await place(rig, RESTING, 'on its way');
    await cancel(rig, placed.body.data.id);
    await rig.time.advance(120_000);
    // At 0, and 1, 2, 4 … 32 seconds after the one before, and then a minute.
    expect(cancels(rig)).toBe(7);
  });

  it('is modified, and shows what the broker made of it', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    const reply = await modify(rig, placed.body.data.id, { price: 1_460, quantity: 12 });
    expect(reply.status).toBe(200);
    await rig.time.advance(3_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'working',
      price: 1_460,
      quantity: 12,
    });
    expect(rig.sandbox.kite.orders()[0]).toMatchObject({ limitPaise: 146_000, quantity: 12 });
  });

  it('stands as it was after a modification that the broker refuses', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    const reply = await modify(rig, placed.body.data.id, { price: 3_000 });
    expect([reply.status, reply.body.code]).toEqual([422, 'change_refused']);
    await rig.time.advance(3_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'working',
      price: 1_470,
    });
  });

  it('whose cancel gets no answer is told by its row', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    const match = { method: 'DELETE' };
    rig.sandbox.faults.add({ broker: 'kite', kind: 'hang_after', match, times: 1 });
    const reply = await cancel(rig, placed.body.data.id);
    expect(reply.body.data.status).toBe('cancelled');
    expect(cancels(rig)).toBe(1);
  });

  it('at the paper account is cancelled like any other', async () => {
    await using rig = await pinnedRig();
    const placed = await place(rig, RESTING, 'resting');
    expect(placed.body.meta.broker).toBe('paper');
    await rig.time.advance(2_000);
    const reply = await cancel(rig, placed.body.data.id);
    expect(reply.body.data).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
  });
});

describe('an uncertain order', () => {
  /** Placed, its answer lost, and its row late: uncertain for half a minute. */
  async function uncertain(rig: Rig): Promise<string> {
    spoilPlacing(rig, 'hang_after');
    spoilPlacing(rig, 'late_rows', { params: { delayMs: 30_000 } });
    const placed = await place(rig, RESTING, 'uncertain');
    expect(placed.body.data.status).toBe('uncertain');
    return placed.body.data.id;
  }

  it('keeps a cancel, and is cancelled when it is found', async () => {
    await using rig = await loggedInRig();
    const id = await uncertain(rig);
    expect((await cancel(rig, id)).status).toBe(202);
    await rig.time.advance(10_000);
    expect(cancels(rig)).toBe(0);
    await rig.time.advance(30_000);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'cancelled', boundBy: 'tag' });
    expect(cancels(rig)).toBe(1);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED');
  });

  it('keeps a cancel over a crash', async () => {
    await using rig = await loggedInRig();
    const id = await uncertain(rig);
    await cancel(rig, id);
    await rig.crash();
    await rig.time.advance(60_000);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'cancelled' });
    expect(cancels(rig)).toBe(1);
  });

  it('is not modified', async () => {
    await using rig = await loggedInRig();
    const reply = await modify(rig, await uncertain(rig), { price: 1_460 });
    expect([reply.status, reply.body.code]).toEqual([409, 'order_state']);
  });
});

describe('an order that is over', () => {
  it('is neither cancelled nor modified, and nothing is sent', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, BUY, 'filled');
    await rig.time.advance(5_000);
    const before = rig.sent.length;
    const replies = [
      await cancel(rig, placed.body.data.id),
      await modify(rig, placed.body.data.id, { quantity: 20 }),
    ];
    expect(replies.map(({ body }) => body.code)).toEqual(['order_state', 'order_state']);
    expect(rig.sent.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
