import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../src/domain/outcome.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { loggedInRig, place, placings, RESTING } from '../path/walk.ts';
import { sessionBench } from './support.ts';

describe('a token file that names another user than the settings', () => {
  it('is not used, also while the broker cannot be asked whose token it is', async () => {
    const options: { userId: string | null } = { userId: null };
    const { broker, logIn, restarted } = sessionBench(options);
    await logIn();
    // As the refusal of another user's login says: name the new user, and start again.
    options.userId = 'ZZ9999';
    broker.onVerify = () =>
      Promise.reject(new BrokerError('alt', { kind: 'transport', message: 'no answer' }));
    const session = restarted();
    expect(session.accessToken()).toBeNull();
    await session.check();
    expect(session.current().state).not.toBe('valid');
    expect(session.accessToken()).toBeNull();
  });

  it('sends no order to the account of that user', async () => {
    await using rig = await loggedInRig();
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'hang_before' },
      match: { method: 'GET', path: '/user/profile' },
    });
    const others = Object.fromEntries(
      Object.entries(rig.environment.all()).filter(
        ([name]) => name !== 'APP_ALT_BROKER_ACCESS_TOKEN',
      ),
    );
    await rig.restart(memoryEnvironment({ ...others, APP_ALT_BROKER_USER_ID: 'ZZ9999' }));
    await rig.time.advance(2_000);
    await place(rig, { ...RESTING, broker: 'alt' }, 'meant for ZZ9999');
    expect(placings(rig)).toEqual([]);
  });
});
