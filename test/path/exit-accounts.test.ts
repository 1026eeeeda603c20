import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, place } from '../path/walk.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';

/** The default route is alt,paper. */
const POSITION = { instrument: 'NSE:INFY', product: 'INTRADAY' };

const SALE = { ...BUY, product: 'INTRADAY', side: 'SELL' };

function postsAs(rig: Rig, confinement: { mode: 'live' | 'paper'; broker?: string }) {
  const added = rig.composed.callers.add({ name: 'strategy', scope: 'trade', ...confinement });
  const headers = { authorization: `Bearer ${added.key.reveal()}` };
  return (path: string, json: object) => rig.call({ method: 'POST', path, json, headers });
}

/** The gateway has read the live account; what is bought in its app afterwards is in no portfolio that it keeps. */
async function boughtByHand(rig: Rig): Promise<void> {
  await rig.get('/api/v1/orders?broker=alt');
  await rig.time.advance(10_000);
  elsewhere(rig.sandbox, 'POST', '/orders/regular', {
    ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '10' },
    ...{ product: 'MIS', order_type: 'LIMIT', price: '1510', validity: 'DAY' },
  });
  await rig.time.advance(3_000);
}

/** As in path/exit-guard.test. */
async function loseToken(rig: Rig): Promise<void> {
  rig.sandbox.kite.killTokens();
  await rig.get('/api/v1/positions?broker=alt&maxAgeMs=0');
  const status = await rig.get('/api/altbroker/status');
  expect(status.body.data.state).toBe('expired');
}

describe('an exit that names no broker, where paper stands behind the live account in the route', () => {
  it('is not held up by what paper holds beside the live account', async () => {
    await using rig = await loggedInRig();
    // The live account holds 200 of these.
    await place(rig, { ...BUY, broker: 'paper' }, 'rehearsed');
    await rig.time.advance(10_000);
    const { status, body } = await rig.post('/api/v1/exits', { ...POSITION, product: 'CNC' });
    expect([status, body.data?.broker], JSON.stringify(body)).toEqual([202, 'alt']);
  });

  it('goes to the live account that holds the position, also where paper holds as much of it', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...BUY, product: 'INTRADAY', broker: 'paper' }, 'rehearsed');
    await rig.time.advance(10_000);
    await boughtByHand(rig);
    const { status, body } = await rig.post('/api/v1/exits', POSITION);
    expect([status, body.data?.broker]).toEqual([202, 'alt']);
    await rig.time.advance(20_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ broker: 'alt', status: 'flat' });
    const paper = await rig.get('/api/v1/orders?broker=paper');
    expect(paper.body.data.map(({ side }: { side: string }) => side)).toEqual(['BUY']);
  });

  it('begins nowhere once the token is dead and nobody knows what the live account holds', async () => {
    await using rig = await loggedInRig();
    await boughtByHand(rig);
    await loseToken(rig);
    const { body } = await rig.post('/api/v1/exits', POSITION);
    expect(body).toMatchObject({ code: 'token_absent', broker: 'alt', mayHaveExecuted: false });
    expect(body.detail).toContain('name the broker');
    expect((await rig.get('/api/v1/exits')).body.data).toEqual([]);
    const named = await rig.post('/api/v1/exits', { ...POSITION, broker: 'paper' });
    expect([named.status, named.body.data.broker]).toEqual([202, 'paper']);
  });
});

describe('an exit of a key', () => {
  it('of mode live never goes to paper, as its orders do not', async () => {
    await using rig = await loggedInRig();
    await boughtByHand(rig);
    await loseToken(rig);
    const post = postsAs(rig, { mode: 'live' });
    expect((await post('/api/v1/orders', SALE)).status).toBeGreaterThanOrEqual(400);
    expect((await post('/api/v1/exits', POSITION)).body.code).toBe('token_absent');
    const named = await post('/api/v1/exits', { ...POSITION, broker: 'paper' });
    expect([named.status, named.body.code]).toEqual([400, 'wrong_mode']);
  });

  it('of mode paper goes to paper, whatever the live account holds', async () => {
    await using rig = await loggedInRig();
    const post = postsAs(rig, { mode: 'paper', broker: 'paper' });
    await post('/api/v1/orders', BUY);
    await rig.time.advance(10_000);
    const { status, body } = await post('/api/v1/exits', { ...POSITION, product: 'CNC' });
    expect([status, body.data.broker]).toEqual([202, 'paper']);
  });
});

describe('an exit that names no broker, of a rehearsal', () => {
  it('goes to paper where the route begins with it', async () => {
    await using rig = await loggedInRig({ environment: { APP_ROUTE_TRADING: 'paper,alt' } });
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'rehearsed');
    await rig.time.advance(10_000);
    const { status, body } = await rig.post('/api/v1/exits', POSITION);
    expect([status, body.data.broker]).toEqual([202, 'paper']);
    await rig.time.advance(20_000);
    expect((await rig.get(`/api/v1/exits/${body.data.id}`)).body.data.status).toBe('flat');
  });
});

describe('an exit that names no broker, of two live accounts', () => {
  const environment = { APP_ROUTE_TRADING: 'alt,primary' };

  it('goes to the one in whose app the shares were bought a moment ago', async () => {
    await using rig = await loggedInRig({ environment });
    await rig.time.advance(10_000);
    rig.sandbox.primary.placeByHand({ instrument: 'NSE:WIPRO', side: 'BUY', quantity: 10 });
    await rig.time.advance(5_000);
    const { status, body } = await rig.post('/api/v1/exits', {
      ...{ instrument: 'NSE:WIPRO', product: 'CNC' },
    });
    expect([status, body.data.broker]).toEqual([202, 'primary']);
  });

  it('waits three seconds at most for one that cannot be read', async () => {
    await using rig = await loggedInRig({ environment });
    await rig.time.advance(70_000);
    rig.sandbox.faults.add({
      ...{ broker: 'primary', kind: 'hang_before' },
      match: { method: 'GET', path: '/portfolio/positions' },
    });
    const begun = rig.time.elapsed();
    const exit = { instrument: 'NSE:INFY', product: 'CNC' };
    const { body } = await rig.post('/api/v1/exits', exit);
    expect(body.data.broker).toBe('alt');
    expect(rig.time.elapsed() - begun).toBeLessThanOrEqual(3_500);
  });
});
