import { expect, it } from 'vitest';
import { requestOf, resting } from './baskets.ts';
import { beginPlacing, loggedInRig, RESTING } from './walk.ts';

it('an order that fails by itself is not told as not sent while a basket under way may still send it under its key', async () => {
  let connectingMs = 0;
  await using rig = await loggedInRig({ connectingMs: () => connectingMs });
  await rig.time.advance(10_000);
  connectingMs = 3_500;
  const turn = (engaged: boolean) =>
    rig.post('/api/v1/kill-switch', { engaged, reason: 'a moment of doubt' });
  // Eight leave at once; order-8 waits for its turn, and nothing has noted its key.
  const basket = rig.begin(requestOf(resting(9)));
  await rig.time.advance(500);
  await turn(true);
  const order = { ...RESTING, quantity: 1, price: 1_444 };
  const alone = beginPlacing(rig, order, 'order-8');
  await rig.time.advance(1_800);
  await turn(false);
  connectingMs = 0;
  const [reply, own] = await rig.time.settle(Promise.all([basket, alone]));
  expect(reply.status, reply.text).toBe(200);
  const isPlaced = rig.sandbox.kite.orders().some(({ limitPaise }) => limitPaise === 144_400);
  expect(isPlaced).toBe(true);
  // Today: 409 kill_switch, "Not sent; the key is free", mayHaveExecuted: false, retrySafe: true.
  expect([own.body.code, own.body.mayHaveExecuted], own.text).not.toEqual(['kill_switch', false]);
});
