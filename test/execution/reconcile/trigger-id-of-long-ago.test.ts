import { describe, expect, it } from 'vitest';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import { decideTriggerPlaced } from '../../../src/execution/triggers/decide-trigger.ts';
import { decideTriggerRead } from '../../../src/execution/triggers/decide-trigger-read.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { plus } from '../../../src/units/branded.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from '../triggers/makers.ts';

const put = (row: ReturnType<typeof triggerRecord>): Change => ({
  ...{ table: 'triggers', key: row.id, row },
});

/** A journal with a trigger that ended in January as 1, opened in November: that one is not in memory. */
async function later(kind: 'sending' | 'uncertain') {
  const journal = createSqliteJournal(openDatabase(':memory:'));
  const old = { id: 'trg_old', idempotencyKey: 'old', day: '2026-01-05' };
  await journal.commit([[put(triggerRecord({ ...old, state: triggerState('ended') }))]]);
  const state = createState();
  const { changes } = await journal.load('2026-11-01');
  for (const change of changes) applyChange(state, change);
  expect(state.triggers.size).toBe(0);
  const fresh = put(triggerRecord({ state: triggerState(kind) }));
  expect((await journal.commit([[fresh]])).error).toBeNull();
  applyChange(state, fresh);
  return { journal, state };
}

describe('a trigger of which the broker uses the id of one that has left memory', () => {
  it('can be written down once it is acknowledged', async () => {
    const { journal, state } = await later('sending');
    const outcome = { kind: 'acknowledged', triggerId: '1' } as const;
    const { changes } = decideTriggerPlaced(state, { id: 'trg_1', outcome, at: AT });
    expect(await journal.commit([changes])).toMatchObject({ committed: 1, error: null });
  });

  it('does not keep a list from being taken in for all other triggers', async () => {
    const { journal, state } = await later('uncertain');
    const { changes } = decideTriggerRead(state, {
      ...{ broker: 'alt', list: { triggers: [brokerTrigger()], unread: [] }, account: null },
      ...{ isAfter: () => true, isLasting: () => false, isTold: () => false },
      at: plus(AT, 5_000),
    });
    expect(await journal.commit([changes])).toMatchObject({ committed: 1, error: null });
  });
});
