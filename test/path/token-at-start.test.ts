import { describe, expect, it } from 'vitest';
import { memoryEnvironment, type Environment } from '../../src/platform/environment.ts';
import { createRig, type Rig } from '../support/rig.ts';

const APP_ALT_BROKER_ACCESS_TOKEN = 'set-by-hand';

const withToken = (rig: Rig, token: string): Environment =>
  memoryEnvironment({ ...rig.environment.all(), APP_ALT_BROKER_ACCESS_TOKEN: token });

const profiles = (rig: Rig): number =>
  rig.sent.filter(({ url }) => url === 'http://kite.test/user/profile').length;

describe('a token that is there at the start', () => {
  it('is tried at the broker at once: a dead one is expired before anyone asks', async () => {
    await using rig = await createRig({ environment: { APP_ALT_BROKER_ACCESS_TOKEN } });
    await rig.time.advance(1_000);
    expect(rig.composed.session?.current().state).toBe('expired');
    // The setting is still there; that it is dead is remembered.
    await rig.restart();
    expect(rig.composed.session?.current().state).toBe('expired');
  });

  it('is known to be taken, and not asked about again within the minute', async () => {
    await using rig = await createRig();
    const token = rig.sandbox.kite.loginDirect();
    await rig.restart(withToken(rig, token));
    await rig.time.advance(1_000);
    const session = rig.composed.session!.current();
    expect(session).toMatchObject({ state: 'valid', userId: 'AB1234' });
    expect(session.state === 'valid' && session.verifiedAt).not.toBeNull();
    for (let times = 0; times < 3; times += 1) await rig.get('/api/altbroker/status');
    expect(profiles(rig)).toBe(1);
    await rig.time.advance(60_000);
    await rig.get('/api/altbroker/status');
    expect(profiles(rig)).toBe(2);
  });

  it('of another user than the configured one is not used', async () => {
    await using rig = await createRig({ environment: { APP_ALT_BROKER_USER_ID: 'ZZ9999' } });
    const token = rig.sandbox.kite.loginDirect();
    await rig.restart(withToken(rig, token));
    await rig.time.advance(1_000);
    expect(rig.composed.session?.current().state).toBe('expired');
    expect((await rig.get('/api/altbroker/token')).status).toBe(404);
  });

  it('stays what it was while the broker is away, and the gateway starts all the same', async () => {
    await using rig = await createRig();
    const token = rig.sandbox.kite.loginDirect();
    rig.sandbox.faults.add({ broker: 'kite', kind: 'hang_before' });
    await rig.restart(withToken(rig, token));
    expect(rig.composed.session?.current()).toMatchObject({ state: 'valid', verifiedAt: null });
    await rig.time.advance(30_000);
    expect(rig.composed.session?.current()).toMatchObject({ state: 'valid', verifiedAt: null });
  });
});
