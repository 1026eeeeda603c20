import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerTrigger, TriggerList, UnreadTrigger } from '../../domain/trigger.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, TriggerId } from '../../units/branded.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { setKillSwitch } from '../submit/brakes.ts';
import { openChangesOf } from './decide-trigger-change.ts';
import {
  claimantsIn,
  claimsOf,
  hasTerms,
  isAnothers,
  isMadeAtOnce,
  isSought,
  rowsInDoubt,
} from './match-trigger.ts';
import {
  isOpenChange,
  type TriggerChangeRecord,
  triggerBindingOf,
  type TriggerRecord,
} from './trigger.ts';
import { createTriggerUnit, type TriggerUnit } from './trigger-unit.ts';

/** A list of one account's triggers, as it was read. */
export interface TriggerObservation {
  readonly broker: BrokerId;
  readonly list: TriggerList;
  /** Whose list it is; null where that is not known. */
  readonly account: string | null;
  /** Whether the read began after the last request about this trigger had ended. */
  readonly isAfter: (id: TriggerId) => boolean;
  /** Whether reads have said the same of it, this one included, often and long enough to be believed. */
  readonly isLasting: (id: TriggerId, what: Lasting) => boolean;
  /** Whether the reads before this one have said so for long enough: a person has been told. */
  readonly isTold: (id: TriggerId, what: Lasting) => boolean;
  readonly at: EpochMs;
}

/**
 * What a read says of a trigger that is believed only once further reads agree: an uncertain one is lacking, a
 * waiting one is missing, shows no sign of a change, or has a row that cannot be read.
 */
export type Lasting = 'lacking' | 'missing' | 'unchanged' | 'unread';

/** What the read has said of each trigger, of what is believed only later. */
export type Told = ReadonlyMap<TriggerId, Lasting>;

/**
 * What a list means for the triggers of the gateway: it shows what bound ones have become, and whether changes
 * were taken; an uncertain one is found in it, or absent once whole lists have lacked it for long.
 */
export function decideTriggerRead(
  state: ExecutionState,
  observed: TriggerObservation,
): Decision<Change, Told> {
  const { broker, account, list } = observed;
  const triggers = createTriggerUnit(new UnitOfWork(state, observed.at));
  const told = new Map<TriggerId, Lasting>();
  for (const trigger of state.triggers.values()) {
    if (trigger.broker !== broker || isOfOtherAccount(trigger, account)) continue;
    const bound = triggerBindingOf(trigger);
    if (bound === null || !observed.isAfter(trigger.id)) continue;
    const row = list.triggers.find(({ triggerId }) => triggerId === bound.triggerId);
    if (row && isAnothers(trigger, row)) {
      tellAnothers(triggers, trigger, row);
      miss(triggers, trigger, observed, told);
    } else if (row) show(triggers, trigger, row, observed, told);
    else if (list.unread.some((each) => isHiddenBy(each, trigger, bound.triggerId))) {
      doubt(triggers, trigger, observed, told);
    } else miss(triggers, trigger, observed, told);
  }
  findSought(triggers, observed, told);
  return { changes: triggers.unit.changes, reply: told };
}

/** Whether a row that cannot be read may be that of a bound trigger. */
const isHiddenBy = (row: UnreadTrigger, { terms }: TriggerRecord, bound: string): boolean =>
  row.triggerId === bound ||
  (row.triggerId === null && (row.instrument === null || row.instrument === terms.instrument));

/** Its row cannot be read: it may have triggered, and what it has filled is not known. */
function doubt(
  triggers: TriggerUnit,
  { id, broker, state }: TriggerRecord,
  observed: TriggerObservation,
  told: Map<TriggerId, Lasting>,
): void {
  if (state.kind !== 'waiting') return;
  if (state.missingSince === null) triggers.move(id, { type: 'miss', since: observed.at });
  told.set(id, 'unread');
  if (!observed.isLasting(id, 'unread') || observed.isTold(id, 'unread')) return;
  const message =
    `trigger ${id}: its row in the list of ${broker} has not been readable for a minute. It may have triggered, and ` +
    "the positions of its key may lack what it has filled: look in the broker's app";
  triggers.unit.alert('critical', null, message);
}

