import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import {
  alertsOf,
  LEG,
  placeElsewhere,
  placeTrigger,
  rowsAtBroker,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig, spoilReading } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const HELD = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };

async function exitAll(rig: Rig, more: object = {}, ms = 15_000) {
  const { body } = await rig.post('/api/v1/exits', { ...HELD, ...more });
  await rig.time.advance(ms);
  return (await rig.get(`/api/v1/exits/${body.data.id}`)).body.data;
}

async function placed(rig: Rig, body: object = STOP): Promise<string> {
  const reply = await placeTrigger(rig, body, 'stop');
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

describe('an exit', () => {
  it('deletes the triggers of the gateway that could sell again, and then is flat', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    expect(await exitAll(rig)).toMatchObject({ status: 'flat', held: 0 });
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });

  it('leaves a trigger that would buy', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig, { ...STOP, legs: [{ ...LEG, side: 'BUY', price: 1_451 }] });
    expect(await exitAll(rig)).toMatchObject({ status: 'flat' });
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'waiting' });
  });

  it('names a trigger that was placed elsewhere, and ends it only where it is asked to', async () => {
    await using rig = await loggedInRig();
    const other = placeElsewhere(rig);
    const exit = await exitAll(rig);
    expect([exit.status, exit.detail]).toEqual(['flat', expect.stringContaining(other)]);
    expect((await alertsOf(rig)).join()).toContain(other);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'active' }]);
  });

  it('ends a trigger that was placed elsewhere where it is asked to', async () => {
    await using rig = await loggedInRig();
    placeElsewhere(rig);
    expect(await exitAll(rig, { cancelExternal: true })).toMatchObject({ status: 'flat' });
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });

  it('is not blocked by a list that cannot be read, which it names', async () => {
    await using rig = await loggedInRig();
    spoilReading(rig, 'error_before', '/gtt/triggers');
    const exit = await exitAll(rig);
    expect([exit.status, exit.detail]).toEqual([
      'flat',
      expect.stringContaining('could not be read'),
    ]);
    expect((await alertsOf(rig)).join()).toContain('could trade NSE:INFY again');
  });

  it('is never flat while a trigger of the gateway is not seen to be deleted', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    await rig.time.advance(2_000);
    spoilTriggers(rig, 'error_before', 'DELETE', { times: 1_000 });
    const exit = await exitAll(rig, {}, 60_000);
    expect(exit).toMatchObject({ status: 'stopped', why: 'trigger_not_deleted', held: 0 });
    expect(exit.detail).toContain(id);
    expect(exit.orders).toMatchObject([{ status: 'filled', quantity: 200 }]);
  });
});
