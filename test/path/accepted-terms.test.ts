import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { cancel, loggedInRig, modify, orderOf, place, RESTING, spoilReading } from './walk.ts';

const NEW = { price: 1_460, quantity: 12 } as const;
const OLD = { price: 1_470, quantity: 10 } as const;

/** The id of a resting order that the book has shown. */
async function resting(rig: Rig): Promise<string> {
  const placed = await place(rig, RESTING, 'resting');
  await rig.time.advance(2_000);
  return placed.body.data.id;
}

/** The id of one like it that another program has placed. */
async function placedElsewhere(rig: Rig): Promise<string> {
  const form = { exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY' };
  const more = { quantity: '10', order_type: 'LIMIT', price: '1470', product: 'CNC' };
  const { order_id: placed } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
    ...{ ...form, ...more, validity: 'DAY' },
  });
  await rig.time.advance(2_000);
  return `alt:${String(placed)}`;
}

/** The order as every read has it: by its id, in the list, and in its last event. */
async function reads(rig: Rig, id: string) {
  const { body: list } = await rig.get('/api/v1/orders');
  const { body: events } = await rig.get('/api/v1/events');
  const told = (events.data as { data: { order?: { id: string } | null } }[]).flatMap(
    ({ data: { order } }) => (order?.id === id ? [order] : []),
  );
  return [
    await orderOf(rig, id),
    list.data.find((each: { id: string }) => each.id === id),
    told.at(-1),
  ];
}

const each = (terms: object) => [terms, terms, terms].map((one) => expect.objectContaining(one));

/** A book that never shows the changes of orders: what the exchange refuses after the broker has taken it. */
async function losingRig(options: RigOptions = {}) {
  const lost = { price: 0, quantity: 0 };
  const rig = await loggedInRig({
    ...options,
    alter: ({ method, url }, body) =>
      method === 'GET' && url.endsWith('/orders') && lost.price > 0
        ? body
            .replaceAll(/"price":1460/g, `"price":${lost.price}`)
            .replaceAll(/"quantity":12/g, `"quantity":${lost.quantity}`)
            .replaceAll(/"pending_quantity":12/g, `"pending_quantity":${lost.quantity}`)
        : body,
  });
  return { rig, lose: () => void Object.assign(lost, OLD) };
}

describe('after a modification that the broker has accepted', () => {
  it('reads and events have the new terms while the book cannot be read', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilReading(rig, 'error_before', '/orders');
    await modify(rig, id, NEW);
    expect(await orderOf(rig, id)).toMatchObject({ ...NEW, remainingQuantity: 12 });
    const { body } = await rig.get('/api/v1/events');
    expect(body.data.at(-1)).toMatchObject({ type: 'order.attempt', data: { order: NEW } });
    await rig.time.advance(20_000);
    expect(await orderOf(rig, id)).toMatchObject(NEW);
  });

  it('reads and events have the new terms while the book lags, and after', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    const params = { ageMs: 6_000 };
    const match = { method: 'GET', path: '/orders' };
    const fault = rig.sandbox.faults.add({ broker: 'kite', kind: 'stale_book', match, params });
    await modify(rig, id, NEW);
    for (let second = 0; second < 9; second += 1) {
      expect(await reads(rig, id)).toEqual(each(NEW));
      await rig.time.advance(1_000);
    }
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(20_000);
    expect(await reads(rig, id)).toEqual(each(NEW));
  });

  it('so has the answer to a cancel that is not done yet', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilReading(rig, 'error_before', '/orders');
    await modify(rig, id, NEW);
    const reply = await cancel(rig, id);
    expect([reply.status, reply.body.data.price]).toEqual([202, 1_460]);
  });

  it('the book wins where it shows the old terms ten seconds later', async () => {
    const { lose, ...losing } = await losingRig();
    await using rig = losing.rig;
    const id = await resting(rig);
    lose();
    const request = { method: 'PATCH', path: `/api/v1/orders/${id}`, json: NEW } as const;
    const headers = { 'idempotency-key': 'lost' };
    await rig.call({ ...request, headers });
    expect(await orderOf(rig, id)).toMatchObject(NEW);
    await rig.time.advance(12_000);
    expect((await reads(rig, id)).slice(0, 2)).toEqual(each(OLD).slice(0, 2));
    const again = await rig.call({ ...request, headers });
    expect([again.status, again.body.data.price]).toEqual([200, 1_470]);
  });

  it('the book wins where somebody has changed the order since', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    await modify(rig, id, NEW);
    await rig.time.advance(10_000);
    const { brokerOrderId } = await orderOf(rig, id);
    elsewhere(rig.sandbox, 'PUT', `/orders/regular/${brokerOrderId}`, { price: '1465' });
    await rig.time.advance(3_000);
    expect((await reads(rig, id)).slice(0, 2)).toEqual(
      each({ price: 1_465, quantity: 12 }).slice(0, 2),
    );
  });

  it('an order placed elsewhere has the new terms as well, until its book wins', async () => {
    const { lose, ...losing } = await losingRig();
    await using rig = losing.rig;
    const id = await placedElsewhere(rig);
    lose();
    expect((await modify(rig, id, NEW)).body.data).toMatchObject(NEW);
    expect(await orderOf(rig, id)).toMatchObject(NEW);
    await rig.time.advance(12_000);
    expect(await orderOf(rig, id)).toMatchObject(OLD);
  });

  it.each([resting, placedElsewhere])(
    "so has one at a broker whose clock is ahead of this computer's: %o",
    async (placed) => {
      const { lose, ...losing } = await losingRig({ aheadMs: 40_000 });
      await using rig = losing.rig;
      const id = await placed(rig);
      lose();
      await modify(rig, id, NEW);
      await rig.time.advance(3_000);
      expect(await orderOf(rig, id)).toMatchObject(NEW);
      await rig.time.advance(12_000);
      expect(await orderOf(rig, id)).toMatchObject(OLD);
    },
  );

  it('what has filled is what the book says, also where that is more than the new quantity', async () => {
    const { lose, ...losing } = await losingRig();
    await using rig = losing.rig;
    const id = await resting(rig);
    lose();
    rig.sandbox.exchange.setPrice('NSE:INFY', 147_000);
    await modify(rig, id, { quantity: 12 });
    rig.sandbox.exchange.setPrice('NSE:INFY', 145_000);
    await rig.time.advance(5_000);
    const order = await orderOf(rig, id);
    const { body } = await rig.get(`/api/v1/orders/${id}/fills`);
    const filled = body.data.reduce(
      (sum: number, { quantity }: { quantity: number }) => sum + quantity,
      0,
    );
    expect(order.filledQuantity).toBe(filled);
    expect(order.quantity).toBeGreaterThanOrEqual(order.filledQuantity);
  });
});