/** The broker has used its id again; told once, before its own row counts as missing. */
function tellAnothers(
  { unit }: TriggerUnit,
  { id, state }: TriggerRecord,
  { triggerId, instrument }: BrokerTrigger,
): void {
  if (state.kind !== 'waiting' || state.missingSince !== null) return;
  const message =
    `trigger ${id} was ${triggerId}, and the list shows another one of ${instrument} under that id: ` +
    "the gateway does not take that one for this trigger. Look in the broker's app";
  unit.alert('critical', null, message);
}

function show(
  triggers: TriggerUnit,
  { id, terms, isDeleteWanted }: TriggerRecord,
  row: BrokerTrigger,
  observed: TriggerObservation,
  told: Map<TriggerId, Lasting>,
): void {
  triggers.move(id, { type: 'observe', row });
  const isOver = row.status === 'triggered' || row.status === 'ended';
  for (const change of openChangesOf(triggers.unit.state, id)) {
    if (change.state !== 'uncertain') continue;
    if (change.terms !== null && hasTerms(row, change.terms)) {
      triggers.move(id, { type: 'take_terms', terms: change.terms });
      settle(triggers, change, 'taken', null);
    } else if (change.kind === 'delete' && row.status === 'ended') {
      settle(triggers, change, 'taken', null);
    } else if (isOver) {
      settle(triggers, change, 'not_taken', `the broker says ${row.rawStatus}`);
    } else if (change.kind === 'delete' && isDeleteWanted) {
      // It is sent again (trigger-watch.ts), and settled with what becomes of the trigger.
      continue;
    } else if (observed.isLasting(id, 'unchanged')) {
      settle(triggers, change, 'not_taken', unchanged(row, terms));
    } else told.set(id, 'unchanged');
  }
}

const unchanged = (row: BrokerTrigger, terms: TriggerRecord['terms']): string =>
  hasTerms(row, terms)
    ? "the broker's list shows the trigger as it was"
    : "the broker's list shows the trigger with other terms: look at it in the broker's app";

/** A whole list lacks a trigger that was there. */
function miss(
  triggers: TriggerUnit,
  { id, state }: TriggerRecord,
  observed: TriggerObservation,
  told: Map<TriggerId, Lasting>,
): void {
  if (state.kind === 'ended') return missEnded(triggers, id, observed, told);
  if (state.kind !== 'waiting') return;
  const changes = [...triggers.unit.state.triggerChanges.values()].filter(
    (change) => change.triggerId === id && change.kind === 'delete',
  );
  const isDeleted = changes.some((change) => change.state === 'acknowledged');
  if (!isDeleted && !observed.isLasting(id, 'missing')) {
    told.set(id, 'missing');
    if (state.missingSince === null) triggers.move(id, { type: 'miss', since: observed.at });
    return;
  }
  const reason = isDeleted
    ? 'it was deleted'
    : "the broker's list has it no more, and does not say what became of it";
  triggers.move(id, { type: 'call_gone', reason, isUntold: !isDeleted });
  for (const change of openChangesOf(triggers.unit.state, id)) {
    if (change.kind === 'delete') settle(triggers, change, 'taken', null);
    else settle(triggers, change, 'not_taken', 'the broker has the trigger no more');
  }
  if (isDeleted || changes.some(isOpenChange)) return;
  triggers.unit.alert('warning', null, `trigger ${id}: ${reason}. Look in the broker's app`);
}

/** Lists had lacked it before, and a deletion of it was sent all the same: they go on to lack it. */
function missEnded(
  triggers: TriggerUnit,
  id: TriggerId,
  observed: TriggerObservation,
  told: Map<TriggerId, Lasting>,
): void {
  const open = openChangesOf(triggers.unit.state, id);
  if (open.length === 0) return;
  if (!observed.isLasting(id, 'missing')) told.set(id, 'missing');
  else for (const change of open) settle(triggers, change, 'taken', null);
}

function settle(
  triggers: TriggerUnit,
  change: TriggerChangeRecord,
  state: 'taken' | 'not_taken',
  reason: string | null,
): void {
  triggers.putChange({ ...change, state, reason, settledAt: triggers.unit.at });
}

