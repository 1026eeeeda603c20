import { expect, it } from 'vitest';
import { loggedInRig, orderOf, place, RESTING } from './walk.ts';

it('an order that was rejected later, and of which nobody knows how much has filled, is not told as not placed', async () => {
  let isRejected = false;
  await using rig = await loggedInRig({
    alter({ method, url }, body) {
      if (!isRejected || method !== 'GET') return body;
      const { pathname } = new URL(url);
      if (pathname !== '/orders' && pathname !== '/trades') return body;
      const { data, ...rest } = JSON.parse(body) as { data: Record<string, unknown>[] };
      // A trade that cannot be read whole may be this order's: nothing settles it.
      if (pathname === '/trades') return JSON.stringify({ ...rest, data: [{ trade_id: '7' }] });
      const rows = data.map((row) => ({ ...row, status: 'REJECTED', filled_quantity: 99 }));
      return JSON.stringify({ ...rest, data: rows });
    },
  });
  const order = { ...RESTING, broker: 'alt' };
  const placed = await place(rig, order, 'one');
  expect(placed.status).toBe(201);
  await rig.time.advance(3_000);
  isRejected = true;
  await rig.time.advance(10_000);
  expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
    status: 'rejected',
    filledQuantity: null,
  });
  const { body, text } = await place(rig, order, 'one');
  // Today: 422 order_refused, "Refused, and known not to be placed", mayHaveExecuted: false, retrySafe: true.
  expect([body.code, body.mayHaveExecuted], text).not.toEqual(['order_refused', false]);
});
