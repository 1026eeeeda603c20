import { describe, expect, it } from 'vitest';
import { BUY, downUntil, orderOf, pinnedRig, place, RESTING } from './walk.ts';

describe('an order on paper whose day ended while the gateway was down', () => {
  it.each(['2026-11-07T09:00:00+05:30', '2026-11-09T10:00:00+05:30'])(
    'is what the paper account says, at a start at %s',
    async (at) => {
      await using rig = await pinnedRig();
      const placed = await place(rig, { ...RESTING, broker: 'paper' }, 'rests');
      expect(placed.body.data.status).toBe('working');
      await downUntil(rig, at);
      await rig.time.advance(5_000);
      expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
        status: 'cancelled',
        filledQuantity: 0,
        reason: 'the session ended before the order was filled',
      });
    },
  );

  it('has its fills, where it filled just before', async () => {
    await using rig = await pinnedRig();
    const reply = rig.begin({
      method: 'POST',
      path: '/api/v1/orders',
      json: { ...BUY, broker: 'paper' },
      headers: { 'idempotency-key': 'fills' },
    });
    const placed = await rig.time.settle(reply);
    expect(placed.body.data).toMatchObject({ status: 'filled', filledQuantity: 10 });
    await downUntil(rig, '2026-11-09T10:00:00+05:30');
    await rig.time.advance(5_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
    });
  });
});
