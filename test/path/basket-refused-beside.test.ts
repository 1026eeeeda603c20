import { describe, expect, it } from 'vitest';
import { itemsOf, requestOf } from './baskets.ts';
import { beginPlacing, loggedInRig, placings, RESTING } from './walk.ts';

const ENVIRONMENT = { APP_MAX_ORDER_VALUE: '50000' };

describe('an order of a basket that is also sent alone, under its key', () => {
  it('is answered as it stands where the basket is refused for another order of it', async () => {
    await using rig = await loggedInRig({
      environment: ENVIRONMENT,
      sandbox: { latencyMs: [900, 900] },
    });
    // By a read of the account that is two seconds old nothing above a limit is refused, so the basket reads it first.
    await rig.time.advance(10_000);
    const small = { ...RESTING, quantity: 1, price: 1_442.5 };
    const large = { ...RESTING, quantity: 100, price: 1_440, clientOrderId: 'large' };
    const basket = rig.begin(requestOf([{ ...small, clientOrderId: 'small' }, large]));
    await rig.time.advance(200);
    const alone = beginPlacing(rig, small, 'small');
    const [reply, own] = await rig.time.settle(Promise.all([basket, alone]));
    expect([own.status, own.body.data?.status], own.text).toEqual([201, 'working']);
    expect(placings(rig)).toHaveLength(1);
    expect(itemsOf(reply)).toMatchObject([
      { clientOrderId: 'small', result: 'acknowledged', order: { id: own.body.data.id } },
      { clientOrderId: 'large', result: 'not_sent', problem: { code: 'limit_reached' } },
    ]);
  });
});