function findSought(
  triggers: TriggerUnit,
  observed: TriggerObservation,
  told: Map<TriggerId, Lasting>,
): void {
  const { broker, account, list, isAfter } = observed;
  const { state } = triggers.unit;
  // One whose request had not ended when this list was read may be in it all the same.
  const claimants = claimantsIn(state, broker, account);
  const claims = claimsOf(state, broker, claimants, list.triggers);
  const isClaimedOnce = (row: BrokerTrigger): boolean =>
    [...claims.values()].filter((rows) => rows.includes(row)).length === 1;
  for (const trigger of claimants) {
    if (!isSought(trigger) || !isAfter(trigger.id)) continue;
    const rows = claims.get(trigger.id) ?? [];
    // Of what came later nobody can tell whether a person has placed it. Of one that was called absent, whoever
    // placed another one has to hear all the same.
    const isAbsent = trigger.state.kind === 'absent';
    const atOnce = rows.filter((row) => isAbsent || isMadeAtOnce(trigger, row));
    const [row] = atOnce;
    const inDoubt = rows.length === 0 ? rowsInDoubt(state, trigger, list.triggers, claims) : [];
    if (inDoubt.length > 0 && !isAbsent) nameCandidates(triggers, trigger, inDoubt);
    else if (rows.length === 0) lack(triggers, trigger, observed, told);
    else if (row && atOnce.length === 1 && isClaimedOnce(row) && trigger.baseline !== null) {
      bind(triggers, trigger, row);
    } else nameCandidates(triggers, trigger, rows);
  }
}

/** Neither found nor called absent: a row that cannot be read may be it, or nobody can tell which row it is. */
function nameCandidates(
  { move, unit }: TriggerUnit,
  { id, state, broker }: TriggerRecord,
  rows: readonly BrokerTrigger[],
): void {
  if (state.kind !== 'uncertain') return;
  const candidates = rows.map(({ triggerId }) => triggerId);
  if (candidates.every((each) => state.candidates.includes(each))) return;
  move(id, { type: 'name_candidates', candidates });
  const message =
    `trigger ${id} may be any of ${candidates.join(', ')} at ${broker}: look in the broker's app, and say ` +
    `which with POST /api/v1/triggers/${id}/resolve`;
  unit.alert('critical', null, message);
}

function bind(
  triggers: TriggerUnit,
  { id, state, broker }: TriggerRecord,
  row: BrokerTrigger,
): void {
  const { move, unit } = triggers;
  const binding = { triggerId: row.triggerId, by: 'match' } as const;
  const now = move(id, { type: 'bind', binding, row });
  if (state.kind !== 'absent') return;
  const reason = `trigger ${id} was called absent, and is ${row.triggerId} at ${broker}`;
  unit.alert('critical', null, `${reason}: whoever placed another one has two now`);
  setKillSwitch(unit, { engaged: true, reason, changedBy: null });
  if (now.isDeleteWanted) unit.alert('warning', null, `trigger ${id} is deleted, as was asked for`);
}

function lack(
  triggers: TriggerUnit,
  trigger: TriggerRecord,
  observed: TriggerObservation,
  told: Map<TriggerId, Lasting>,
): void {
  const { move } = triggers;
  const { id, state } = trigger;
  if (state.kind !== 'uncertain') return;
  // A person who is to choose between rows that are gone still has to be asked.
  const isHidden = observed.list.unread.some((row) => couldHide(row, trigger));
  if (isHidden || state.candidates.length > 0) {
    if (state.absentSince !== null) move(id, { type: 'note_absence', since: null });
    return;
  }
  if (observed.isLasting(id, 'lacking')) {
    const reason = `${state.reason}; whole lists of triggers have lacked it since`;
    callAbsent(triggers, id, 'reads', reason);
    return;
  }
  told.set(id, 'lacking');
  if (state.absentSince === null) move(id, { type: 'note_absence', since: observed.at });
}

/** It is not there: nothing is left to be deleted or changed. */
export function callAbsent(
  triggers: TriggerUnit,
  id: TriggerId,
  by: 'reads' | 'person',
  reason: string,
): void {
  triggers.move(id, { type: 'call_absent', by, reason });
  for (const change of openChangesOf(triggers.unit.state, id)) {
    settle(triggers, change, change.kind === 'delete' ? 'taken' : 'not_taken', reason);
  }
}

/** Whether a row that cannot be read whole may be the trigger that is looked for. */
const couldHide = (row: UnreadTrigger, { terms, baseline }: TriggerRecord): boolean =>
  (row.instrument === null || row.instrument === terms.instrument) &&
  (row.triggerId === null || baseline?.includes(row.triggerId) !== true);
