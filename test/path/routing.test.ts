import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, pinnedRig, place, placings, spoilPlacing } from './walk.ts';

const paperOrders = async (rig: Rig): Promise<readonly unknown[]> =>
  (await rig.get('/api/v1/orders?broker=paper')).body.data;

describe('while nobody is logged in', () => {
  it('an order goes to the paper account', async () => {
    await using rig = await pinnedRig();
    const reply = await place(rig, BUY, 'unnamed');
    expect(reply.status).toBe(201);
    expect(reply.body.meta).toEqual({ broker: 'paper', mode: 'paper' });
    expect(placings(rig)).toEqual([]);
  });

  it.each([
    ['names the alternative broker', { broker: 'alt' }],
    ['asks for a real account', { mode: 'live' }],
  ])('an order that %s is 503, and goes nowhere', async (_what, wish) => {
    await using rig = await pinnedRig();
    const reply = await place(rig, { ...BUY, ...wish }, 'live');
    expect([reply.status, reply.body.code]).toEqual([503, 'token_absent']);
    expect(reply.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(await paperOrders(rig)).toEqual([]);
    expect(placings(rig)).toEqual([]);
  });
});

describe('while the alternative broker is away', () => {
  it('an order is 503, known not to be sent, and never a paper one', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'refuse');
    const reply = await place(rig, BUY, 'away');
    expect([reply.status, reply.body.code]).toEqual([503, 'order_not_sent']);
    expect(reply.body).toMatchObject({ broker: 'alt', mayHaveExecuted: false, retrySafe: true });
    expect(await paperOrders(rig)).toEqual([]);
    expect(rig.sandbox.kite.orders()).toEqual([]);
  });

  it('an order turns into a paper one where the settings say so, and only there', async () => {
    await using rig = await loggedInRig({ environment: { APP_PAPER_ON_OUTAGE: 'true' } });
    spoilPlacing(rig, 'refuse');
    const reply = await place(rig, BUY, 'fallback');
    expect(reply.status).toBe(201);
    expect(reply.body.meta).toEqual({ broker: 'paper', mode: 'paper' });
    expect(rig.sandbox.kite.orders()).toEqual([]);
  });

  it('an order that may have been placed never becomes a paper one, whatever the settings', async () => {
    await using rig = await loggedInRig({ environment: { APP_PAPER_ON_OUTAGE: 'true' } });
    spoilPlacing(rig, 'error_before');
    const reply = await place(rig, BUY, 'open');
    expect([reply.status, reply.body.meta.broker]).toEqual([202, 'alt']);
    expect(await paperOrders(rig)).toEqual([]);
  });

  it('an order held back by the breaker is 503, and never a paper one', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'refuse', { times: 5 });
    for (let count = 0; count < 5; count += 1) await place(rig, BUY, `away-${count}`);
    const reply = await place(rig, BUY, 'held');
    expect([reply.status, reply.body.code]).toEqual([503, 'order_not_sent']);
    expect(placings(rig)).toHaveLength(5);
    expect(await paperOrders(rig)).toEqual([]);
  });

  it('quotes come from the primary brokerage', async () => {
    await using rig = await loggedInRig();
    rig.sandbox.faults.add({ broker: 'kite', kind: 'refuse', match: { path: '/quote' } });
    const reply = await rig.get('/api/v1/quotes?instruments=NSE:INFY&maxAgeMs=0');
    expect([reply.status, reply.body.meta.broker]).toEqual([200, 'primary']);
  });
});

describe('an order that names the paper account', () => {
  it('and wants to be live is refused for good', async () => {
    await using rig = await loggedInRig();
    const reply = await place(rig, { ...BUY, broker: 'paper', mode: 'live' }, 'both');
    expect([reply.status, reply.body.code]).toEqual([400, 'wrong_mode']);
  });

  it('goes there also after the login', async () => {
    await using rig = await loggedInRig();
    const reply = await place(rig, { ...BUY, broker: 'paper' }, 'paper');
    expect([reply.status, reply.body.meta.broker]).toEqual([201, 'paper']);
    expect(placings(rig)).toEqual([]);
  });
});
