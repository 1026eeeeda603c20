import { describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../support/rig.ts';
import { loggedInRig, pinnedRig } from './walk.ts';

const missing = async (rig: Rig): Promise<readonly { what: string; detail: string }[]> =>
  (await rig.get('/health/ready')).body.data.missing;
const whatOf = async (rig: Rig): Promise<readonly string[]> =>
  (await missing(rig)).map(({ what }) => what);

const WITHOUT_PRIMARY = { environment: { APP_PRIMARY_ACCESS_TOKEN: '' } };

describe('what /health/ready says is missing', () => {
  it('is nothing once a session is there and the lists have been read', async () => {
    await using rig = await loggedInRig();
    await rig.get('/api/v1/instruments?q=INFY');
    expect(await missing(rig)).toEqual([]);
  });

  it('names live orders without a login, while prices come from the primary brokerage', async () => {
    await using rig = await pinnedRig();
    await rig.get('/api/v1/instruments?q=INFY');
    const found = await missing(rig);
    expect(found.map(({ what }) => what)).toEqual(['live_orders']);
    expect(found[0]!.detail).toContain('orders go to the paper account');
  });

  it('names prices and instruments where there is no session at all', async () => {
    await using rig = await createRig(WITHOUT_PRIMARY);
    expect(await whatOf(rig)).toEqual(['prices', 'account', 'live_orders', 'instruments']);
  });

  it('names new orders while the kill switch is engaged, and stays ready', async () => {
    await using rig = await loggedInRig();
    await rig.get('/api/v1/instruments?q=INFY');
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    expect(await whatOf(rig)).toEqual(['new_orders']);
    expect((await rig.get('/health/ready')).status).toBe(200);
  });
});
