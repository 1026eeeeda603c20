import { describe, expect, it } from 'vitest';
import { beginPlacing, BUY, loggedInRig, orderOf, place, placings, spoilPlacing } from './walk.ts';

const SLOW = { sandbox: { latencyMs: [500, 500] } } as const;

describe('stopping', () => {
  it('waits for an order that is under way, and keeps its outcome', async () => {
    await using rig = await loggedInRig(SLOW);
    const placing = beginPlacing(rig, BUY, 'under-way');
    await rig.time.advance(100);
    expect(placings(rig)).toHaveLength(1);
    let stopped = false;
    const stopping = Promise.resolve(rig.composed[Symbol.asyncDispose]()).then(() => {
      stopped = true;
    });
    await rig.time.advance(100);
    expect(stopped).toBe(false);
    const reply = await rig.time.settle(placing);
    expect([reply.status, reply.body.data.boundBy]).toEqual([201, 'id']);
    await rig.time.settle(stopping);
    await rig.restart();
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      brokerOrderId: reply.body.data.brokerOrderId,
    });
  });

  it('waits out an order whose answer never comes', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    const placing = beginPlacing(rig, BUY, 'lost');
    await rig.time.advance(100);
    const stopping = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    const reply = await rig.time.settle(placing);
    expect([reply.status, reply.body.data.status]).toEqual([202, 'uncertain']);
    await rig.time.settle(stopping);
  });

  it('takes no further order: 503, and nothing is sent', async () => {
    await using rig = await loggedInRig(SLOW);
    const placing = beginPlacing(rig, BUY, 'under-way');
    await rig.time.advance(100);
    const stopping = Promise.resolve(rig.composed[Symbol.asyncDispose]());
    const late = await place(rig, BUY, 'too-late');
    expect([late.status, late.body.code]).toEqual([503, 'order_not_sent']);
    expect(late.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    await rig.time.settle(Promise.all([placing, stopping]));
    expect(placings(rig)).toHaveLength(1);
  });
});
