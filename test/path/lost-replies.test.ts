import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { BUY, loggedInRig, orderOf, place, placings, spoilPlacing } from './walk.ts';

const lost: readonly (readonly [string, FaultKind])[] = [
  ['never comes', 'hang_after'],
  ['is 502', 'error_after'],
  ['is a failure with status 200', 'lying_2xx_after'],
  ['is a page', 'html_2xx_after'],
  ['is cut', 'cut_after'],
  ['ends in a reset', 'reset_after'],
  ['is 400 "timed out"', 'timeout_400'],
];

describe('an order that the broker has, and whose reply', () => {
  it.each(lost)('%s, is 202 and uncertain, and is then found by its tag', async (_what, kind) => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, kind);
    const reply = await place(rig, BUY, 'lost');
    expect([reply.status, reply.body.data.status]).toEqual([202, 'uncertain']);
    expect(reply.body.data).toMatchObject({ broker: 'alt', filledQuantity: null });
    await rig.time.advance(20_000);
    const [taken] = rig.sandbox.kite.orders();
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
      boundBy: 'tag',
      brokerOrderId: taken?.orderId,
    });
    expect(placings(rig)).toHaveLength(1);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });
});

describe('an order that the broker never had, after 502', () => {
  it('stays uncertain, says since when it is absent, and is not sent again', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    const reply = await place(rig, BUY, 'never');
    expect([reply.status, reply.body.data.status]).toEqual([202, 'uncertain']);
    await rig.time.advance(60_000);
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'uncertain',
      absentSince: null,
    });
    await rig.time.advance(240_000);
    const order = await orderOf(rig, reply.body.data.id);
    expect(order).toMatchObject({ status: 'uncertain', filledQuantity: null });
    expect(order.absentSince).toMatch(/^2026-11-06T11:0/);
    expect(placings(rig)).toHaveLength(1);
  });

  it('is called absent only in the evening, by a whole book that shows a later order', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    const reply = await place(rig, BUY, 'until-close');
    await rig.time.advance(60_000);
    await place(rig, BUY, 'later');
    await rig.time.advanceTo('2026-11-06T19:59:00+05:30');
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({ status: 'uncertain' });
    await rig.time.advanceTo('2026-11-06T20:02:00+05:30');
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'rejected',
      filledQuantity: 0,
    });
  });
});
