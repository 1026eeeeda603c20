import type { EventSubject } from '../../events/event-log.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import { required } from '../journal/state.ts';
import type { TriggerId } from '../../units/branded.ts';
import {
  type TriggerChangeRecord,
  triggerChangeKey,
  type TriggerRecord,
  triggerStatusOf,
} from './trigger.ts';
import { triggerResponse } from './trigger-response.ts';
import { moveOf, type TriggerEvent } from './trigger-transitions.ts';

/** Triggers while a decision is being taken: later steps see what earlier ones put. */
export interface TriggerUnit {
  readonly unit: UnitOfWork;
  trigger(id: TriggerId): TriggerRecord;
  add(trigger: TriggerRecord): void;
  /**
   * Moves a trigger, with its event. A move that the table does not have throws in tests and in the
   * simulation; in production that one trigger stays as it is, with a critical alert.
   */
  move(id: TriggerId, event: TriggerEvent): TriggerRecord;
  putChange(change: TriggerChangeRecord): void;
}

export function createTriggerUnit(unit: UnitOfWork): TriggerUnit {
  const put = new Map<TriggerId, TriggerRecord>();
  const trigger = (id: TriggerId): TriggerRecord =>
    put.get(id) ?? required(unit.state.triggers, id, 'trigger');

  function write(row: TriggerRecord): void {
    put.set(row.id, row);
    unit.changes.push({ table: 'triggers', key: row.id, row });
  }

  function told(row: TriggerRecord): void {
    unit.event('trigger.updated', null, { trigger: triggerResponse(row) }, subjectOf(row));
  }

  function moved(before: TriggerRecord, event: TriggerEvent): TriggerRecord {
    if (unit.state.onImpossible === 'throw') return moveOf(before, event, unit.at);
    try {
      return moveOf(before, event, unit.at);
    } catch (error) {
      const message =
        `the gateway made a mistake with trigger ${before.id} (${String(error)}): look at it in the ` +
        "broker's app";
      unit.alert('critical', null, message);
      return before;
    }
  }

  return {
    unit,
    trigger,
    add(row) {
      write(row);
      told(row);
    },
    move(id, event) {
      const before = trigger(id);
      const now = moved(before, event);
      if (isSame(before, now)) return before;
      write(now);
      if (!isSame(seen(before), seen(now))) told(now);
      return now;
    },
    putChange(row) {
      unit.changes.push({ table: 'triggerChanges', key: triggerChangeKey(row), row });
      const { triggerId, kind, caller, state, reason } = row;
      const of = trigger(triggerId);
      unit.event(
        'trigger.changed',
        null,
        {
          ...{ id: triggerId, kind, caller, state, reason },
          status: triggerStatusOf(of),
        },
        subjectOf(of),
      );
    },
  };
}

const subjectOf = ({ caller, broker, terms }: TriggerRecord): EventSubject => ({
  ...{ caller, broker, instrument: terms.instrument },
});

const seen = (trigger: TriggerRecord): unknown => ({ ...triggerResponse(trigger), updatedAt: 0 });

/** Whether nothing but the time of the last change differs. */
const isSame = (one: unknown, other: unknown): boolean => stated(one) === stated(other);

const stated = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => (name === 'updatedAt' ? undefined : part));
