import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import {
  changeTrigger,
  deleteTrigger,
  placeTrigger,
  sentTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig, restartLongAfter } from './walk.ts';

const LOWER = { legs: [{ triggerPrice: 1_440, price: 1_439.5 }] };

async function placedTrigger(rig: Rig): Promise<string> {
  const reply = await placeTrigger(rig, STOP, 'stop');
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

describe('a key of a change of a trigger', () => {
  it('used for another modification of it is a conflict, and sends nothing', async () => {
    await using rig = await loggedInRig();
    const id = await placedTrigger(rig);
    await changeTrigger(rig, id, LOWER, 'lower');
    const other = await changeTrigger(rig, id, { legs: [{ quantity: 5 }] }, 'lower');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(sentTriggers(rig, 'PUT')).toHaveLength(1);
    expect(await triggerOf(rig, id)).toMatchObject({ legs: [{ quantity: 10 }] });
  });

  it('is answered long after the trigger has ended, when it is in memory no more', async () => {
    await using rig = await loggedInRig();
    const id = await placedTrigger(rig);
    await changeTrigger(rig, id, LOWER, 'lower');
    await deleteTrigger(rig, id);
    await restartLongAfter(rig);
    const again = await changeTrigger(rig, id, LOWER, 'lower');
    expect([again.status, again.body.data?.status], again.text).toEqual([200, 'ended']);
    const other = await changeTrigger(rig, id, { legs: [{ quantity: 5 }] }, 'lower');
    expect([other.status, other.body.code], other.text).toEqual([422, 'idempotency_conflict']);
    const deleted = await deleteTrigger(rig, id);
    expect([deleted.status, deleted.body.data?.status], deleted.text).toEqual([200, 'ended']);
  });
});
