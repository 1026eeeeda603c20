import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { itemsOf, ordersOnDisk, placeBasket, resting, resultsOf } from './baskets.ts';
import { BUY, loggedInRig, pinnedRig, placings } from './walk.ts';

const DRY = { dryRun: true };

const marginsOf = ({ body }: Awaited<ReturnType<typeof placeBasket>>) => body.meta.margins;

/** Calls of the sandbox's margin calculators. */
const marginCalls = (rig: Rig): number =>
  rig.sent.filter(({ url }) => url.includes('/margin')).length;

describe('a dry run of a basket', () => {
  it('checks every order, tells their margin together, and sends nothing', async () => {
    await using rig = await loggedInRig();
    const reply = await placeBasket(rig, resting(3), DRY);
    expect([reply.status, ...resultsOf(reply)]).toEqual([200, 'checked', 'checked', 'checked']);
    expect(itemsOf(reply)[0]).toEqual({
      ...{ clientOrderId: 'order-0', result: 'checked', httpStatus: null, repeated: false },
      ...{ order: null, problem: null },
    });
    expect(reply.body.meta).toMatchObject({ dryRun: true, counts: { checked: 3 } });
    const [{ estimate, ...account }] = marginsOf(reply);
    expect(account).toEqual({ broker: 'alt', mode: 'live', orders: 3, error: null });
    // The sandbox gives no benefit; adapters/alt/margins.test has a reply with one.
    expect(estimate).toMatchObject({ required: 4_321.5, alone: 4_321.5, benefit: 0 });
    expect(estimate.available).toBeGreaterThan(estimate.required);
    expect([placings(rig).length, ordersOnDisk(rig).length]).toEqual([0, 0]);
    expect(resultsOf(await placeBasket(rig, resting(3)))).toEqual(
      Array.from({ length: 3 }, () => 'acknowledged'),
    );
  });

  it('refuses what a basket refuses, before any margin is asked for', async () => {
    await using rig = await loggedInRig();
    const calls = marginCalls(rig);
    const orders = [...resting(2), { ...BUY, quantity: 1.5, clientOrderId: 'half' }];
    expect((await placeBasket(rig, orders, DRY)).status).toBe(400);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const { status, body } = await placeBasket(rig, resting(2), DRY);
    expect([status, body.code]).toEqual([409, 'kill_switch']);
    expect(marginCalls(rig)).toBe(calls);
  });

  it('counts only what has not been placed before', async () => {
    await using rig = await loggedInRig();
    await placeBasket(rig, resting(2));
    const reply = await placeBasket(rig, resting(3), DRY);
    expect(resultsOf(reply)).toEqual(['acknowledged', 'acknowledged', 'checked']);
    expect(marginsOf(reply)).toMatchObject([{ orders: 1, estimate: { required: 1_441 } }]);
    expect(placings(rig)).toHaveLength(2);
  });

  it('says why there is no margin where the broker tells none, and writes no zero', async () => {
    await using rig = await loggedInRig();
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'error_before' },
      match: { path: '/margins/basket' },
    });
    const [failed] = marginsOf(await placeBasket(rig, resting(2), DRY));
    expect([failed.estimate, typeof failed.error]).toEqual([null, 'string']);
    const paper = resting(2, { broker: 'paper' });
    const [none] = marginsOf(await placeBasket(rig, paper, DRY));
    expect([none.estimate, none.mode]).toEqual([null, 'paper']);
    expect(none.error).toContain('paper does not offer margins');
    expect(placings(rig)).toEqual([]);
  });

  it('has one margin for each account', async () => {
    await using rig = await loggedInRig();
    const orders = resting(3).map((each, index) =>
      index === 1 ? { ...each, broker: 'primary' } : each,
    );
    const [alt, primary] = marginsOf(await placeBasket(rig, orders, DRY));
    expect(alt).toMatchObject({ broker: 'alt', orders: 2, estimate: { summed: false } });
    expect(primary).toMatchObject({ broker: 'primary', orders: 1, error: null });
  });

  it('adds up the margins of a broker that has one for each order alone, and tells no benefit', async () => {
    await using rig = await pinnedRig({ environment: { APP_ROUTE_TRADING: 'primary' } });
    const [{ estimate, error }] = marginsOf(await placeBasket(rig, resting(50), DRY));
    expect([error, estimate.summed, estimate.benefit]).toEqual([null, true, null]);
    expect(estimate.alone).toBe(estimate.required);
    expect(estimate.required).toBeGreaterThan(50 * 1_440);
  });
});
