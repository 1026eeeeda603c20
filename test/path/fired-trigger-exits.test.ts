import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { reachWithoutFill, withTrigger } from './fired-trigger.ts';
import { LEG, spoilTriggers, STOP } from './trigger-walk.ts';
import { place, RESTING } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const HELD = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };

const rowOf = (rig: Rig) => rig.sandbox.kite.orders().find(({ quantity }) => quantity === 10);

const soldBy = (rig: Rig): number =>
  rig.sandbox.kite
    .fills()
    .filter(({ side }) => side === 'SELL')
    .reduce((sum, { quantity }) => sum + quantity, 0);

async function exitOf(rig: Rig, body: object, ms: number) {
  const { status, body: begun } = await rig.post('/api/v1/exits', body);
  expect(status).toBe(202);
  await rig.time.advance(ms);
  return (await rig.get(`/api/v1/exits/${begun.data.id}`)).body.data;
}

/** Requests that would sell, or cancel, in the order in which they have left. */
const sentOrders = (rig: Rig): readonly string[] =>
  rig.sent
    .filter(({ url }) => new URL(url).pathname.startsWith('/orders/regular'))
    .map(({ method }) => method);

describe('an exit, and the order of a trigger that rests for its position', () => {
  it('cancels it before anything is sold, and sells all', async () => {
    await using made = await withTrigger();
    const { rig } = made;
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    const exit = await exitOf(rig, HELD, 20_000);
    expect(exit).toMatchObject({ status: 'flat', held: 0 });
    expect(exit.orders).toMatchObject([{ status: 'filled', quantity: 200 }]);
    expect([rowOf(rig)?.status, soldBy(rig)]).toEqual(['CANCELLED', 200]);
    expect(sentOrders(rig)).toEqual(['DELETE', 'POST']);
  });

  it('sells what it leaves where a part of it has filled', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    rig.sandbox.kite.fillByHand(rowOf(rig)?.orderId ?? '', 4, 144_950);
    const exit = await exitOf(rig, HELD, 20_000);
    expect([exit.status, exit.held, soldBy(rig)]).toEqual(['flat', 0, 200]);
    const { body } = await rig.get(`/api/v1/keys/${key}/positions`);
    expect(body.data.positions).toMatchObject([{ quantity: -4 }]);
  });

  it('finds one that was placed a moment ago', async () => {
    await using made = await withTrigger();
    const { rig } = made;
    await rig.time.advance(5_000);
    reachWithoutFill(rig);
    await rig.time.advance(2_000);
    const exit = await exitOf(rig, HELD, 20_000);
    expect([exit.status, exit.held, soldBy(rig)]).toEqual(['flat', 0, 200]);
    expect([rowOf(rig)?.status, sentOrders(rig)]).toEqual(['CANCELLED', ['DELETE', 'POST']]);
  });

  it('is not blocked where no list tells whose it is: what it would take is kept free', async () => {
    await using made = await withTrigger();
    const { rig } = made;
    await rig.time.advance(5_000);
    spoilTriggers(rig, 'error_before', 'GET', { times: 1_000 });
    reachWithoutFill(rig);
    await rig.time.advance(2_000);
    const exit = await exitOf(rig, HELD, 60_000);
    expect(exit).toMatchObject({ status: 'partly_flat', why: 'reserved_elsewhere', held: 10 });
    expect([rowOf(rig)?.status, soldBy(rig)]).toEqual(['OPEN', 190]);
  });

  it('sells nothing while it cannot be cancelled', async () => {
    await using made = await withTrigger();
    const { rig } = made;
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'error_before', times: 1_000 },
      match: { method: 'DELETE', path: '/orders' },
    });
    const exit = await exitOf(rig, HELD, 60_000);
    expect([exit.status, exit.why, soldBy(rig)]).toEqual(['stopped', 'resting_not_cancelled', 0]);
    expect(exit.detail).toContain(made.id);
  });

  it('leaves it where it takes the place of another order', async () => {
    await using made = await withTrigger();
    const { rig } = made;
    const stop = { ...RESTING, side: 'SELL', quantity: 80, price: 1_600, broker: 'alt' };
    const resting = await place(rig, stop, 'target');
    reachWithoutFill(rig);
    await rig.time.advance(60_000);
    const exit = await exitOf(rig, { orderId: resting.body.data.id }, 20_000);
    expect(exit.orders).toMatchObject([{ status: 'filled', quantity: 80 }]);
    expect(rowOf(rig)?.status).toBe('OPEN');
  });

  it('leaves one that buys', async () => {
    const leg = { ...LEG, side: 'BUY', triggerPrice: 1_520, price: 1_519 };
    await using made = await withTrigger({ ...STOP, legs: [leg] });
    const { rig } = made;
    rig.sandbox.exchange.setPrice('NSE:INFY', 153_000);
    await rig.time.advance(60_000);
    expect(rowOf(rig)?.status).toBe('OPEN');
    const exit = await exitOf(rig, HELD, 20_000);
    expect([exit.status, rowOf(rig)?.status]).toEqual(['flat', 'OPEN']);
  });
});
