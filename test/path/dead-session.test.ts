import { expect, it } from 'vitest';
import { BUY, loggedInRig, place, placings } from './walk.ts';

it('the first order after a session has died unnoticed is refused, and the next one goes to paper', async () => {
  await using rig = await loggedInRig();
  rig.sandbox.kite.killTokens();
  const first = await place(rig, BUY, 'first');
  expect([first.status, first.body.order.status, first.body.mayHaveExecuted]).toEqual([
    ...[422, 'rejected', false],
  ]);
  const next = await place(rig, BUY, 'next');
  expect([next.status, next.body.data.broker, next.body.data.mode]).toEqual([
    ...[201, 'paper', 'paper'],
  ]);
  const live = await place(rig, { ...BUY, mode: 'live' }, 'live only');
  expect(live.body.mayHaveExecuted).toBe(false);
  expect(live.status).toBeGreaterThanOrEqual(400);
  expect(placings(rig)).toHaveLength(1);
  expect(rig.sandbox.kite.orders()).toEqual([]);
});
