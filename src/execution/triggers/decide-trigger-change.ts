import type { TriggerOutcome } from '../../domain/ports.ts';
import type { TriggerTerms } from '../../domain/trigger.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, TriggerId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import type { Brake } from '../submit/brakes.ts';
import { brakeOnLegs, type CheckedLeg } from './decide-trigger.ts';
import { isSameTerms } from './match-trigger.ts';
import { termsAtBroker } from './terms-at-broker.ts';
import {
  isOpenChange,
  isTriggerOver,
  type TriggerChangeRecord,
  triggerBindingOf,
  triggerChangeKey,
  type TriggerRecord,
} from './trigger.ts';
import { createTriggerUnit, type TriggerUnit } from './trigger-unit.ts';

/** A change that is asked for under a key. */
export type TriggerChangeKey = Pick<
  TriggerChangeRecord,
  'triggerId' | 'kind' | 'caller' | 'idempotencyKey' | 'requestHash'
>;

export interface ChangeTriggerCommand {
  readonly key: TriggerChangeKey;
  /** Null deletes. */
  readonly terms: TriggerTerms | null;
  /** What it was when the change was prepared; null for a deletion. */
  readonly before: TriggerTerms | null;
  /** Of the new terms; empty for a deletion, and for a modification that makes nothing larger. */
  readonly legs: readonly CheckedLeg[];
  readonly at: EpochMs;
}

export type ChangeTriggerReply =
  /** On disk; the request may leave now. `trigger` is as it was before. */
  | { readonly kind: 'sending'; readonly trigger: TriggerRecord; readonly brokerTriggerId: string }
  /** The key has asked for it before. */
  | { readonly kind: 'known'; readonly change: TriggerChangeRecord }
  /** It is to be deleted as soon as it is known which of the broker's it is. */
  | { readonly kind: 'kept'; readonly trigger: TriggerRecord }
  /** It waits no more: nothing is to be sent. */
  | { readonly kind: 'over'; readonly trigger: TriggerRecord }
  /** Its outcome, or that of another change of it, is open. */
  | { readonly kind: 'open'; readonly trigger: TriggerRecord; readonly why: string }
  | { readonly kind: 'braked'; readonly brake: Brake }
  | { readonly kind: 'account_unread' }
  /** Its terms are no longer those from which the change was made: it has to be prepared anew. */
  | { readonly kind: 'outdated' };

/** The changes of a trigger whose outcome is open. */
export function openChangesOf(
  state: ExecutionState,
  id: TriggerId,
): readonly TriggerChangeRecord[] {
  return [...state.triggerChanges.values()].filter(
    (change) => change.triggerId === id && isOpenChange(change),
  );
}

/**
 * Whether a trigger that has ended may still be there, and no deletion of it was taken: only lists lack it, and they can be
 * wrong, or its broker has disabled it, and a person can enable it again.
 */
function isEndInferred(state: ExecutionState, { id, state: now }: TriggerRecord): boolean {
  if (now.kind !== 'ended') return false;
  if (now.row?.status === 'ended' && now.row.mayReturn !== true) return false;
  return ![...state.triggerChanges.values()].some(
    (change) =>
      change.triggerId === id &&
      change.kind === 'delete' &&
      (change.state === 'acknowledged' || change.state === 'taken'),
  );
}

/** Writes a change down before its request leaves. A deletion is never held back by another change. */
export function decideChangeTrigger(
  state: ExecutionState,
  { key, terms, before, legs, at }: ChangeTriggerCommand,
): Decision<Change, ChangeTriggerReply> {
  const trigger = required(state.triggers, key.triggerId, 'trigger');
  const known = state.triggerChanges.get(triggerChangeKey(key));
  // Where nothing was sent, the key is free again.
  if (known && known.state !== 'not_sent') return same({ kind: 'known', change: known });
  const isOver = isTriggerOver(trigger);
  if (isOver && (terms !== null || !isEndInferred(state, trigger))) {
    return same({ kind: 'over', trigger });
  }
  const triggers = createTriggerUnit(new UnitOfWork(state, at));
  const bound = triggerBindingOf(trigger);
  if (terms === null && !isOver) triggers.move(trigger.id, { type: 'want_delete', isWanted: true });
  if (bound === null) {
    const why = 'it is not known yet whether the broker has it';
    if (terms !== null) return same({ kind: 'open', trigger, why });
    return keep(triggers, key, `it is kept, because ${why}`);
  }
  const open = openChangesOf(state, trigger.id);
  if (terms === null && open.some(({ kind, state: of }) => kind === 'delete' && of === 'sending')) {
    return keep(triggers, key, 'another deletion of it is on its way');
  }
  if (terms !== null) {
    const refusal = refuseModify(state, { trigger, before, legs, hasOpen: open.length > 0 });
    if (refusal !== null) return same(refusal);
  }
  triggers.putChange({ ...key, terms, state: 'sending', reason: null, at, settledAt: null });
  const reply = { kind: 'sending', trigger, brokerTriggerId: bound.triggerId } as const;
  return { changes: triggers.unit.changes, reply };
}

