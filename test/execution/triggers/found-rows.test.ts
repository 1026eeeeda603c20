import { describe, expect, it } from 'vitest';
import type { BrokerTrigger, UnreadTrigger } from '../../../src/domain/trigger.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import { decideTriggerRead } from '../../../src/execution/triggers/decide-trigger-read.ts';
import {
  type TriggerChangeRecord,
  triggerChangeKey,
  type TriggerRecord,
} from '../../../src/execution/triggers/trigger.ts';
import { plus, type TriggerId } from '../../../src/units/branded.ts';
import { eventsOf } from '../support/makers.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from './makers.ts';

const LATER = plus(AT, 120_000);

/** What a whole list makes of these triggers: how each stands, and the alerts. */
function readOf(
  triggers: readonly TriggerRecord[],
  rows: readonly BrokerTrigger[],
  more: {
    readonly unread?: readonly UnreadTrigger[];
    readonly isLasting?: boolean;
    readonly isAfter?: (id: TriggerId) => boolean;
    readonly change?: TriggerChangeRecord;
  } = {},
) {
  const { unread = [], isLasting = false, isAfter = () => true, change } = more;
  const state = createState();
  for (const row of triggers) applyChange(state, { table: 'triggers', key: row.id, row });
  if (change) {
    applyChange(state, { table: 'triggerChanges', key: triggerChangeKey(change), row: change });
  }
  const decision = decideTriggerRead(state, {
    broker: 'alt',
    list: { triggers: rows, unread },
    account: null,
    isAfter,
    isLasting: () => isLasting,
    isTold: () => false,
    at: LATER,
  });
  const alerts = eventsOf(decision).filter(({ type }) => type === 'alert');
  for (const change of decision.changes) applyChange(state, change);
  const states = [...state.triggers.values()].map((each) => each.state.kind);
  return { states, alerts: alerts.map(({ data }) => `${data['level']}: ${data['message']}`) };
}

const uncertain = (changes: Partial<TriggerRecord> = {}): TriggerRecord =>
  triggerRecord({ state: triggerState('uncertain'), ...changes });
const absent = (changes: Partial<TriggerRecord> = {}): TriggerRecord =>
  triggerRecord({ state: triggerState('absent'), ...changes });

describe('the row of a trigger with an unknown outcome', () => {
  it('is the only one of its terms that was not there before', () => {
    expect(readOf([uncertain()], [brokerTrigger()]).states).toEqual(['waiting']);
    const before = brokerTrigger({ triggerId: '7' });
    expect(readOf([uncertain()], [before, brokerTrigger()]).states).toEqual(['waiting']);
    expect(readOf([uncertain()], [before]).states).toEqual(['uncertain']);
  });

  it('is no row that another trigger could be as well: a person says whose it is', () => {
    // The first was called absent, and its caller has placed another one since.
    const second = uncertain({ id: 'trg_2', idempotencyKey: 'key 2', brokerAt: plus(AT, 60_000) });
    const row = brokerTrigger({ createdAt: plus(AT, 61_000) });
    const { states, alerts } = readOf([absent(), second], [row]);
    expect(states).toEqual(['absent', 'uncertain']);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]).toContain('critical: trigger trg_2 may be any of 1 at alt');
  });

  it.each(['sending', 'uncertain'] as const)(
    'is no row that one whose request was open when the list was read could be, which is %s now',
    (kind) => {
      const second = triggerRecord({
        ...{ id: 'trg_2', idempotencyKey: 'key 2', brokerAt: plus(AT, 60_000) },
        state: triggerState(kind),
      });
      const row = brokerTrigger({ createdAt: plus(AT, 61_000) });
      const isAfter = (id: TriggerId): boolean => id === 'trg_1';
      expect(readOf([absent(), second], [row], { isAfter })).toEqual({
        states: ['absent', kind],
        alerts: [],
      });
    },
  );

  it('is found by a person alone where no list was read before the request', () => {
    const { states, alerts } = readOf([uncertain({ baseline: null })], [brokerTrigger()]);
    expect(states).toEqual(['uncertain']);
    expect(alerts[0]).toContain('trigger trg_1 may be any of 1 at alt');
  });

  it('is found by a person alone where there are several', () => {
    const rows = [brokerTrigger(), brokerTrigger({ triggerId: '2' })];
    expect(readOf([uncertain()], rows).states).toEqual(['uncertain']);
  });

  it('engages the kill switch where the trigger had been called absent', () => {
    const { states, alerts } = readOf([absent()], [brokerTrigger()]);
    expect(states).toEqual(['waiting']);
    expect(alerts[0]).toContain('whoever placed another one has two now');
  });
});

describe('a trigger that no row of a list is', () => {
  it.each([
    ['has rows that can all be read', [], 'absent'],
    ['has one that cannot be read', [{ triggerId: null, instrument: null }], 'uncertain'],
    ['has one of another instrument', [{ triggerId: null, instrument: 'NSE:TCS' }], 'absent'],
    ['has one that was there before', [{ triggerId: '7', instrument: 'NSE:INFY' }], 'absent'],
  ])('whole lists have lacked for long is absent, unless one %s', (_what, rows, kind) => {
    const unread = rows.map((row) => ({ ...row, reason: 'legs: expected array' }));
    expect(readOf([uncertain()], [], { unread, isLasting: true }).states).toEqual([kind]);
  });

  it.each([
    ['at once where its deletion was acknowledged', true, 'ended'],
    ['later where nobody has deleted it', false, 'waiting'],
  ])('is over %s', (_when, isDeleted, kind) => {
    const waiting = triggerRecord({ state: triggerState('waiting') });
    const change: TriggerChangeRecord = {
      ...{ triggerId: waiting.id, kind: 'delete', caller: 'admin', idempotencyKey: 'k' },
      ...{ requestHash: 'hash', terms: null, state: 'acknowledged', reason: null },
      ...{ at: AT, settledAt: null },
    };
    expect(readOf([waiting], [], isDeleted ? { change } : {}).states).toEqual([kind]);
  });
});
