import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { hookRig } from './hooks.ts';
import { rigWithDisk } from './rig-with-disk.ts';
import { BUY, downUntil, loggedInRig, place, spoilPlacing, spoilReading } from './walk.ts';

describe('the overview', () => {
  it('names the orders that are uncertain, and none of another broker to a key that is confined', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    const { id } = (await place(rig, BUY, 'never')).body.data;
    const overview = async (headers: Record<string, string> = {}) =>
      (await rig.call({ method: 'GET', path: '/api/v1/overview', headers })).body.data;
    const { key } = rig.composed.callers.add({ name: 'on paper', scope: 'read', broker: 'paper' });
    const ofPaper = await overview({ authorization: `Bearer ${key.reveal()}` });
    expect(ofPaper).toMatchObject({ trading: 'paper', openOrders: 0, needs: [] });
    const all = await overview();
    expect(all).toMatchObject({ trading: 'live', account: { broker: 'alt' }, openOrders: 1 });
    expect(all.needs.map((need: { orderId: string }) => need.orderId)).toEqual([id]);
  });

  it('names an order of an earlier day that needs a person, with its day, also after a restart', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    spoilReading(rig, 'error_before', '/orders');
    const { id } = (await place(rig, BUY, 'never')).body.data;
    for (const at of ['2026-11-09T08:00:00+05:30', '2026-11-10T08:00:00+05:30']) {
      await downUntil(rig, at);
      await rig.time.advance(60_000);
      const { data } = (await rig.get('/api/v1/overview')).body;
      expect(data.openOrders).toBe(1);
      expect(data.needs).toContainEqual({
        ...{ what: 'order', broker: 'alt', orderId: id, id },
        detail: expect.stringMatching(
          /^BUY 10 NSE:INFY at alt of .*6 Nov.* is disputed.*resolve it$/,
        ),
      });
    }
  });

  it('says what the next order comes to: at night, on a nearly full disk, and with a key that is stopped', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const overview = async (headers: Record<string, string> = {}) =>
      (await rig.call({ method: 'GET', path: '/api/v1/overview', headers })).body.data;
    const { key, caller } = rig.composed.callers.add({ name: 'one', scope: 'trade' });
    const headers = { authorization: `Bearer ${key.reveal()}` };
    expect(await overview(headers)).toMatchObject({ trading: 'live', accepts: 'any' });
    rig.composed.callers.setStop(caller.id, { reason: 'enough', by: 'admin' });
    expect(await overview(headers)).toMatchObject({ trading: 'ways_out', accepts: 'ways_out' });
    expect(await overview()).toMatchObject({ trading: 'live', accepts: 'any' });
    await rig.time.advanceTo('2026-11-06T15:29:59+05:30');
    expect(await overview()).toMatchObject({ accepts: 'any', ordersFrom: null });
    await rig.time.advanceTo('2026-11-06T15:45:00+05:30');
    expect((await place(rig, BUY, 'late')).body.code).toBe('market_closed');
    expect(await overview()).toMatchObject({
      ...{ trading: 'live', accepts: 'after_market' },
      ordersFrom: '2026-11-09T09:00:00.000+05:30',
    });
    disk().leave('reserve');
    await rig.time.advance(60_000);
    expect(await overview()).toMatchObject({ trading: 'ways_out', accepts: 'ways_out' });
  });

  it('names a refused signal after a restart, to its own key and to an admin', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    expect((await hook.post('not JSON')).status).toBe(400);
    await rig.restart();
    const needsOf = async (headers: Record<string, string> = {}) =>
      (await rig.call({ method: 'GET', path: '/api/v1/overview', headers })).body.data.needs.filter(
        ({ what }: { what: string }) => what === 'signal',
      );
    expect(await needsOf()).toMatchObject([{ id: expect.stringMatching(/^sig_/) }]);
    expect(await needsOf({ authorization: `Bearer ${hook.token}` })).toHaveLength(1);
    const { key } = rig.composed.callers.add({ name: 'another', scope: 'read' });
    expect(await needsOf({ authorization: `Bearer ${key.reveal()}` })).toEqual([]);
    await rig.time.advance(86_400_000);
    expect(await needsOf()).toEqual([]);
  });
});

/** What the overview says once orders have met the outage, so that the gateway sends none there any more. */
async function duringOutage(rig: Rig) {
  rig.sandbox.faults.add({ broker: 'kite', kind: 'refuse' });
  for (let tries = 0; tries < 10; tries += 1) {
    await place(rig, { ...BUY, mode: 'live' }, `meets it ${tries}`);
    const { data } = (await rig.get('/api/v1/overview')).body;
    if (data.trading !== 'live') return data;
  }
  throw new Error('the outage was not noticed');
}

describe('the overview during an outage of the live broker', () => {
  it('says that orders go nowhere, as they do, and never that they go to paper', async () => {
    await using rig = await loggedInRig();
    const data = await duringOutage(rig);
    const { status, body } = await place(rig, BUY, 'in the outage');
    expect([status, body.mayHaveExecuted]).toEqual([503, false]);
    expect(data).toMatchObject({ trading: 'none', accepts: 'none', account: null });
    expect(data.sentence).toMatch(
      /^No: alt takes no orders now \(.*\)\. An outage sends no order to paper: only one that names paper goes there\.$/,
    );
    rig.sandbox.faults.clear();
    await rig.time.advance(60_000);
    expect((await rig.get('/api/v1/overview')).body.data).toMatchObject({ trading: 'live' });
  });

  it('says that they go to paper where the settings say so', async () => {
    await using rig = await loggedInRig({ environment: { APP_PAPER_ON_OUTAGE: 'true' } });
    const data = await duringOutage(rig);
    expect(data).toMatchObject({ trading: 'paper', account: { broker: 'paper' } });
    expect(data.sentence).toMatch(/^Only on paper: alt takes no orders now/);
    expect((await place(rig, BUY, 'in the outage')).body.data.broker).toBe('paper');
  });
});
