import { describe, expect, it } from 'vitest';
import { loggedInRig } from './walk.ts';
import { placeTrigger } from './trigger-walk.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';

const SYMBOL = 'NIFTY26NOV24450CE';
const CALL = `NFO:${SYMBOL}`;

describe('an exit of a position that a person has opened in the app since the account was read', () => {
  it('deletes the trigger that would buy it back before its first leg', async () => {
    await using rig = await loggedInRig();
    const leg = { triggerPrice: 400, side: 'BUY', quantity: 65, product: 'MARGIN', price: 401 };
    const stop = { instrument: CALL, legs: [leg], broker: 'alt', lastPrice: 170 };
    const placed = await placeTrigger(rig, stop, 'stop');
    expect(placed.status, placed.text).toBe(201);
    await rig.time.advance(2_000);
    elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NFO', tradingsymbol: SYMBOL, transaction_type: 'SELL', quantity: '65' },
      ...{ order_type: 'LIMIT', price: '100', product: 'NRML', validity: 'DAY' },
    });
    await rig.time.advance(300);
    const before = rig.sent.length;
    const exit = { instrument: CALL, product: 'MARGIN', broker: 'alt' };
    const { body } = await rig.post('/api/v1/exits', exit);
    await rig.time.advance(15_000);
    const ended = (await rig.get(`/api/v1/exits/${body.data.id}`)).body.data;
    expect(ended).toMatchObject({ status: 'flat', side: 'BUY' });
    const sent = rig.sent
      .slice(before)
      .map(({ method, url }) => `${method} ${new URL(url).pathname}`);
    const first = (pattern: RegExp): number => sent.findIndex((each) => pattern.test(each));
    const [legAt, deletedAt] = [first(/^POST \/orders\//), first(/^DELETE \/gtt\/triggers\//)];
    expect([legAt >= 0, deletedAt >= 0]).toEqual([true, true]);
    expect(deletedAt).toBeLessThan(legAt);
  });
});
