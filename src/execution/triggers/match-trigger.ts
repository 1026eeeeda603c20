import type { BrokerTrigger, TriggerLeg, TriggerLegTerms } from '../../domain/trigger.ts';
import type { TriggerTerms } from '../../domain/trigger.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { plus, type TriggerId } from '../../units/branded.ts';
import { isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { CLOCKS_AGREE_MS } from '../order/attempt.ts';
import { triggerBindingOf, type TriggerRecord, triggerRowOf } from './trigger.ts';

/**
 * A broker writes whole seconds. Where it has not told the time just before, the request is dated by this computer's
 * clock, which is corrected only where it is a minute off (broker-clock.ts). What was there earlier is in the list that
 * was read before the request, so that more does no harm.
 */
const CLOCK_MS = CLOCKS_AGREE_MS + 5_000;
/** A trigger that a broker made later than this after the request is not that request's. */
const MADE_WITHIN_MS = 10 * 60_000;
/**
 * A request ends within its deadline of 8 s, and may reach the broker some seconds later. A trigger that was made
 * later than this after it may as well be one that somebody has placed in the broker's app since.
 */
const MADE_AT_ONCE_MS = 30_000;

/** Whether a row of the broker's list has these terms, whatever its state. */
export function hasTerms(
  row: Pick<BrokerTrigger, 'instrument' | 'legs'>,
  { instrument, legs }: TriggerTerms,
): boolean {
  return (
    row.instrument === instrument &&
    row.legs.length === legs.length &&
    legs.every((leg, place) => isSameLeg(leg, row.legs[place]))
  );
}

const isSameLeg = (leg: TriggerLegTerms, row: TriggerLeg | undefined): boolean =>
  row !== undefined &&
  leg.triggerPrice === row.triggerPrice &&
  leg.side === row.side &&
  leg.quantity === row.quantity &&
  leg.product === row.product &&
  leg.price === row.price;

/** Whether two requests could be taken for one another: the broker's list tells them apart by terms alone. */
export const isSameTerms = (one: TriggerTerms, other: TriggerTerms): boolean =>
  hasTerms({ instrument: one.instrument, legs: one.legs.map(rowOf) }, other);

const rowOf = (leg: TriggerLegTerms): TriggerLeg => ({
  ...{ ...leg, orderType: 'LIMIT', brokerOrderId: null, reason: null },
});

/** Whether a row may be what a request has made: not there before it, of its terms, and created since. */
export function couldBe(trigger: TriggerRecord, row: BrokerTrigger): boolean {
  if (trigger.baseline?.includes(row.triggerId)) return false;
  if (!hasTerms(row, trigger.terms)) return false;
  if (row.createdAt === null) return true;
  const [from, to] = [plus(trigger.brokerAt, -CLOCK_MS), plus(trigger.brokerAt, MADE_WITHIN_MS)];
  return row.createdAt >= from && row.createdAt <= to;
}

/**
 * Rows of the instrument and side of a trigger that nobody owns, that no list had shown before its request, and that no
 * other request can have made. Where no list was read before the request, any such row counts. Somebody may have
 * changed the trigger in the broker's app since, or the broker writes it otherwise. None of these rows is taken for
 * the trigger, and beside one of them it is not called absent.
 */
export function rowsInDoubt(
  state: ExecutionState,
  { broker, baseline, terms }: TriggerRecord,
  rows: readonly BrokerTrigger[],
  claims: ReadonlyMap<TriggerId, readonly BrokerTrigger[]>,
): readonly BrokerTrigger[] {
  const { instrument, legs } = terms;
  const claimed = new Set([...claims.values()].flat());
  return rows.filter(
    (row) =>
      baseline?.includes(row.triggerId) !== true &&
      !claimed.has(row) &&
      row.instrument === instrument &&
      row.legs.some(({ side }) => side === legs[0].side) &&
      ownerOfRow(state, broker, row) === null,
  );
}

/**
 * Whether a row that could be a trigger was made so soon after its request that nobody else has placed it since.
 * One without a time counts as made then: nothing about it says otherwise.
 */
export const isMadeAtOnce = (
  { brokerAt }: TriggerRecord,
  { createdAt }: Pick<BrokerTrigger, 'createdAt'>,
): boolean => createdAt === null || createdAt <= plus(brokerAt, MADE_AT_ONCE_MS);

/**
 * Whether a row under the id of a trigger is another one, because the broker has used the id again: it is of another
 * instrument or side, and was created at another time than lists have told of the trigger. A row whose instrument
 * alone has changed may be the trigger under a new name.
 */
export function isAnothers(trigger: TriggerRecord, row: BrokerTrigger): boolean {
  const binding = triggerBindingOf(trigger);
  // A person has said which row it is, whatever its terms.
  if (binding?.triggerId !== row.triggerId || binding.by === 'person') return false;
  const { instrument, legs } = trigger.terms;
  const madeAt = triggerRowOf(trigger)?.createdAt ?? null;
  // Without both times nothing tells the two apart, and a deletion is not held back for that.
  if (madeAt === null || row.createdAt === null || madeAt === row.createdAt) return false;
  return row.instrument !== instrument || row.legs.some(({ side }) => side !== legs[0].side);
}

/** The trigger of the gateway that a row of the broker's list is; null where it is none of the gateway. */
export function ownerOfRow(
  state: ExecutionState,
  broker: BrokerId,
  row: BrokerTrigger,
): TriggerId | null {
  const owner = state.triggers.get(ownerOf(state, broker, row.triggerId) ?? '');
  return owner && !isAnothers(owner, row) ? owner.id : null;
}

/** The trigger of the gateway that a broker's trigger is known to be; null where there is none. */
export function ownerOf(
  state: ExecutionState,
  broker: BrokerId,
  triggerId: string,
): TriggerId | null {
  for (const trigger of state.triggers.values()) {
    if (trigger.broker !== broker) continue;
    if (triggerBindingOf(trigger)?.triggerId === triggerId) return trigger.id;
  }
  return null;
}

/**
 * The triggers of one account that a row of its list may be although none is bound to it: those on their way,
 * uncertain ones, and those called absent.
 */
export function claimantsIn(
  state: ExecutionState,
  broker: BrokerId,
  account: string | null,
): readonly TriggerRecord[] {
  return [...state.triggers.values()].filter(
    (trigger) =>
      trigger.broker === broker &&
      (trigger.state.kind === 'sending' || isSought(trigger)) &&
      !isOfOtherAccount(trigger, account),
  );
}

/** Whether it is looked for in the list: its request has ended, and no row is known to be it. */
export const isSought = ({ state }: TriggerRecord): boolean =>
  state.kind === 'uncertain' || state.kind === 'absent';

/** The rows of each trigger that could be it: nothing is bound where a row could be more than one. */
export function claimsOf(
  state: ExecutionState,
  broker: BrokerId,
  claimants: readonly TriggerRecord[],
  rows: readonly BrokerTrigger[],
): ReadonlyMap<TriggerId, readonly BrokerTrigger[]> {
  const free = rows.filter((row) => ownerOfRow(state, broker, row) === null);
  return new Map(
    claimants.map((trigger) => [trigger.id, free.filter((row) => couldBe(trigger, row))]),
  );
}
