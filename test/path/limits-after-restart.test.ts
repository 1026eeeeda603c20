import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, place, RESTING, spoilPlacing } from './walk.ts';

/** What is left of the limit on order requests of the alternative broker, by the length of its windows in seconds. */
async function leftOf(rig: Rig): Promise<Record<number, number>> {
  const { body } = await rig.get('/api/v1/limits?broker=alt');
  const orders = body.data[0].buckets.find(({ name }: { name: string }) => name === 'orders');
  return Object.fromEntries(
    orders.windows.map(({ seconds, left }: Record<string, number>) => [seconds!, left!]),
  );
}

describe('what an earlier process has sent counts for the limits of the broker', () => {
  it('by the minute and by the day, whatever became of it: placings, changes and cancels', async () => {
    await using rig = await loggedInRig();
    const resting = await place(rig, RESTING, 'resting');
    await place(rig, BUY, 'filled');
    await cancel(rig, String(resting.body.data.id));
    spoilPlacing(rig, 'error_before');
    await place(rig, BUY, 'uncertain');
    expect(await leftOf(rig)).toMatchObject({ 60: 396, 86_400: 4_996 });
    await rig.crash();
    expect(await leftOf(rig)).toMatchObject({ 60: 396, 86_400: 4_996 });
  });

  it('until the minute is over, and the day', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'early');
    await rig.time.advance(40_000);
    await place(rig, BUY, 'late');
    await rig.restart();
    await rig.time.advance(30_000);
    expect(await leftOf(rig)).toMatchObject({ 60: 399, 86_400: 4_998 });
    await rig.time.advance(31_000);
    expect(await leftOf(rig)).toMatchObject({ 60: 400, 86_400: 4_998 });
  });

  it('but not what is known not to have left', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'sent');
    spoilPlacing(rig, 'refuse');
    expect((await place(rig, BUY, 'not sent')).body.code).toBe('order_not_sent');
    await rig.crash();
    expect(await leftOf(rig)).toMatchObject({ 60: 399, 86_400: 4_999 });
  });
});
