import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OWN_TRIGGER_STATUSES } from '../../../src/domain/trigger.ts';
import {
  ImpossibleTriggerMove,
  moveOf,
  TRIGGER_MOVES,
  type TriggerEvent,
} from '../../../src/execution/triggers/trigger-transitions.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from './makers.ts';

const row = brokerTrigger();
const reason = 'r';

const EVENTS: readonly TriggerEvent[] = [
  { type: 'acknowledge', triggerId: '1' },
  { type: 'refuse', reason },
  { type: 'give_up', reason },
  { type: 'lose_track', reason },
  { type: 'bind', binding: { triggerId: '1', by: 'match' }, row },
  { type: 'note_absence', since: AT },
  { type: 'name_candidates', candidates: ['1', '2'] },
  { type: 'call_absent', by: 'reads', reason },
  { type: 'observe', row },
  { type: 'miss', since: AT },
  { type: 'call_gone', reason, isUntold: false },
  { type: 'note_orders', orders: [] },
  { type: 'take_terms', terms: triggerRecord().terms },
  { type: 'want_delete', isWanted: true },
];

/** Where each event leads from each state; null where the table has no such move. */
const ENDS = EVENTS.map((event) => {
  const ends = OWN_TRIGGER_STATUSES.map((kind) => {
    try {
      return moveOf(triggerRecord({ state: triggerState(kind) }), event, AT).state.kind;
    } catch (error) {
      if (error instanceof ImpossibleTriggerMove) return null;
      throw error;
    }
  });
  return { type: event.type, ends };
});

describe('the moves of a trigger', () => {
  it('are those of the table, and every other one throws', () => {
    const allowed = ENDS.map(({ type, ends }) => [
      type,
      OWN_TRIGGER_STATUSES.filter((_, place) => ends[place] !== null).toSorted(),
    ]);
    const table = Object.entries(TRIGGER_MOVES).map(([type, from]) => [type, from.toSorted()]);
    expect(allowed).toEqual(table);
  });

  it('are those that the page lists', () => {
    const page = readFileSync('docs/triggers.md', 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+)` +\|[^|]*\|([^|]*)\|/gm)]
      .filter(([, type]) => type !== undefined && type in TRIGGER_MOVES)
      .map(([, type, from]) => [
        type,
        [...(from ?? '').matchAll(/`(\w+)`/g)].map(([, kind]) => kind).toSorted(),
      ]);
    const table = Object.entries(TRIGGER_MOVES).map(([type, from]) => [type, from.toSorted()]);
    expect(listed).toEqual(table);
  });

  it.each([
    ['waiting', 'waiting'],
    ['unrecognised', 'waiting'],
    ['triggered', 'triggered'],
    ['ended', 'ended'],
  ] as const)('by a row that is %s lead to %s', (status, kind) => {
    for (const before of ['waiting', 'triggered', 'ended'] as const) {
      const trigger = triggerRecord({ state: triggerState(before) });
      const seen = { type: 'observe', row: brokerTrigger({ status }) } as const;
      expect(moveOf(trigger, seen, AT).state.kind).toBe(kind);
    }
  });

  it('never lose that it is to be deleted', () => {
    const trigger = triggerRecord({ state: triggerState('uncertain'), isDeleteWanted: true });
    const bound = moveOf(trigger, EVENTS[4]!, AT);
    expect([bound.state.kind, bound.isDeleteWanted]).toEqual(['waiting', true]);
  });
});
