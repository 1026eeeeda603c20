import { describe, expect, it } from 'vitest';
import type { TriggerRecord } from '../../src/execution/triggers/trigger.ts';
import { applyChange, createState } from '../../src/execution/journal/state.ts';
import { decideTriggerPlaced } from '../../src/execution/triggers/decide-trigger.ts';
import { decideTriggerRead } from '../../src/execution/triggers/decide-trigger-read.ts';
import { plus } from '../../src/units/branded.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from '../execution/triggers/makers.ts';
import { placeTrigger, rowsAtBroker, spoilTriggers, STOP } from './trigger-walk.ts';
import { loggedInRig } from './walk.ts';

describe("a person's word that names the row of a trigger whose request is on its way", () => {
  it('never has that one called not placed', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'reset_before', 'POST');
    const first = await placeTrigger(rig, STOP, 'first');
    const resolve = (json: object, key: string) =>
      rig.post(`/api/v1/triggers/${first.body.data.id}/resolve`, json, { 'idempotency-key': key });
    await resolve({ absent: true }, 'a word');
    // Placed anew: the broker has it, and its answer never comes.
    spoilTriggers(rig, 'hang_after', 'POST');
    const second = rig.begin({
      ...{ method: 'POST', path: '/api/v1/triggers', json: STOP },
      headers: { 'idempotency-key': 'second' },
    });
    second.catch(() => null);
    await rig.time.advance(500);
    const [row] = rowsAtBroker(rig);
    // A person sees it in the broker's app, and takes it for the first one.
    const said = await resolve({ placed: String(row?.id) }, 'another word');
    await rig.time.advance(400_000);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'active' }]);
    const again = await placeTrigger(rig, STOP, 'second');
    expect([said.status, again.status]).toEqual([409, 202]);
  });
});

describe('a trigger that is acknowledged with an id that another one is bound to', () => {
  it.each([
    ['a person had named it for that one', { by: 'person', kind: 'waiting' }],
    [
      'that one was deleted long ago, and the broker uses its id again',
      { by: 'id', kind: 'ended' },
    ],
  ] as const)('is never called absent: %s', (_, { by, kind }) => {
    const state = createState();
    const put = (row: TriggerRecord) => applyChange(state, { table: 'triggers', key: row.id, row });
    const binding = { triggerId: '1', by } as const;
    put(
      triggerRecord({
        state:
          kind === 'waiting'
            ? { kind, binding, row: brokerTrigger(), missingSince: null }
            : { kind, binding, row: null, reason: 'it was deleted' },
      }),
    );
    put(triggerRecord({ id: 'trg_2', idempotencyKey: 'key 2', state: triggerState('sending') }));
    const outcome = { kind: 'acknowledged', triggerId: '1' } as const;
    const placed = decideTriggerPlaced(state, { id: 'trg_2', outcome, at: AT });
    for (const change of placed.changes) applyChange(state, change);
    const read = decideTriggerRead(state, {
      ...{ broker: 'alt', list: { triggers: [brokerTrigger()], unread: [] }, account: null },
      ...{ isAfter: () => true, isLasting: () => true, isTold: () => false },
      at: plus(AT, 400_000),
    });
    for (const change of read.changes) applyChange(state, change);
    // The broker itself has said that it placed it.
    expect(state.triggers.get('trg_2')?.state.kind).not.toBe('absent');
  });
});
