import { describe, expect, it } from 'vitest';
import type { Rig, RigOptions } from '../support/rig.ts';
import {
  beginPlacing,
  BUY,
  cancel,
  loggedInRig,
  modify,
  orderOf,
  pinnedRig,
  place,
  placings,
  RESTING,
  spoilPlacing,
} from './walk.ts';

const FREEZE = { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' };
const frozenRig = (options: RigOptions = {}): Promise<Rig> =>
  loggedInRig({ ...options, environment: FREEZE });

const slicesOf = async (rig: Rig, parentId: string) => {
  const { body } = await rig.get('/api/v1/orders');
  return body.data
    .filter((order: { parentId: string | null }) => order.parentId === parentId)
    .sort((left: { clientOrderId: string }, right: { clientOrderId: string }) =>
      left.clientOrderId < right.clientOrderId ? -1 : 1,
    );
};
const quantities = (rig: Rig): number[] =>
  rig.sandbox.kite.orders().map(({ quantity }) => quantity);

describe('an order above the freeze quantity', () => {
  it('goes out in slices, and is answered as one order', async () => {
    await using rig = await frozenRig();
    const { status, body } = await place(rig, BUY, 'large');
    expect([status, body.data.quantity, body.data.parentId]).toEqual([201, 10, null]);
    expect(quantities(rig)).toEqual([4, 4, 2]);
    await rig.time.advance(3_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
      remainingQuantity: 0,
      brokerOrderId: null,
    });
    const tags = rig.sandbox.kite.orders().map(({ tag }) => tag);
    expect(new Set(tags).size).toBe(3);
  });

  it('of an index option goes out in slices by the list of its day, also without a setting', async () => {
    await using rig = await loggedInRig();
    const option = { ...BUY, instrument: 'NFO:NIFTY26NOV24450CE', product: 'MARGIN' };
    expect((await place(rig, { ...option, quantity: 1_755 }, 'small')).status).toBe(201);
    expect((await place(rig, { ...option, quantity: 3_575 }, 'large')).status).toBe(201);
    expect(quantities(rig)).toEqual([1_755, 1_755, 1_755, 65]);
    // The sandbox has the exchange's figure too: no slice was above it.
    expect((await place(rig, { ...option, quantity: 65 * 541 }, 'too many')).body.detail).toContain(
      'the exchange takes at most 1800 of NFO:NIFTY26NOV24450CE in one order',
    );
  });

  it('is cut by the setting where it has another figure than the list', async () => {
    await using rig = await loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'NIFTY=130' } });
    const option = { ...BUY, instrument: 'NFO:NIFTY26NOV24450CE', product: 'MARGIN' };
    expect((await place(rig, { ...option, quantity: 195 }, 'large')).status).toBe(201);
    expect(quantities(rig)).toEqual([130, 65]);
  });

  it('shows each slice as an order of its own, and the fills of all under its own id', async () => {
    await using rig = await frozenRig();
    const { body } = await place(rig, BUY, 'large');
    await rig.time.advance(3_000);
    const slices = await slicesOf(rig, body.data.id);
    expect(slices.map((slice: { filledQuantity: number }) => slice.filledQuantity)).toEqual([
      4, 4, 2,
    ]);
    const fills = await rig.get(`/api/v1/orders/${body.data.id}/fills`);
    const filled = fills.body.data.map(({ quantity }: { quantity: number }) => quantity);
    expect(filled.reduce((sum: number, each: number) => sum + each, 0)).toBe(10);
  });

  it('asked for again under its key is the same order, and nothing more is sent', async () => {
    await using rig = await frozenRig();
    const first = await place(rig, BUY, 'large');
    const second = await place(rig, BUY, 'large');
    expect(second.body.data.id).toBe(first.body.data.id);
    expect(placings(rig)).toHaveLength(3);
  });

  it('stops at a slice whose outcome is open: what is behind it is not sent', async () => {
    await using rig = await frozenRig();
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'error_after',
      match: { method: 'POST', path: '/orders' },
      from: rig.time.now(),
      times: 1,
    });
    const { status, body } = await place(rig, BUY, 'large');
    expect([status, body.data.status]).toEqual([202, 'uncertain']);
    expect(placings(rig)).toHaveLength(1);
    await rig.time.advance(5_000);
    const order = await orderOf(rig, body.data.id);
    expect(order).toMatchObject({ status: 'partial', filledQuantity: 4 });
    const slices = await slicesOf(rig, body.data.id);
    expect(slices.map((slice: { status: string }) => slice.status)).toEqual([
      'filled',
      'not_sent',
      'not_sent',
    ]);
  });

  it('is not sent at all when its first slice cannot be', async () => {
    await using rig = await frozenRig();
    spoilPlacing(rig, 'refuse', { times: 10 });
    const { body } = await place(rig, BUY, 'large');
    expect(body.data ?? body).toMatchObject({ status: expect.anything() });
    const [parent] = [...rig.composed.execution.state.orders.values()];
    expect(parent?.state).toMatchObject({ status: 'not_sent', fill: { filledQuantity: 0 } });
    expect(placings(rig)).toHaveLength(1);
    expect(rig.sandbox.kite.orders()).toEqual([]);
  });

  it('stays at one broker where that takes no more after the first slice, also where orders may turn into paper ones', async () => {
    await using rig = await loggedInRig({
      environment: { ...FREEZE, APP_PAPER_ON_OUTAGE: 'true' },
      sandbox: { latencyMs: [20, 20] },
    });
    const placed = beginPlacing(rig, BUY, 'large');
    for (let turns = 0; rig.sandbox.kite.orders().length === 0 && turns < 200; turns += 1) {
      await rig.time.advance(5);
    }
    spoilPlacing(rig, 'refuse', { times: 10 });
    const { status, body } = await rig.time.settle(placed);
    expect([status, body.meta]).toEqual([201, { broker: 'alt', mode: 'live' }]);
    await rig.time.advance(5_000);
    const slices = await slicesOf(rig, body.data.id);
    expect(slices.map((slice: { status: string }) => slice.status)).toEqual([
      'filled',
      'not_sent',
      'not_sent',
    ]);
    expect(quantities(rig)).toEqual([4]);
    expect((await rig.get('/api/v1/orders?broker=paper')).body.data).toEqual([]);
  });

  it('is cancelled slice by slice', async () => {
    await using rig = await frozenRig();
    const { body } = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    const reply = await cancel(rig, body.data.id);
    expect([200, 202]).toContain(reply.status);
    await rig.time.advance(2_000);
    expect(rig.sandbox.kite.orders().map(({ status }) => status)).toEqual([
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    expect(await orderOf(rig, body.data.id)).toMatchObject({
      status: 'cancelled',
      filledQuantity: 0,
    });
  });

  it('is modified under the ids of its slices alone', async () => {
    await using rig = await frozenRig();
    const { body } = await place(rig, RESTING, 'resting');
    const reply = await modify(rig, body.data.id, { price: 1_471 });
    expect([reply.status, reply.body.code]).toEqual([409, 'order_state']);
    const [slice] = await slicesOf(rig, body.data.id);
    await rig.time.advance(2_000);
    expect((await modify(rig, slice.id, { price: 1_471 })).status).toBe(200);
  });

  it('loses no slice to a crash: what had left is found, what had not is known not to have', async () => {
    await using rig = await frozenRig({ sandbox: { latencyMs: [20, 20] } });
    void beginPlacing(rig, BUY, 'large');
    for (let turns = 0; placings(rig).length < 2 && turns < 200; turns += 1) {
      await rig.time.advance(5);
    }
    await rig.crash();
    await rig.time.advance(10_000);
    expect(quantities(rig)).toEqual([4, 4]);
    const [parent] = [...rig.composed.execution.state.orders.values()].filter(
      ({ parentId }) => parentId === null,
    );
    expect(parent?.state).toMatchObject({ status: 'partial', fill: { filledQuantity: 8 } });
    expect((await place(rig, BUY, 'large')).body.data.id).toBe(parent!.id);
    expect(quantities(rig)).toEqual([4, 4]);
  });

  it('is refused above twenty slices, and its key stays free', async () => {
    await using rig = await frozenRig();
    const reply = await place(rig, { ...BUY, quantity: 81 }, 'huge');
    expect([reply.status, placings(rig).length]).toEqual([400, 0]);
    expect((await place(rig, { ...BUY, quantity: 80 }, 'huge')).status).toBe(201);
  });

  it('counts once for the exit guard, however many slices it has', async () => {
    await using rig = await frozenRig();
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'bought');
    await rig.time.advance(8_000);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const reply = await place(rig, { ...BUY, side: 'SELL', product: 'INTRADAY' }, 'sold');
    expect(reply.status).toBe(201);
    await rig.time.advance(8_000);
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({ filledQuantity: 10 });
  });
});

describe('a slice', () => {
  it('is not made larger than the exchange takes', async () => {
    await using rig = await frozenRig();
    const { body } = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    const slices = await slicesOf(rig, body.data.id);
    const reply = await modify(rig, slices[2].id, { quantity: 5 });
    expect([reply.status, reply.body.code]).toEqual([400, 'quantity_too_large']);
  });

  it('that is changed changes what its order is', async () => {
    await using rig = await frozenRig();
    const { body } = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    const slices = await slicesOf(rig, body.data.id);
    await modify(rig, slices[2].id, { quantity: 4 });
    await rig.time.advance(3_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ quantity: 12, remainingQuantity: 12 });
  });
});

describe('slices at a broker without tags', () => {
  it('follow one another, and each is told from the others', async () => {
    await using rig = await pinnedRig({
      environment: { ...FREEZE, APP_ROUTE_TRADING: 'primary' },
    });
    const { status, body } = await place(rig, BUY, 'large');
    expect(status).toBe(201);
    await rig.time.advance(5_000);
    expect(rig.sandbox.primary.orders().map(({ quantity }) => quantity)).toEqual([4, 4, 2]);
    expect(await orderOf(rig, body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
    });
  });
});
