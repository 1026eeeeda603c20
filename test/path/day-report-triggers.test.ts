import { describe, expect, it } from 'vitest';
import { reach, withTrigger } from './fired-trigger.ts';

describe('the order of a trigger in the report of a day', () => {
  it('is in the fills, the charges and the profit of the key of the trigger, also a fortnight later', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    reach(rig);
    await rig.time.advance(60_000);
    const today: string = (await rig.get('/api/v1/reports/today')).body.data.day;
    const reportOf = async (day: string) => {
      const { data } = (await rig.get(`/api/v1/reports/${day}?broker=alt`)).body;
      const own = data.keys.find((each: { key: string }) => each.key === key);
      expect(own?.accounts).toHaveLength(1);
      return { own: own.accounts[0], account: data.accounts[0] };
    };
    const { own, account } = await reportOf(today);
    expect(own).toMatchObject({ orders: { placed: 0 }, fills: { count: 1, bought: 0 } });
    expect(own.fills.sold).toBeGreaterThan(0);
    expect(own.charges.rupees).toBeGreaterThan(0);
    expect(account).toMatchObject({ elsewhere: 0, charges: { rupees: own.charges.rupees } });
    rig.time.stepWall(14 * 86_400_000);
    await rig.restart();
    await rig.logIn();
    await rig.time.advance(3_000);
    const later = await reportOf(today);
    expect(later.own.fills).toEqual(own.fills);
    expect(later.own.charges.rupees).toBe(own.charges.rupees);
  });
});
