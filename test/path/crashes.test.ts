import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import type { Rig } from '../support/rig.ts';
import {
  beginPlacing,
  BUY,
  loggedInRig,
  orderOf,
  pinnedRig,
  place,
  placings,
  spoilPlacing,
  spoilReading,
} from './walk.ts';

/** The request has left, and the gateway is killed before an answer comes. */
async function crashWhileSending(rig: Rig, kind: FaultKind): Promise<void> {
  spoilPlacing(rig, kind);
  void beginPlacing(rig, BUY, 'crashed');
  await rig.time.advance(50);
  expect(placings(rig)).toHaveLength(1);
  await rig.crash();
}

const idOf = async (rig: Rig): Promise<string> =>
  [...rig.composed.execution.state.orders.values()][0]!.id;

describe('a crash while an order is being sent', () => {
  it('leaves it uncertain, and it is then found by its tag', async () => {
    await using rig = await loggedInRig();
    await crashWhileSending(rig, 'hang_after');
    const id = await idOf(rig);
    expect(await orderOf(rig, id)).toMatchObject({ status: 'uncertain' });
    await rig.time.advance(5_000);
    expect(await orderOf(rig, id)).toMatchObject({
      status: 'filled',
      boundBy: 'tag',
      filledQuantity: 10,
    });
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });

  it('leaves it uncertain, not unplaced, when the broker does not show it', async () => {
    await using rig = await loggedInRig();
    await crashWhileSending(rig, 'hang_before');
    await rig.time.advance(60_000);
    expect(await orderOf(rig, await idOf(rig))).toMatchObject({ status: 'uncertain' });
  });

  it('does not let the caller’s retry place it twice', async () => {
    await using rig = await loggedInRig();
    await crashWhileSending(rig, 'hang_after');
    const retry = await place(rig, BUY, 'crashed');
    expect(retry.headers['idempotent-replayed']).toBe('true');
    expect(retry.body.data.id).toBe(await idOf(rig));
    await rig.time.advance(60_000);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });

  it('is survived where tags do not come back: the order is found by what it is', async () => {
    await using rig = await pinnedRig({ environment: { APP_ROUTE_TRADING: 'primary' } });
    rig.sandbox.faults.add({
      broker: 'primary',
      kind: 'hang_after',
      match: { method: 'POST', path: '/order' },
      times: 1,
    });
    void beginPlacing(rig, BUY, 'crashed');
    await rig.time.advance(2_000);
    expect(rig.sandbox.primary.orders()).toHaveLength(1);
    await rig.crash();
    await rig.time.advance(10_000);
    expect(await orderOf(rig, await idOf(rig))).toMatchObject({
      status: 'filled',
      boundBy: 'fingerprint',
      brokerOrderId: rig.sandbox.primary.orders()[0]?.orderId,
    });
  });
});

describe('a crash after an order was acknowledged', () => {
  it('loses neither the order nor a fill that came while the gateway was down', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, BUY, 'acknowledged');
    await rig.crash();
    await rig.time.advance(5_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
      boundBy: 'id',
    });
    const fills = await rig.get(`/api/v1/orders/${placed.body.data.id}/fills`);
    const total = fills.body.data.reduce(
      (sum: number, fill: { quantity: number }) => sum + fill.quantity,
      0,
    );
    expect(total).toBe(10);
  });
});

describe('until the order book has been read whole after a start', () => {
  it('orders are 503, with nothing sent; then they go', async () => {
    await using rig = await pinnedRig();
    const fault = spoilReading(rig, 'error_before', '/orders');
    await rig.logIn();
    const early = await place(rig, BUY, 'early');
    expect([early.status, early.body.code]).toEqual([503, 'recovering']);
    expect(early.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(placings(rig)).toEqual([]);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(15_000);
    expect((await place(rig, BUY, 'early')).status).toBe(201);
  });
});
