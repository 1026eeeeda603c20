import { describe, expect, it } from 'vitest';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, pinnedRig, place, placings } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const SELL = { ...BUY, side: 'SELL', quantity: 50 };
const INTRADAY = { ...BUY, product: 'INTRADAY' };

/** The token dies, and the gateway gets to know it. */
async function loseToken(rig: Rig): Promise<void> {
  rig.sandbox.kite.killTokens();
  await rig.get('/api/v1/positions?broker=alt&maxAgeMs=0');
  const status = await rig.get('/api/altbroker/status');
  expect(status.body.data.state).toBe('expired');
}

describe('a sale of what the live account holds, once its token is dead', () => {
  it('is not made at the paper account', async () => {
    await using rig = await loggedInRig();
    await loseToken(rig);
    const reply = await place(rig, SELL, 'exit');
    expect([reply.status, reply.body.code]).toEqual([409, 'wrong_account']);
    expect(reply.body).toMatchObject({ broker: 'alt', mayHaveExecuted: false });
    expect((await rig.get('/api/v1/orders?broker=paper')).body.data).toEqual([]);
    expect(placings(rig)).toEqual([]);
  });

  it('is not made there after a restart either', async () => {
    await using rig = await loggedInRig();
    await loseToken(rig);
    await rig.restart();
    expect((await place(rig, SELL, 'exit')).body.code).toBe('wrong_account');
  });

  it('is not made there when it was bought there today, and is when the caller names it', async () => {
    await using rig = await loggedInRig();
    await place(rig, INTRADAY, 'bought');
    await rig.time.advance(10_000);
    await loseToken(rig);
    const exit = { ...INTRADAY, side: 'SELL' };
    expect((await place(rig, exit, 'unnamed')).body.code).toBe('wrong_account');
    const reply = await place(rig, { ...exit, broker: 'paper' }, 'named');
    expect([reply.status, reply.body.meta.broker]).toEqual([201, 'paper']);
  });

  it('is not made there when the token had been there since the start', async () => {
    await using rig = await pinnedRig();
    const token = rig.sandbox.kite.loginDirect();
    await rig.restart(
      memoryEnvironment({ ...rig.environment.all(), APP_ALT_BROKER_ACCESS_TOKEN: token }),
    );
    await rig.time.advance(10_000);
    await loseToken(rig);
    expect((await place(rig, SELL, 'exit')).body.code).toBe('wrong_account');
  });
});

describe('a sale of what both the live account and paper hold', () => {
  const PAPER = { ...BUY, broker: 'paper' };

  it('is not made at the paper account once the token is dead, unless the caller means paper', async () => {
    await using rig = await loggedInRig();
    await place(rig, PAPER, 'rehearsed');
    await rig.time.advance(10_000);
    await loseToken(rig);
    const exit = { ...SELL, quantity: 10 };
    const unnamed = await place(rig, exit, 'unnamed');
    expect([unnamed.status, unnamed.body.code]).toEqual([409, 'wrong_account']);
    expect(unnamed.body).toMatchObject({ broker: 'alt', mayHaveExecuted: false });
    const meant = await place(rig, { ...exit, quantity: 5, mode: 'paper' }, 'meant');
    expect([meant.status, meant.body.meta.broker]).toEqual([201, 'paper']);
    const named = await place(rig, { ...exit, quantity: 5, broker: 'paper' }, 'named');
    expect([named.status, named.body.meta.broker]).toEqual([201, 'paper']);
  });

  it('is not made there by way of slices either', async () => {
    const environment = { APP_FREEZE_QUANTITIES: 'NSE:INFY=5' };
    await using rig = await loggedInRig({ environment });
    await place(rig, PAPER, 'rehearsed');
    await rig.time.advance(10_000);
    await loseToken(rig);
    const unnamed = await place(rig, { ...SELL, quantity: 10 }, 'unnamed');
    expect(unnamed.body.code).toBe('wrong_account');
  });

  it('is made at the paper account of a route that begins with it', async () => {
    await using rig = await loggedInRig({ environment: { APP_ROUTE_TRADING: 'paper,alt' } });
    await place(rig, PAPER, 'rehearsed');
    await rig.time.advance(10_000);
    const reply = await place(rig, { ...SELL, quantity: 10 }, 'exit');
    expect([reply.status, reply.body.meta?.broker]).toEqual([201, 'paper']);
    // Paper holds none of it any more.
    await rig.time.advance(10_000);
    const again = await place(rig, { ...SELL, quantity: 10 }, 'again');
    expect(again.body.code).toBe('wrong_account');
  });
});

describe('a sale of what the live account does not hold', () => {
  it('is made at the paper account once the token is dead', async () => {
    await using rig = await loggedInRig();
    await loseToken(rig);
    const reply = await place(rig, { ...INTRADAY, side: 'SELL', instrument: 'NSE:WIPRO' }, 'short');
    expect([reply.status, reply.body.meta.broker]).toEqual([201, 'paper']);
  });
});
