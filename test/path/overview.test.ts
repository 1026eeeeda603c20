import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, place, spoilPlacing } from './walk.ts';

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
});
