import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database.ts';
import { systemIds } from '../../../src/platform/ids.ts';
import { lyingBroker, midday, rowAt, tradingWith } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';

/** A gateway whose first order is in the book; then one that knows nothing of it, as from a backup. */
async function restored() {
  const time = midday();
  const broker = lyingBroker(time);
  const before = await tradingWith(time, [broker]);
  await before.place();
  const row = rowAt(time, { tags: [broker.placed[0]!.tag] });
  broker.rows = [row];
  await time.advance(2_000);
  await time.settle(Promise.resolve(before.execution[Symbol.asyncDispose]()));
  const gateway = await tradingWith(time, [broker], openDatabase(':memory:'));
  const place = () => gateway.place().then(({ state }) => state.kind, String);
  const critical = () => gateway.alerts().filter(({ level }) => level === 'critical');
  return { time, broker, row, before, gateway, place, critical };
}

/** The lost order has sold 10 of the 20 that were held. */
async function restoredAfterSale() {
  const rig = await restored();
  const { time, broker, row, gateway } = rig;
  broker.rows = [{ ...row, side: 'SELL', status: 'filled', filledQuantity: row.quantity }];
  broker.positions = [position({ quantity: 10, sellQuantity: row.quantity })];
  gateway.execution.wake('alt');
  await time.advance(10_000);
  return rig;
}

describe('a row with a tag of this data directory that its journal does not know', () => {
  it('engages the kill switch before the first order is sent', async () => {
    const { broker, gateway, place, critical } = await restored();
    expect(await place()).toContain('kill switch is engaged');
    expect(broker.placed).toHaveLength(1);
    expect(critical()).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/does not know: b1\. .*backup/) }),
    ]);
    expect(gateway.execution.killSwitch()).toMatchObject({ engaged: true, changedBy: null });
  });

  it('lets exits and cancels pass', async () => {
    const { time, broker, gateway, place } = await restored();
    broker.positions = [position({ quantity: 10 })];
    gateway.execution.wake('alt');
    await time.advance(10_000);
    await place();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    const exit = await gateway.place({ side: 'SELL' });
    expect(exit.state.kind).toBe('working');
    await time.advance(1_000);
    await gateway.cancel(exit.id);
    expect(broker.cancels).toEqual(['b2']);
  });

  it('stops an exit that may be the lost order, sent again under its key', async () => {
    const { broker, gateway } = await restoredAfterSale();
    await expect(gateway.place({ side: 'SELL' })).rejects.toThrow(/b1.* may be a repeat/);
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    expect((await gateway.place({ side: 'SELL', quantity: 9 })).state.kind).toBe('working');
    expect(broker.placed).toHaveLength(2);
  });

  it('lets that exit pass with force, and says who sent it', async () => {
    const { time, broker, gateway } = await restoredAfterSale();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    const command = { ...gateway.commandOf({ side: 'SELL' }), forcedBy: 'admin' };
    const { order } = await time.settle(gateway.execution.place(command));
    expect(order.state.kind).toBe('working');
    expect(gateway.alerts().at(-1)?.message).toMatch(/with force.*b1.* may be a repeat/);
  });

  it('is told of once: when a person has released the switch, orders go out', async () => {
    const { time, broker, gateway, place, critical } = await restored();
    await place();
    const released = { engaged: false, reason: null, changedBy: 'someone' };
    await time.settle(gateway.execution.setKillSwitch(released));
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    expect(await place()).toBe('working');
    await time.advance(10_000);
    expect(critical()).toHaveLength(1);
  });

  it('is noticed on a copy of the directory, too: each gateway sees what the other places', async () => {
    const { time, broker, row, gateway } = await restored();
    broker.rows = [];
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    await gateway.place();
    expect(gateway.execution.killSwitch()).toBeNull();
    broker.rows = [rowAt(time, { brokerOrderId: 'b2', tags: [broker.placed[1]!.tag] }), row];
    await time.advance(2_000);
    expect(gateway.execution.killSwitch()?.engaged).toBe(true);
  });

  it('is told of many in one alert', async () => {
    const { time, broker, place, critical } = await restored();
    broker.rows = Array.from({ length: 9 }, (_, number) =>
      rowAt(time, { brokerOrderId: `r${number}`, tags: [systemIds.tag(time.now(), 'Mark')] }),
    );
    await place();
    expect(critical().map(({ message }) => message)).toEqual([
      expect.stringContaining('r0, r1, r2, r3, r4, and 4 more'),
    ]);
  });
});

describe('no evidence of lost orders', () => {
  it.each([
    ['a tag of another program', 'strategy-alpha-00001'],
    [
      'a tag of another gateway, with a data directory of its own',
      systemIds.tag(0 as never, 'Else'),
    ],
    ['a tag of an earlier version, which has no mark', systemIds.tag(0 as never)],
    ['a longer tag with the mark in its place', '00000000Markxxxxxxxxx'],
  ])('is %s', async (_what, tag) => {
    const { time, broker, place } = await restored();
    broker.rows = [rowAt(time, { brokerOrderId: 'f1', tags: [tag] })];
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    expect(await place()).toBe('working');
  });

  it('are its own orders, after a restart', async () => {
    const { time, broker, before } = await restored();
    await before.restart();
    broker.place = () => ({ kind: 'acknowledged', brokerOrderId: 'b2' });
    await before.place({ price: 1_400 });
    await time.advance(5_000);
    expect(before.execution.killSwitch()).toBeNull();
  });
});
