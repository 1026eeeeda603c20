import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { cancel, loggedInRig, modify, orderOf, place, RESTING } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'LIMIT', product: 'CNC', validity: 'DAY', price: '1460', tag: 'Mine' },
  disclosed_quantity: '2',
};

describe('an order of ours', () => {
  it('has what the broker’s row tells, and its tags apart from the caller’s', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...RESTING, tag: 'momentum' }, 'one');
    await rig.time.advance(2_000);
    const order = await orderOf(rig, body.data.id);
    expect(order).toMatchObject({ tag: 'momentum', variety: 'regular', brokerStatus: 'OPEN' });
    expect(order).toMatchObject({ disclosedQuantity: 0, pendingQuantity: 10, modified: false });
    expect(order.brokerTags).toEqual([expect.stringMatching(/^[A-Za-z0-9]{20}$/)]);
  });

  it('has nothing left to fill once it is cancelled', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    await cancel(rig, body.data.id);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({
      ...{ status: 'cancelled', filledQuantity: 0, remainingQuantity: 0, cancelledQuantity: 10 },
      reason: 'the broker says CANCELLED and gives no reason',
    });
  });

  it('of an earlier day has none of it: its id may be another’s', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    rig.time.stepWall(20 * 3_600_000);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ variety: null, modified: null });
  });

  it('of the paper account has none of it', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...RESTING, broker: 'paper' }, 'one');
    await rig.time.advance(2_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ variety: null, isin: null });
  });
});

describe('an order placed elsewhere', () => {
  it('is an after-market order where the broker says so, and keeps its time when it is changed', async () => {
    await using rig = await loggedInRig({ start: '2026-11-06T16:30:00+05:30' });
    const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/amo', FORM);
    await rig.time.advance(2_000);
    const before = await orderOf(rig, `alt:${String(id)}`);
    expect(before).toMatchObject({ amo: true, variety: 'amo', disclosedQuantity: 2, tag: 'Mine' });
    await rig.time.advance(60_000);
    elsewhere(rig.sandbox, 'PUT', `/orders/amo/${String(id)}`, { price: '1461' });
    await rig.time.advance(2_000);
    const after = await orderOf(rig, `alt:${String(id)}`);
    expect(after).toMatchObject({ price: 1461, modified: true, createdAt: before.createdAt });
    expect(after.registeredAt).not.toBe(before.registeredAt);
  });
});

describe('a change of an order', () => {
  it('shows in what the broker’s row tells', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    await modify(rig, body.data.id, { price: 1_465 });
    await rig.time.advance(2_000);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ modified: true, price: 1_465 });
  });
});

describe('an answer to a change', () => {
  const TOLD = { variety: 'regular', disclosedQuantity: 0, placedBy: 'AB1234' };

  it('tells what the broker’s row tells, as the order itself does', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    const { id } = body.data;
    const repeated = await place(rig, RESTING, 'one');
    const basket = await rig.post('/api/v1/orders/basket', {
      orders: [{ ...RESTING, clientOrderId: 'one' }],
    });
    const modified = await modify(rig, id, { price: 1_465 });
    await rig.time.advance(2_000);
    const cancelled = await cancel(rig, id);
    for (const { body: answer } of [repeated, modified, cancelled]) {
      expect(answer.data).toMatchObject({ id, ...TOLD });
    }
    expect(basket.body.data[0].order).toMatchObject({ id, ...TOLD });
  });

  it('to many cancels tells it of orders placed elsewhere too, with the time that they keep', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    const { order_id: other } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(2_000);
    const before = await orderOf(rig, `alt:${String(other)}`);
    await rig.time.advance(60_000);
    elsewhere(rig.sandbox, 'PUT', `/orders/regular/${String(other)}`, { price: '1461' });
    await rig.time.advance(2_000);
    const { body: all } = await rig.post('/api/v1/orders/cancel-all', { scope: 'account' });
    const orders = all.data.map(({ order }: { readonly order: object }) => order);
    expect(orders).toContainEqual(expect.objectContaining({ id: body.data.id, ...TOLD }));
    expect(orders).toContainEqual(
      expect.objectContaining({
        ...{ id: before.id, variety: 'regular', disclosedQuantity: 2 },
        createdAt: before.createdAt,
      }),
    );
  });
});
