import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, orderOf, pinnedRig, place, placings, RESTING } from './walk.ts';

const turn = (rig: Rig, engaged: boolean) =>
  rig.post('/api/v1/kill-switch', { engaged, reason: 'a test' });
const SELL = { ...BUY, side: 'SELL', quantity: 50 };

describe('the kill switch', () => {
  it('refuses a purchase, with nothing sent', async () => {
    await using rig = await loggedInRig();
    await turn(rig, true);
    const reply = await place(rig, BUY, 'stopped');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    expect(reply.body.mayHaveExecuted).toBe(false);
    expect(placings(rig)).toEqual([]);
  });

  it('refuses a paper order as well', async () => {
    await using rig = await pinnedRig();
    await turn(rig, true);
    expect((await place(rig, BUY, 'stopped')).body.code).toBe('kill_switch');
  });

  it('lets a sale of what is held pass', async () => {
    await using rig = await loggedInRig();
    await turn(rig, true);
    expect((await place(rig, SELL, 'exit')).status).toBe(201);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });

  it('refuses a sale of more than is held, and of more than is left after other sales', async () => {
    await using rig = await loggedInRig();
    await turn(rig, true);
    // The account opens with 200.
    expect((await place(rig, { ...SELL, quantity: 201 }, 'over')).body.code).toBe('kill_switch');
    const resting = { ...SELL, quantity: 150, orderType: 'LIMIT', price: 1_530 };
    expect((await place(rig, resting, 'most')).status).toBe(201);
    await rig.time.advance(2_000);
    expect((await place(rig, { ...SELL, quantity: 51 }, 'rest')).body.code).toBe('kill_switch');
    expect((await place(rig, SELL, 'last')).status).toBe(201);
  });

  it('lets a cancel pass', async () => {
    await using rig = await loggedInRig();
    const placed = await place(rig, RESTING, 'resting');
    await rig.time.advance(2_000);
    await turn(rig, true);
    expect((await cancel(rig, placed.body.data.id)).status).toBe(202);
    await rig.time.advance(3_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'cancelled' });
  });

  it('stays engaged over a restart', async () => {
    await using rig = await loggedInRig();
    await turn(rig, true);
    await rig.restart();
    expect((await place(rig, BUY, 'stopped')).body.code).toBe('kill_switch');
  });

  it('is engaged by a key that may trade, and released by an admin’s alone', async () => {
    await using rig = await loggedInRig();
    const { key } = rig.composed.callers.add({ name: 'bot', scope: 'trade' });
    const headers = { authorization: `Bearer ${key.reveal()}` };
    const set = (json: object) =>
      rig.post('/api/v1/kill-switch', { ...json, reason: 'a' }, headers);
    expect((await set({ engaged: true })).status).toBe(200);
    for (const release of [{ engaged: false }, { thrown: false }]) {
      const reply = await set(release);
      expect([reply.status, reply.body.code]).toEqual([403, 'forbidden']);
    }
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(true);
    expect((await turn(rig, false)).body.data.engaged).toBe(false);
  });

  it('lets everything pass once it is released', async () => {
    await using rig = await loggedInRig();
    await turn(rig, true);
    await turn(rig, false);
    expect((await place(rig, BUY, 'released')).status).toBe(201);
  });
});
