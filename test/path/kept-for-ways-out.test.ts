import { describe, expect, it } from 'vitest';
import { beginPlacing, BUY, cancel, loggedInRig, orderOf, place, RESTING } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const EXIT = { ...BUY, side: 'SELL', quantity: 50, broker: 'alt' };
const ENTRIES = 100;

describe('a program that places more orders than the broker takes', () => {
  it('delays neither a cancel nor an exit, and both leave before its orders that wait', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'resting');
    await rig.time.advance(3_000);
    const entries = Array.from({ length: ENTRIES }, (_, index) =>
      beginPlacing(rig, { ...RESTING, price: 1_000 + index }, `entry-${index}`),
    );
    await rig.time.advance(50);
    const begun = rig.time.elapsed();
    const cancelled = await cancel(rig, String(body.data.id));
    const exit = await place(rig, EXIT, 'exit');
    expect([[200, 202].includes(cancelled.status), exit.status]).toEqual([true, 201]);
    expect(rig.time.elapsed() - begun).toBeLessThan(1_500);
    const waiting = rig.sandbox.kite.orders().filter(({ side }) => side === 'BUY').length;
    expect(waiting).toBeLessThan(ENTRIES / 2);
    await rig.time.advance(20_000);
    await Promise.all(entries);
    expect((await orderOf(rig, String(body.data.id))).status).toBe('cancelled');
  });
});
