import { describe, expect, it } from 'vitest';
import type { Rig, RigOptions } from '../support/rig.ts';
import { loggedInRig, place, placings } from './walk.ts';

/** The primary account of the sandbox opens with 150 of these, the alternative one with none. */
const SELL = {
  instrument: 'NSE:RELIANCE',
  side: 'SELL',
  quantity: 10,
  orderType: 'MARKET',
  product: 'CNC',
} as const;

/** Both brokers have a session, the primary one by a token from the settings. */
const bothRig = (options: RigOptions = {}): Promise<Rig> =>
  loggedInRig({ environment: { APP_ROUTE_TRADING: 'alt,primary' }, ...options });

/** Reads of the primary account's holdings that have left. */
const holdingsReads = (rig: Rig): number =>
  rig.sent.filter(({ url }) => url === 'http://primary.test/portfolio/holdings').length;

describe('an account whose token was in the settings at the start', () => {
  it('has been read before the first order: its shares are not sold at another account', async () => {
    await using rig = await bothRig();
    expect(holdingsReads(rig)).toBe(1);
    const reply = await place(rig, SELL, 'unnamed');
    expect([reply.status, reply.body.code]).toEqual([409, 'wrong_account']);
    expect(reply.body).toMatchObject({ broker: 'primary', mayHaveExecuted: false });
    expect(placings(rig)).toEqual([]);
  });

  it('has been read before the first exit under the kill switch, which passes', async () => {
    await using rig = await bothRig();
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
    const reply = await place(rig, { ...SELL, broker: 'primary' }, 'exit');
    expect([reply.status, reply.body.data?.broker]).toEqual([201, 'primary']);
  });

  it('is read by names: the instrument lists are loaded before it', async () => {
    await using rig = await bothRig();
    const { state } = rig.composed.execution;
    const holdings = state.portfolios.get('primary')?.holdings ?? [];
    expect(holdings.map(({ instrument }) => instrument)).toContain('NSE:RELIANCE');
    const at = (path: string): number => rig.sent.findIndex(({ url }) => url.includes(path));
    expect(at('primary.test/market/instruments')).toBeLessThan(at('/portfolio/positions'));
  });

  it('is read later where the first reads fail, for as long as they do', async () => {
    await using rig = await bothRig();
    const fault = rig.sandbox.faults.add({
      broker: 'primary',
      kind: 'error_before',
      match: { method: 'GET', path: '/portfolio/positions' },
    });
    rig.sandbox.primary.placeByHand({ instrument: 'NSE:WIPRO', side: 'BUY', quantity: 5 });
    await rig.restart();
    await rig.time.advance(600_000);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(300_000);
    const { state } = rig.composed.execution;
    const positions = state.portfolios.get('primary')?.positions ?? [];
    expect(positions.map(({ instrument }) => instrument)).toContain('NSE:WIPRO');
  });
});
