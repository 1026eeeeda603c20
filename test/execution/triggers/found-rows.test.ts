import { describe, expect, it } from 'vitest';
import type { BrokerTrigger } from '../../../src/domain/trigger.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import { decideTriggerRead } from '../../../src/execution/triggers/decide-trigger-read.ts';
import type { TriggerRecord } from '../../../src/execution/triggers/trigger.ts';
import { plus } from '../../../src/units/branded.ts';
import { eventsOf } from '../support/makers.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from './makers.ts';

const LATER = plus(AT, 120_000);

/** What a whole list makes of these triggers: how each stands, and the alerts. */
function readOf(triggers: readonly TriggerRecord[], rows: readonly BrokerTrigger[]) {
  const state = createState();
  for (const row of triggers) applyChange(state, { table: 'triggers', key: row.id, row });
  const decision = decideTriggerRead(state, {
    broker: 'alt',
    list: { triggers: rows, unread: [] },
    account: null,
    isAfter: () => true,
    isLasting: () => false,
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
