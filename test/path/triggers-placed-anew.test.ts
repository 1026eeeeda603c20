import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import {
  deleteTrigger,
  placeTrigger,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig } from './walk.ts';

/**
 * The first request did not arrive, and a person has said so; its caller places the same trigger anew. The broker has
 * that one, a list shows it while its request is still open, and its answer never comes. The id of the first.
 */
async function placedAnew(
  rig: Rig,
  before: (id: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  spoilTriggers(rig, 'reset_before', 'POST');
  const first = await placeTrigger(rig, STOP, 'first');
  const id: string = first.body.data.id;
  await before(id);
  await rig.post(`/api/v1/triggers/${id}/resolve`, { absent: true }, { 'idempotency-key': 'word' });
  expect((await triggerOf(rig, id)).status).toBe('absent');
  spoilTriggers(rig, 'hang_after', 'POST');
  const second = rig.begin({
    ...{ method: 'POST', path: '/api/v1/triggers', json: STOP },
    headers: { 'idempotency-key': 'second' },
  });
  second.catch(() => null);
  await rig.time.advance(20_000);
  expect(sentTriggers(rig, 'POST')).toHaveLength(2);
  return id;
}

const waitingAtBroker = (rig: Rig) => rowsAtBroker(rig).filter(({ status }) => status === 'active');

describe('a trigger that is placed anew after one of its terms was called absent', () => {
  it('is not taken for the absent one by a list that is read before its answer', async () => {
    await using rig = await loggedInRig();
    const first = await placedAnew(rig);
    expect((await triggerOf(rig, first)).status).toBe('absent');
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(false);
  });

  it('is for a person where its answer never comes, and is never called not placed', async () => {
    await using rig = await loggedInRig();
    await placedAnew(rig);
    await rig.time.advance(400_000);
    expect(waitingAtBroker(rig)).toHaveLength(1);
    const again = await placeTrigger(rig, STOP, 'second');
    const candidates = rowsAtBroker(rig).map(({ id }) => String(id));
    expect([again.status, again.body.data]).toMatchObject([
      202,
      { status: 'uncertain', candidates },
    ]);
  });

  it('is not deleted because the absent one was to be', async () => {
    await using rig = await loggedInRig();
    await placedAnew(rig, (id) => deleteTrigger(rig, id));
    expect(sentTriggers(rig, 'DELETE')).toEqual([]);
    expect(waitingAtBroker(rig)).toHaveLength(1);
  });
});
