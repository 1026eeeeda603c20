import type { BrokerTrigger, TriggerTerms } from '../../domain/trigger.ts';
import type { EpochMs } from '../../units/branded.ts';
import { withoutReplaced, withTerms } from './terms-at-broker.ts';
import type { TriggerBinding, TriggerRecord, TriggerState } from './trigger.ts';
import { ordersNamed, type TriggerOrder } from './trigger-order.ts';

type Kind = TriggerState['kind'];

/** What happens to a trigger. */
export type TriggerEvent =
  | { readonly type: 'acknowledge'; readonly triggerId: string }
  | { readonly type: 'refuse'; readonly reason: string }
  | { readonly type: 'give_up'; readonly reason: string }
  | { readonly type: 'lose_track'; readonly reason: string }
  | {
      readonly type: 'bind';
      readonly binding: TriggerBinding;
      /** Null where a person named it and no list has shown it. */
      readonly row: BrokerTrigger | null;
    }
  | { readonly type: 'note_absence'; readonly since: EpochMs | null }
  | { readonly type: 'name_candidates'; readonly candidates: readonly string[] }
  | { readonly type: 'call_absent'; readonly by: 'reads' | 'person'; readonly reason: string }
  | { readonly type: 'observe'; readonly row: BrokerTrigger }
  | { readonly type: 'miss'; readonly since: EpochMs }
  | {
      readonly type: 'call_gone';
      readonly reason: string;
      /** Whether it was deleted by nobody, so that it may have triggered. */
      readonly isUntold: boolean;
    }
  | { readonly type: 'note_orders'; readonly orders: readonly TriggerOrder[] }
  | { readonly type: 'take_terms'; readonly terms: TriggerTerms }
  | { readonly type: 'want_delete'; readonly isWanted: boolean };

export type TriggerEventType = TriggerEvent['type'];

/** From which states each event may come; the test compares the table of docs/triggers.md with it. */
export const TRIGGER_MOVES: Readonly<Record<TriggerEventType, readonly Kind[]>> = {
  acknowledge: ['sending'],
  refuse: ['sending'],
  give_up: ['sending'],
  lose_track: ['sending'],
  bind: ['uncertain', 'absent'],
  note_absence: ['uncertain'],
  name_candidates: ['uncertain'],
  call_absent: ['uncertain'],
  observe: ['waiting', 'triggered', 'ended'],
  miss: ['waiting'],
  call_gone: ['waiting'],
  note_orders: ['waiting', 'triggered', 'ended'],
  take_terms: ['waiting', 'triggered', 'ended'],
  want_delete: ['sending', 'uncertain', 'waiting'],
};

/** A move that the table does not have: a mistake of the gateway. */
export class ImpossibleTriggerMove extends Error {
  override readonly name = 'ImpossibleTriggerMove';

  constructor(trigger: TriggerRecord, event: TriggerEvent) {
    super(`trigger ${trigger.id} is ${trigger.state.kind}, and cannot ${event.type}`);
  }
}

/** The trigger as an event leaves it. Pure; throws ImpossibleTriggerMove. */
export function moveOf(trigger: TriggerRecord, event: TriggerEvent, at: EpochMs): TriggerRecord {
  if (!TRIGGER_MOVES[event.type].includes(trigger.state.kind)) {
    throw new ImpossibleTriggerMove(trigger, event);
  }
  if (event.type === 'take_terms') return { ...withTerms(trigger, event.terms), updatedAt: at };
  if (event.type === 'want_delete') {
    return { ...trigger, isDeleteWanted: event.isWanted, updatedAt: at };
  }
  if (event.type === 'note_orders') return { ...trigger, orders: event.orders, updatedAt: at };
  const state = stateAfter(trigger.state, event);
  const after = { ...trigger, state, ...ordersAfter(trigger, state, at), updatedAt: at };
  return withoutReplaced(after);
}

/** The orders that the row of a trigger names. Of one that had triggered before the journal kept them, none. */
function ordersAfter(
  { state: before, orders }: TriggerRecord,
  after: TriggerState,
  at: EpochMs,
): Pick<TriggerRecord, 'orders'> {
  if (!('row' in after) || after.row === null) return {};
  if (orders === undefined && before.kind === 'triggered') return {};
  // A person may have deleted the row of one that had triggered: it names its order all the same.
  const named = ordersNamed(orders ?? [], after.row, at);
  return orders === undefined && named.length === 0 && after.kind !== 'triggered'
    ? {}
    : { orders: named };
}

type StateEvent = Exclude<TriggerEvent, { type: 'take_terms' | 'want_delete' | 'note_orders' }>;

function stateAfter(before: TriggerState, event: StateEvent): TriggerState {
  switch (event.type) {
    case 'acknowledge':
      return waiting({ triggerId: event.triggerId, by: 'id' }, null);
    case 'refuse':
      return { kind: 'refused', reason: event.reason };
    case 'give_up':
      return { kind: 'not_sent', reason: event.reason };
    case 'lose_track':
      return { kind: 'uncertain', reason: event.reason, absentSince: null, candidates: [] };
    case 'call_absent':
      return { kind: 'absent', reason: event.reason, by: event.by };
    case 'bind':
      return event.row === null
        ? waiting(event.binding, null)
        : stateOfRow(event.binding, event.row);
    case 'note_absence':
      return before.kind === 'uncertain' ? { ...before, absentSince: event.since } : before;
    case 'name_candidates':
      return before.kind === 'uncertain'
        ? { ...before, candidates: event.candidates, absentSince: null }
        : before;
    case 'observe':
      return 'binding' in before ? stateOfRow(before.binding, event.row) : before;
    case 'miss':
      return before.kind === 'waiting' ? { ...before, missingSince: event.since } : before;
    case 'call_gone': {
      if (before.kind !== 'waiting') return before;
      const { binding, row } = before;
      const untold = event.isUntold ? ({ isUntold: true } as const) : {};
      return { kind: 'ended', binding, row, reason: event.reason, ...untold };
    }
  }
}

const waiting = (binding: TriggerBinding, row: BrokerTrigger | null): TriggerState => ({
  ...{ kind: 'waiting', binding, row, missingSince: null },
});

/** A word that the gateway does not know counts as waiting: such a trigger may still place an order. */
function stateOfRow(binding: TriggerBinding, row: BrokerTrigger): TriggerState {
  switch (row.status) {
    case 'triggered':
      return { kind: 'triggered', binding, row };
    case 'ended':
      return { kind: 'ended', binding, row, reason: `the broker says ${row.rawStatus}` };
    default:
      return waiting(binding, row);
  }
}
