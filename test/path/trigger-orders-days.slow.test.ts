import { describe, expect, it } from 'vitest';
import { quantitiesOf, reach, withTrigger } from './fired-trigger.ts';
import { alertsOf, STOP, triggerOf } from './trigger-walk.ts';
import { downUntil } from './walk.ts';

const MONDAY = '2026-11-09T10:00:00+05:30';

describe('the order of a trigger, over restarts and days', () => {
  it('stays that of its key after a crash, the next day, and once its day has left memory', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    reach(rig);
    await rig.time.advance(60_000);
    await rig.crash();
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    for (const at of [MONDAY, '2026-12-14T10:00:00+05:30', '2026-12-15T10:00:00+05:30']) {
      await downUntil(rig, at);
      expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    }
  });

  it('counts on the day on which it traded, however long ago the trigger was placed', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    await downUntil(rig, '2026-12-14T10:00:00+05:30');
    rig.sandbox.exchange.setPrice('NSE:INFY', 150_000);
    await rig.logIn();
    reach(rig);
    await rig.time.advance(60_000);
    for (const again of [false, true]) {
      if (again) await rig.restart();
      const { body } = await rig.get(`/api/v1/keys/${key}/positions`);
      expect(body.data.positions).toMatchObject([{ quantity: -10, day: { sellQuantity: 10 } }]);
    }
  });

  it('that was placed while the gateway was down is found in the book of the day', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    reach(rig);
    await rig.time.advance(60_000);
    await rig.restart();
    await rig.time.advance(60_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('whose book is gone leaves its key in doubt, with one critical alert, also after a restart', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    reach(rig);
    await rig.time.advanceTo(MONDAY);
    await rig.restart();
    await rig.logIn();
    await rig.time.advance(120_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [id] });
    expect((await triggerOf(rig, id)).legs[0].filledQuantity).toBeNull();
    const told = (await alertsOf(rig)).filter((text) => text.includes(`trigger ${id} has placed`));
    expect(told).toHaveLength(1);
    await downUntil(rig, '2026-12-14T10:00:00+05:30');
    expect((await quantitiesOf(rig, key)).uncertainOrders).toEqual([id]);
  });

  it('whose book is gone has filled what a person says, and that alone', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    const say = (body: object) => rig.post(`/api/v1/triggers/${id}/resolve`, body);
    expect((await say({ filled: 10 })).body.code).toBe('order_state');
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    reach(rig);
    await rig.time.advanceTo(MONDAY);
    await rig.restart();
    await rig.logIn();
    await rig.time.advance(120_000);
    expect((await say({ filled: 11 })).body).toMatchObject({ code: 'order_state' });
    const said = await say({ filled: 10, averagePrice: 1_449.7 });
    expect([said.status, said.body.data.legs[0]]).toEqual([
      200,
      expect.objectContaining({ filledQuantity: 10, averagePrice: 1_449.7 }),
    ]);
    await rig.crash();
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    expect((await say({ filled: 9 })).body.code).toBe('order_state');
  });

  it('is none where a person says that a trigger which the list has lost has filled nothing', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    rig.sandbox.kite.hideTrigger(rig.sandbox.kite.triggers()[0]?.id ?? '', 10 * 60_000);
    await rig.time.advance(180_000);
    const said = await rig.post(`/api/v1/triggers/${id}/resolve`, { filled: 0 });
    expect(said.status).toBe(200);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
  });

  it('of a trigger that the list has lost is in doubt: it may have triggered', async () => {
    await using made = await withTrigger(STOP);
    const { rig, key, id } = made;
    rig.sandbox.kite.hideTrigger(rig.sandbox.kite.triggers()[0]?.id ?? '', 10 * 60_000);
    await rig.time.advance(180_000);
    expect((await triggerOf(rig, id)).status).toBe('ended');
    expect((await quantitiesOf(rig, key)).uncertainOrders).toEqual([id]);
  });
});
