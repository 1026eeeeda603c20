import type { BrokerId } from '../../domain/broker.ts';
import { type BrokerTrigger, mayTrigger, type TriggerTerms } from '../../domain/trigger.ts';
import type { EpochMs } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/state.ts';
import { ownerOfRow } from '../triggers/match-trigger.ts';
import { mayStillTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import type { RunTriggers } from './cancel-run.ts';
import type { WhichOrders } from './set-of-run.ts';

/** The triggers of the gateway that a request is about, at the beginning. */
export const beginTriggers = (
  state: ExecutionState,
  command: WhichOrders & { readonly brokers: readonly BrokerId[] },
): RunTriggers => ({
  ids: ownTriggers(state, command)
    .filter(mayStillTrigger)
    .map(({ id }) => id),
  external: [],
  toRead: command.scope === 'mine' ? [] : command.brokers,
});

/** Also those that wait no more. */
export function ownTriggers(
  state: ExecutionState,
  { scope, caller, matches }: WhichOrders,
): readonly TriggerRecord[] {
  return [...state.triggers.values()].filter(
    (trigger) =>
      (scope === 'account' || trigger.caller === caller) &&
      isMatch(matches, trigger.broker, trigger.terms),
  );
}

/** A trigger of two legs is one: it is hit where either of them is. */
export const isMatch = (
  matches: WhichOrders['matches'],
  broker: BrokerId,
  { instrument, legs }: Pick<TriggerTerms | BrokerTrigger, 'instrument' | 'legs'>,
): boolean =>
  legs.some(({ side, product }) => matches({ broker, instrument, side, product, scripCode: null }));

/** Whether a row waits and is none of the gateway's; `until`: made by then, where that is told. */
export function isOthers(
  state: ExecutionState,
  broker: BrokerId,
  row: BrokerTrigger,
  until: EpochMs | null,
): boolean {
  if (!mayTrigger(row) || ownerOfRow(state, broker, row) !== null) return false;
  return until === null || (row.createdAt !== null && row.createdAt <= until);
}
