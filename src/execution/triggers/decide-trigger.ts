import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import { orderOfLeg, type TriggerTerms } from '../../domain/trigger.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, TradingDay, TriggerId } from '../../units/branded.ts';
import { accountField, type Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import {
  type AccountKnowledge,
  type Brake,
  brakeOn,
  noteForce,
  stoppedByBrake,
} from '../submit/brakes.ts';
import type { OutgoingOrder } from '../submit/reduce-only.ts';
import { isSameTerms, ownerOf } from './match-trigger.ts';
import { largestTerms } from './terms-at-broker.ts';
import { isOpenChange, mayStillTrigger, type TriggerRecord } from './trigger.ts';
import { createTriggerUnit, type TriggerUnit } from './trigger-unit.ts';

/** One leg, as an order that it would place now, with what is known of its account. */
export interface CheckedLeg {
  readonly order: OutgoingOrder;
  readonly limits: AppliedLimits | null;
  /** Null where no brake held when it was prepared. */
  readonly knowledge: AccountKnowledge | null;
}

/** All that one placing needs, gathered before it is decided. */
export interface PlaceTriggerCommand {
  readonly id: TriggerId;
  readonly caller: string;
  readonly idempotencyKey: string;
  readonly requestHash: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly terms: TriggerTerms;
  readonly lastPrice: number;
  readonly legs: readonly CheckedLeg[];
  readonly baseline: readonly string[] | null;
  readonly account: string | null;
  readonly brokerAt: EpochMs;
  readonly at: EpochMs;
  readonly day: TradingDay;
}

export type PlaceTriggerReply =
  /** On disk; the request may leave now. */
  | { readonly kind: 'sending'; readonly trigger: TriggerRecord }
  /** The key has made a trigger before. */
  | { readonly kind: 'known'; readonly trigger: TriggerRecord }
  /** The outcome of one with the same terms is open: which of the two a row is could not be told. */
  | { readonly kind: 'duplicate_open'; readonly id: TriggerId }
  | { readonly kind: 'braked'; readonly brake: Brake }
  /** A brake holds since it was prepared: its account has to be read first. */
  | { readonly kind: 'account_unread' };

/** Writes a trigger down before its request leaves. */
export function decidePlaceTrigger(
  state: ExecutionState,
  command: PlaceTriggerCommand,
): Decision<Change, PlaceTriggerReply> {
  const refusal = refusePlacing(state, command);
  if (refusal !== null) return { changes: [], reply: refusal };
  const { at, legs, account, ...asked } = command;
  const triggers = createTriggerUnit(new UnitOfWork(state, at));
  const trigger: TriggerRecord = {
    ...asked,
    ...accountField(account),
    isDeleteWanted: false,
    state: { kind: 'sending' },
    createdAt: at,
    updatedAt: at,
  };
  triggers.add(trigger);
  for (const { order, knowledge } of legs) noteForce(triggers.unit, order, knowledge);
  if (command.baseline === null) {
    const message =
      `a trigger for ${command.terms.instrument} goes to ${command.broker} although its list of triggers ` +
      'cannot be read, because it only reduces a position';
    triggers.unit.alert('warning', null, message);
  }
  return { changes: triggers.unit.changes, reply: { kind: 'sending', trigger } };
}

function refusePlacing(
  state: ExecutionState,
  command: PlaceTriggerCommand,
): PlaceTriggerReply | null {
  const { caller, idempotencyKey, broker, terms } = command;
  const all = [...state.triggers.values()];
  const known = all.find(
    (each) => each.caller === caller && each.idempotencyKey === idempotencyKey,
  );
  if (known) return { kind: 'known', trigger: known };
  const twin = all.find(
    (each) =>
      each.broker === broker &&
      (each.state.kind === 'sending' || each.state.kind === 'uncertain') &&
      isSameTerms(each.terms, terms),
  );
  if (twin) return { kind: 'duplicate_open', id: twin.id };
  return brakeOnLegs(state, command.legs, null);
}

/** The brake that stops a leg; null where all of them pass. `except` is the trigger that they are of. */
export function brakeOnLegs(
  state: ExecutionState,
  legs: readonly CheckedLeg[],
  except: TriggerId | null,
): Extract<PlaceTriggerReply, { kind: 'braked' | 'account_unread' }> | null {
  for (const { order, limits, knowledge } of legs) {
    const outgoing = { ...order, limits };
    if (brakeOn(state, outgoing) === null) continue;
    if (knowledge === null) return { kind: 'account_unread' };
    const brake = stoppedByBrake(state, outgoing, besideTriggers(state, order, knowledge, except));
    if (brake !== null) return { kind: 'braked', brake };
  }
  return null;
}

/**
 * What is known of an account, with what its waiting triggers would take of the same shares: of two triggers
 * for one position, the second one would open another once both have placed their orders.
 */
export function besideTriggers(
  state: ExecutionState,
  { broker, terms }: Pick<OutgoingOrder, 'broker' | 'terms'>,
  known: AccountKnowledge,
  except: TriggerId | null,
): AccountKnowledge {
  const { beside } = known;
  let waiting = 0;
  for (const trigger of state.triggers.values()) {
    if (trigger.id === except || trigger.broker !== broker || !mayStillTrigger(trigger)) continue;
    const { instrument, legs } = largestTerms(trigger);
    const taking = legs
      .filter((leg) => isSameShares(terms, orderOfLeg(instrument, leg), beside.isinOf))
      .map(({ quantity }) => quantity);
    // Of two legs, one places an order.
    waiting += Math.max(0, ...taking);
  }
  return { ...known, beside: { ...beside, resting: beside.resting + waiting } };
}

/** What came of a placing. */
export function decideTriggerPlaced(
  state: ExecutionState,
  {
    id,
    outcome,
    at,
  }: { readonly id: TriggerId; readonly outcome: TriggerOutcome; readonly at: EpochMs },
): Decision<Change, TriggerRecord> {
  const triggers = createTriggerUnit(new UnitOfWork(state, at));
  const { unit, move } = triggers;
  switch (outcome.kind) {
    case 'acknowledged':
      acknowledge(triggers, id, outcome.triggerId);
      break;
    case 'refused':
      move(id, { type: 'refuse', reason: outcome.reason });
      endDeletions(triggers, id);
      break;
    case 'not_sent':
      move(id, { type: 'give_up', reason: outcome.reason });
      endDeletions(triggers, id);
      break;
    case 'uncertain':
      move(id, { type: 'lose_track', reason: outcome.reason });
      unit.alert('warning', null, `outcome of trigger ${id} is open: ${outcome.reason}`);
      break;
  }
  return { changes: unit.changes, reply: triggers.trigger(id) };
}

/** It is at no broker: a deletion that was kept until that is known has nothing left to do. */
function endDeletions(triggers: TriggerUnit, id: TriggerId): void {
  const { state, at } = triggers.unit;
  for (const change of state.triggerChanges.values()) {
    if (change.triggerId !== id || change.kind !== 'delete' || !isOpenChange(change)) continue;
    triggers.putChange({ ...change, state: 'taken', reason: null, settledAt: at });
  }
}

/**
 * An id that was there before, or is another trigger's, is not this one's: its outcome is open. The broker has said
 * that it took one, so that a person is asked which, and no list that lacks it makes it absent.
 */
function acknowledge(
  { unit, move, trigger }: ReturnType<typeof createTriggerUnit>,
  id: TriggerId,
  triggerId: string,
): void {
  const { broker, baseline } = trigger(id);
  const owner = ownerOf(unit.state, broker, triggerId);
  const isOld = baseline?.includes(triggerId) === true;
  if (!isOld && (owner === null || owner === id))
    return void move(id, { type: 'acknowledge', triggerId });
  const whose = isOld ? 'which was there before' : "which is another trigger's";
  const reason = `${broker} acknowledged with the id ${triggerId}, ${whose}`;
  move(id, { type: 'lose_track', reason });
  move(id, { type: 'name_candidates', candidates: [triggerId] });
  const resolve = `look in the broker's app, and say which it is with POST /api/v1/triggers/${id}/resolve`;
  unit.alert('critical', null, `outcome of trigger ${id} is open: ${reason}: ${resolve}`);
}

/** What a crash leaves behind: whether a request that was on its way has reached the broker is not known. */
export function decideTriggerRecovery(
  state: ExecutionState,
  { at }: { readonly at: EpochMs },
): Decision<Change, number> {
  const triggers = createTriggerUnit(new UnitOfWork(state, at));
  const reason = 'the gateway stopped while the request was on its way';
  for (const { id, state: found } of state.triggers.values()) {
    if (found.kind === 'sending') triggers.move(id, { type: 'lose_track', reason });
  }
  for (const change of state.triggerChanges.values()) {
    if (!isOpenChange(change) || change.state === 'uncertain') continue;
    triggers.putChange({ ...change, state: 'uncertain', reason, settledAt: at });
  }
  return { changes: triggers.unit.changes, reply: triggers.unit.changes.length };
}
