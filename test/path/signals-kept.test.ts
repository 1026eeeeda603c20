import { describe, expect, it } from 'vitest';
import { failingJournal } from '../support/failing-database.ts';
import { journalEvents } from '../support/journal-events.ts';
import { acceptedOnly, addHook, alertAt, hookRig, ordersOf, signalsOf } from './hooks.ts';
import { loggedInRig, placings } from './walk.ts';

const LIVE = { key: { mode: 'live' }, hook: { mode: 'live' } };

describe('a signal over which the gateway was killed', () => {
  it('before its order left is followed after a quick start, once', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const signal = await acceptedOnly(rig);
    await rig.crash();
    await rig.time.advance(3_000);
    const found = (await signalsOf(rig)).find((each: { id: string }) => each.id === signal.id);
    expect(found).toMatchObject({ state: 'placed' });
    expect(placings(rig)).toHaveLength(2);
    await rig.crash();
    await rig.time.advance(3_000);
    expect(placings(rig)).toHaveLength(2);
  });

  it('is not followed long after it came; a person is told, and a repeat places nothing', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const signal = await acceptedOnly(rig);
    await rig.time.advance(61_000);
    await rig.crash();
    await rig.time.advance(3_000);
    const found = (await signalsOf(rig)).find((each: { id: string }) => each.id === signal.id);
    expect(found).toMatchObject({
      state: 'refused',
      orders: [{ problem: { code: 'order_not_sent' } }],
    });
    expect(placings(rig)).toHaveLength(1);
    const alerts = journalEvents(rig.dataDirectory, 'alert').map(({ data }) =>
      String(data.message),
    );
    expect(alerts.filter((each) => each.includes(signal.id))).toHaveLength(1);
    expect(journalEvents(rig.dataDirectory, 'signal.refused')).toHaveLength(1);
  });

  it('after its order was on disk has that order, and no second one', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const { signals } = rig.composed.execution;
    const [placed] = await signals.newest({ caller: null, state: null, before: null, limit: 1 });
    const orders = placed!.orders.map((order) => ({ ...order, orderId: null }));
    await rig.time.settle(signals.write({ ...placed!, orders }, { event: null, alert: null }));
    const [known] = await signalsOf(rig);
    expect(known?.orders[0].orderId).toBe(placed!.orders[0]!.orderId);
    await rig.time.advance(120_000);
    await rig.crash();
    await rig.time.advance(3_000);
    const [found] = await signalsOf(rig);
    expect(found).toMatchObject({ state: 'placed' });
    expect(found?.orders[0].orderId).toBe(placed!.orders[0]!.orderId);
    expect(placings(rig)).toHaveLength(1);
  });

  it('after its order was not sent, says so', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    const spoiled = { match: { method: 'POST', path: '/orders' }, times: 1 };
    rig.sandbox.faults.add({ broker: 'kite', kind: 'refuse', ...spoiled });
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const { signals } = rig.composed.execution;
    const [refused] = await signals.newest({ caller: null, state: null, before: null, limit: 1 });
    const known = refused!.orders.map((order) => ({ ...order, orderId: null, problem: null }));
    await rig.time.settle(
      signals.write({ ...refused!, orders: known }, { event: null, alert: null }),
    );
    const said = { state: 'refused', orders: [{ problem: { code: 'order_not_sent' } }] };
    expect((await signalsOf(rig))[0]).toMatchObject(said);
    const events = journalEvents(rig.dataDirectory, 'signal.refused').length;
    await rig.crash();
    await rig.time.advance(3_000);
    const [found] = await signalsOf(rig);
    expect(found).toMatchObject(said);
    expect(found?.orders[0].orderId).toBe(refused!.orders[0]!.orderId);
    expect(journalEvents(rig.dataDirectory, 'signal.refused')).toHaveLength(events + 1);
    expect(placings(rig)).toHaveLength(1);
  });

  it('is not followed by a clock that was set back', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const signal = await acceptedOnly(rig);
    rig.time.stepWall(-3_600_000);
    await rig.crash();
    await rig.time.advance(3_000);
    const found = (await signalsOf(rig)).find((each: { id: string }) => each.id === signal.id);
    expect(found).toMatchObject({ state: 'refused' });
    expect(placings(rig)).toHaveLength(1);
  });
});

describe('a signal while the disk takes nothing', () => {
  it('is answered 503 with nothing placed, and taken when it comes again', async () => {
    const journal = failingJournal();
    await using rig = await loggedInRig({
      overrides: { openDatabase: journal.openDatabase },
    });
    const hook = await addHook(rig, LIVE);
    const alert = alertAt(rig);
    journal.disk().fail();
    const full = await hook.post(alert);
    expect([full.status, full.body.code]).toEqual([503, 'journal_unavailable']);
    expect(full.body.mayHaveExecuted).toBe(false);
    journal.disk().heal();
    await rig.time.advance(5_000);
    expect(placings(rig)).toEqual([]);
    expect((await hook.post(alert)).status).toBe(202);
    await rig.time.advance(2_000);
    expect(await ordersOf(rig)).toHaveLength(1);
    expect(placings(rig)).toHaveLength(1);
  });

  it('is refused while the disk is nearly full', async () => {
    await using both = await hookRig(LIVE);
    const { rig, hook } = both;
    rig.composed.execution.state.disk.isLow = true;
    const reply = await hook.post(alertAt(rig));
    expect([reply.status, reply.body.code]).toEqual([503, 'disk_full']);
    expect(reply.body.detail).toContain('nothing was placed');
    expect(placings(rig)).toEqual([]);
  });
});
