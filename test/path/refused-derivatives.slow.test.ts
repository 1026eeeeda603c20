import { describe, expect, it } from 'vitest';
import { SANDBOX_TOTP_SECRET } from '../../sandbox/primary/totp.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { loggedInRig, orderOf, place } from './walk.ts';

const OPTION = 'NFO:NIFTY26NOV24450CE';
/** A token of each day. */
const LOGIN = {
  APP_PRIMARY_API_KEY: 'sandbox-key',
  APP_PRIMARY_MPIN: '1234',
  APP_PRIMARY_TOTP_SECRET: SANDBOX_TOTP_SECRET,
};
const CLOSE_ALL = '/api/v1/positions/close-all';

/** An account at the primary brokerage that holds an option, which has been read once. */
async function optionRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await loggedInRig({
    ...options,
    environment: { APP_ROUTE_TRADING: 'primary,alt', ...LOGIN, ...options.environment },
  });
  const { lotSize } = (await rig.get(`/api/v1/instruments/${OPTION}`)).body.data;
  const option = { instrument: OPTION, side: 'BUY', orderType: 'MARKET', product: 'MARGIN' };
  const order = { ...option, quantity: lotSize, broker: 'primary' };
  const placed = await place(rig, order, 'an option');
  await rig.time.advance(10_000);
  expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'filled' });
  return rig;
}

/** From now on the broker says that the account has no derivatives, and lists none. */
const refuseDerivatives = (rig: Rig): string =>
  rig.sandbox.faults.add({ broker: 'primary', kind: 'derivatives_refused' });

describe('an option at a broker that refuses to list derivatives, after a restart', () => {
  it('is not "nothing to close"', async () => {
    await using rig = await optionRig();
    refuseDerivatives(rig);
    await rig.restart();
    await rig.time.advance(2_000);
    const reply = await rig.post(CLOSE_ALL, { broker: 'primary' });
    expect([reply.status, reply.body.code]).toEqual([503, 'broker_unavailable']);
    expect(reply.body.detail).toContain(OPTION);
  });

  it('is not "flat" for an exit of the next day, which says what the account may hold', async () => {
    await using rig = await optionRig();
    await rig.time.advanceTo('2026-11-09T10:00:00+05:30');
    refuseDerivatives(rig);
    await rig.restart();
    await rig.time.advance(2_000);
    const exit = { instrument: OPTION, product: 'MARGIN', broker: 'primary' };
    const begun = await rig.post('/api/v1/exits', exit);
    await rig.time.advance(40_000);
    const ended = (await rig.get(`/api/v1/exits/${begun.body.data.id}`)).body.data;
    expect(ended).toMatchObject({ status: 'stopped', why: 'account_unreadable' });
    expect(ended.detail).toContain(OPTION);
  });

  it('is not silence about the daily loss', async () => {
    await using rig = await optionRig({ environment: { APP_MAX_DAILY_LOSS: '5000' } });
    refuseDerivatives(rig);
    await rig.restart();
    await rig.time.advance(600_000);
    const alerts = journalEvents(rig.dataDirectory, 'alert').map(({ data }) =>
      JSON.stringify(data),
    );
    expect(alerts.filter((text) => text.includes('cannot be read'))).not.toEqual([]);
  });

  it('is closed once the broker lists it again', async () => {
    await using rig = await optionRig();
    const fault = refuseDerivatives(rig);
    await rig.restart();
    await rig.time.advance(60_000);
    rig.sandbox.faults.remove(fault);
    const { body } = await rig.post(CLOSE_ALL, { broker: 'primary' });
    await rig.time.advance(60_000);
    const ended = (await rig.get(`${CLOSE_ALL}/${body.data.id}`)).body.data;
    expect(ended.positions).toMatchObject([{ instrument: OPTION, status: 'flat' }]);
  });
});
