import { callerKey } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { type StepOver, stopped } from './exit-run.ts';
import { type ExitRecord, legKey } from './exit.ts';

/**
 * The end of an exit of which an order is quarantined: how much that order has sold is not known, and the same shares
 * would be sold twice. Null where each of its orders can be read.
 */
export function stoppedByQuarantine(
  { quarantine }: ExecutionState,
  { id, caller, legs, orderId }: ExitRecord,
): StepOver | null {
  const look = "look at it in the broker's app";
  for (const { number } of legs) {
    const leg = quarantine.orderUnder(callerKey(caller, legKey(id, number)));
    if (leg === undefined) continue;
    const detail = `the journal's row of order ${leg}, leg ${number}, does not fit: ${look}`;
    return stopped('leg_uncertain', detail);
  }
  if (orderId === null || !quarantine.hasOrder(orderId)) return null;
  const detail = `the journal's row of order ${orderId}, which the exit is about, does not fit: ${look}`;
  return stopped('fill_unknown', detail);
}
