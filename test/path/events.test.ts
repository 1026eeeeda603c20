import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place, RESTING } from './walk.ts';

interface Told {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly order?: { readonly id: string; readonly status: string } };
}

/** Every event after a cursor, and the cursor behind them. */
async function read(
  rig: Rig,
  after: string,
  query = '',
): Promise<{ told: Told[]; cursor: string }> {
  const told: Told[] = [];
  for (let cursor = after; ;) {
    const { status, body } = await rig.get(`/api/v1/events?after=${cursor}&limit=3${query}`);
    expect(status).toBe(200);
    told.push(...body.data);
    ({ cursor } = body.meta);
    if (!body.meta.more) return { told, cursor };
  }
}

/** Each status once: an order that works is told again when its row is seen. */
const statusesOf = (told: readonly Told[], id: string): string[] =>
  told
    .flatMap(({ type, data }) =>
      type === 'order.updated' && data.order?.id === id ? [data.order.status] : [],
    )
    .filter((status, place, all) => status !== all[place - 1]);

describe('events of orders, from a program to its broker and back', () => {
  it('tell each status of an order and its fill, with the order as it is then', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, BUY, 'one');
    await rig.time.advance(3_000);
    const { told } = await read(rig, '0-0');
    expect(statusesOf(told, body.data.id)).toEqual(['sending', 'working', 'filled']);
    const fill = told.find(({ type }) => type === 'order.fill');
    expect(fill?.data).toMatchObject({
      fill: { orderId: body.data.id },
      order: { status: 'filled' },
    });
    const single = (await rig.get(`/api/v1/orders/${body.data.id}`)).body.data;
    const last = told.findLast(({ type }) => type === 'order.updated')?.data.order;
    expect({ ...single, ...ofBook(single) }).toEqual(last);
  });

  it('go on after the cursor of the list of orders, with nothing missing', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'one');
    await rig.time.advance(3_000);
    const orders = (await rig.get('/api/v1/orders')).body;
    const { body } = await place(rig, RESTING, 'two');
    await rig.time.advance(3_000);
    const { told } = await read(rig, orders.meta.eventsCursor);
    expect(statusesOf(told, orders.data[0].id)).toEqual([]);
    expect(statusesOf(told, body.data.id)).toEqual(['sending', 'working']);
  });

  it('are the same after a restart and after a crash, and go on', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'one');
    await rig.time.advance(3_000);
    const before = await read(rig, '0-0');
    await rig.restart();
    await rig.crash();
    const again = await read(rig, '0-0');
    expect(again.told.slice(0, before.told.length)).toEqual(before.told);
    await place(rig, BUY, 'two');
    await rig.time.advance(3_000);
    const { told } = await read(rig, before.cursor);
    const ids = [...before.told, ...told].map(({ id }) => id);
    expect(ids.map((id) => Number(id.split('-')[1]))).toEqual(ids.map((_id, place) => place + 1));
    expect(new Set(ids.map((id) => id.split('-')[0])).size).toBeGreaterThan(1);
  });
});

/** What only the broker's book tells. */
function ofBook(order: Record<string, unknown>): Record<string, null> {
  const names = Object.keys(order);
  const rest = names.slice(names.indexOf('isin'), names.indexOf('createdAt'));
  // What was sent with the order is kept with it, and an event tells it.
  const own = new Set(['algoId', 'marketProtection']);
  return Object.fromEntries(rest.flatMap((name) => (own.has(name) ? [] : [[name, null]])));
}
