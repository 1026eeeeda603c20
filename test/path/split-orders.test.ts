import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { loggedInRig, orderOf, place, placings, RESTING } from './walk.ts';

/** The broker splits the next order, which nobody has asked for: its parts have the order's tag. */
async function splittingRig(): Promise<{ readonly rig: Rig; readonly parts: readonly string[] }> {
  const parts: string[] = [];
  const rig: Rig = await loggedInRig({
    alter(request, body) {
      const isPlacing = request.method === 'POST' && request.url.includes('/orders/');
      if (!isPlacing || parts.length > 0) return body;
      const form = Object.fromEntries(new URLSearchParams(request.body ?? ''));
      for (let each = 0; each < 2; each += 1) {
        parts.push(String(elsewhere(rig.sandbox, 'POST', '/orders/regular', form)['order_id']));
      }
      const { data } = JSON.parse(body) as { data: object };
      const children = parts.map((id) => ({ order_id: id }));
      return JSON.stringify({ status: 'success', data: { ...data, children } });
    },
  });
  return { rig, parts };
}

describe('an order that its broker has split', () => {
  it('is uncertain, is not sent again, and a person is told of its parts', async () => {
    const { rig: split, parts } = await splittingRig();
    await using rig = split;
    const placed = await place(rig, RESTING, 'split');
    expect([placed.status, parts.length]).toEqual([202, 2]);
    expect(placed.body.data.reason).toContain(`(${parts.join(', ')})`);
    await rig.time.advance(60_000);
    // Three rows have its tag, and none of them is the order alone.
    const order = await orderOf(rig, placed.body.data.id);
    expect(order.status).toBe('disputed');
    const again = await place(rig, RESTING, 'split');
    expect([again.body.data.id, placings(rig).length]).toEqual([order.id, 1]);
    const { data } = (await rig.get('/api/v1/overview')).body;
    expect(data.needs.map(({ what }: { what: string }) => what)).toContain('order');
  });
});
