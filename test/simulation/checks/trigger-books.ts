import type { SandboxTrigger } from '../../../sandbox/kite/gtt-inspector.ts';
import type { Stretch } from '../hours.ts';
import { type TriggerCall, triggerCallOf } from '../trigger-traffic.ts';
import type { Sent } from '../traffic.ts';
import { type TriggerRecord, triggerBindingOf } from '../../../src/execution/triggers/trigger.ts';
import type { World } from '../world.ts';
import type { Day } from './context.ts';

/** A request about triggers that has left, with the call that it makes. */
export interface SentTrigger {
  readonly sent: Sent;
  readonly call: TriggerCall;
}

/** The requests about triggers of the alternative broker, oldest first. */
export const triggerRequests = ({ sent }: World): SentTrigger[] =>
  sent.flatMap((each) => {
    const call = each.broker === 'alt' ? triggerCallOf(each.request) : null;
    return call === null ? [] : [{ sent: each, call }];
  });

/** The broker's trigger for a key; undefined where it has none. */
export function brokersOf({ takenTriggers, sandbox }: World, wanted: string): SandboxTrigger[] {
  return takenTriggers
    .filter((each) => each.wanted === wanted)
    .flatMap(({ triggerId }) => sandbox.kite.trigger(triggerId) ?? []);
}

/** From when to when one can place its order. */
export const activeOf = ({ status, createdAt, updatedAt }: SandboxTrigger): Stretch => ({
  from: createdAt,
  until: status === 'active' ? Infinity : updatedAt,
});

/** Whether the gateway could not work, or not for the first user, at some moment of a stretch. */
export const wasImpaired = ({ impaired }: World, from: number, until: number): boolean =>
  impaired.some((each) => each.from <= until && each.until >= from);

export const keyOf = ({ caller, idempotencyKey }: TriggerRecord): string =>
  `${caller}/${idempotencyKey}`;

/** A row may be dated by whole seconds, and a request is dated just before it leaves. */
const AT_ONCE_MS = 32_000;
/** How long one that was called absent is looked for. */
const LOOKED_FOR_MS = 600_000;

/**
 * The keys of triggers for which one was taken that a person has placed, equal in everything, from just before the
 * request until half a minute after it: a stated limit. Of one that was called absent, until ten minutes after it.
 */
export function takenForTwins({ world, state }: Pick<Day, 'world' | 'state'>): ReadonlySet<string> {
  const taken = [...state.triggers.values()].filter((trigger) => {
    const other = world.sandbox.kite.trigger(triggerBindingOf(trigger)?.triggerId ?? '');
    if (other?.placedBy !== 'hand') return false;
    const wasAbsent = world.seenTriggers.some(
      ({ wanted, status }) => wanted === keyOf(trigger) && status === 'absent',
    );
    const { brokerAt } = trigger;
    const until = brokerAt + (wasAbsent ? LOOKED_FOR_MS : AT_ONCE_MS);
    return other.createdAt > brokerAt - AT_ONCE_MS && other.createdAt < until;
  });
  return new Set(taken.map(keyOf));
}
