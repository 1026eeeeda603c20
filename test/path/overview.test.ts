import { describe, expect, it } from 'vitest';
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
        ...{ what: 'order', broker: 'alt', orderId: id },
        detail: expect.stringMatching(
          /^BUY 10 NSE:INFY at alt of .*6 Nov.* is disputed.*resolve it$/,
        ),
      });
    }
  });
});