/** A deletion for which nothing is sent now: what becomes of the trigger settles it. */
function keep(
  triggers: TriggerUnit,
  key: TriggerChangeKey,
  reason: string,
): Decision<Change, ChangeTriggerReply> {
  const { at } = triggers.unit;
  triggers.putChange({ ...key, terms: null, state: 'uncertain', reason, at, settledAt: at });
  const trigger = triggers.trigger(key.triggerId);
  return { changes: triggers.unit.changes, reply: { kind: 'kept', trigger } };
}

const same = (reply: ChangeTriggerReply): Decision<Change, ChangeTriggerReply> => ({
  changes: [],
  reply,
});

function refuseModify(
  state: ExecutionState,
  of: {
    readonly trigger: TriggerRecord;
    readonly before: TriggerTerms | null;
    readonly legs: readonly CheckedLeg[];
    readonly hasOpen: boolean;
  },
): ChangeTriggerReply | null {
  const { trigger, before, legs, hasOpen } = of;
  if (hasOpen) {
    return { kind: 'open', trigger, why: 'the outcome of another change of it is not known yet' };
  }
  if (trigger.isDeleteWanted) return { kind: 'open', trigger, why: 'it is being deleted' };
  if (before !== null && !isSameTerms(before, termsAtBroker(trigger))) return { kind: 'outdated' };
  return brakeOnLegs(state, legs, trigger.id);
}

/** What came of a change. */
export function decideTriggerChanged(
  state: ExecutionState,
  command: {
    readonly key: TriggerChangeKey;
    readonly outcome: TriggerOutcome;
    /** Whether the trigger was to be deleted before this request: whoever asked for that was told so. */
    readonly wasWanted: boolean;
    readonly at: EpochMs;
  },
): Decision<Change, TriggerChangeRecord> {
  const { key, outcome, wasWanted, at } = command;
  const before = required(state.triggerChanges, triggerChangeKey(key), 'change of a trigger');
  const triggers = createTriggerUnit(new UnitOfWork(state, at));
  const { kind } = outcome;
  const reason = outcome.kind === 'acknowledged' ? null : outcome.reason;
  const trigger = triggers.trigger(key.triggerId);
  // Lists lack it, and the broker refuses to delete it: it is not there.
  const isGone = trigger.state.kind === 'ended' && before.kind === 'delete' && kind === 'refused';
  const change: TriggerChangeRecord = {
    ...before,
    ...{ state: isGone ? 'taken' : kind, reason, settledAt: at },
  };
  if (kind === 'acknowledged' && change.terms !== null && triggerBindingOf(trigger) !== null) {
    triggers.move(trigger.id, { type: 'take_terms', terms: change.terms });
  }
  // A broker that refuses to delete it is asked again only if a caller says so; so is one that was not asked, unless
  // an earlier deletion is still to be carried out.
  const isLeft =
    change.kind === 'delete' && (kind === 'refused' || (kind === 'not_sent' && !wasWanted));
  if (isLeft && !isTriggerOver(trigger)) {
    triggers.move(trigger.id, { type: 'want_delete', isWanted: false });
  }
  triggers.putChange(change);
  if (kind === 'uncertain') {
    const what = change.kind === 'delete' ? 'deletion' : 'modification';
    const message = `outcome of the ${what} of trigger ${trigger.id} is open: ${outcome.reason}`;
    triggers.unit.alert('warning', null, message);
  }
  return { changes: triggers.unit.changes, reply: change };
}
