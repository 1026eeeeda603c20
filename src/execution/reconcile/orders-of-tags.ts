import type { ExecutionState } from '../journal/state.ts';
import type { UnitOfWork } from '../journal/unit-of-work.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import { bindingOf, type OrderRecord } from '../order/order.ts';
import type { OrderId } from '../../units/branded.ts';

/** The order whose tag is on the row of this one; null where that is none, or its own. */
export function orderOfRowsTag(state: ExecutionState, order: OrderRecord): OrderId | null {
  for (const tag of bindingOf(order)?.row?.tags ?? []) {
    const owner = state.attempts.get(state.attemptByTag.get(tag) ?? '')?.orderId;
    if (owner !== undefined && owner !== order.id) return owner;
  }
  return null;
}

/** Tells whether a tag is that of an order of ours, readable in the journal or not. */
export const isTagOfOurs =
  ({ attemptByTag, quarantine }: ExecutionState): ((tag: string) => boolean) =>
  (tag) =>
    attemptByTag.has(tag) || quarantine.hasTag(tag);

/** The placing whose tag is among these; null where none is one of ours. */
export function attemptOfTag(unit: UnitOfWork, tags: readonly string[]): PlaceAttemptRecord | null {
  for (const tag of tags) {
    const id = unit.state.attemptByTag.get(tag);
    const attempt = id === undefined ? null : unit.attempt(id);
    if (attempt?.kind === 'place') return attempt;
  }
  return null;
}
