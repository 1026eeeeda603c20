import { tradingDay } from '../domain/ist.ts';
import type { Decision } from '../platform/single-writer.ts';
import { newOrder, type OrderCommand } from './decide-place.ts';
import { Draft } from './draft.ts';
import { callerKey, type Change, type OrderRecord } from './records.ts';
import { sliceKey } from './slices.ts';
import type { ExecutionState } from './state.ts';

export interface SlicesCommand {
  readonly order: OrderCommand;
  /** In the order in which they will be sent; their quantities add up to the order's. */
  readonly slices: readonly { readonly id: string; readonly quantity: number }[];
}

export type SlicesReply =
  | { readonly kind: 'sliced'; readonly slices: readonly OrderRecord[] }
  /** The key has made an order before. */
  | { readonly kind: 'known'; readonly order: OrderRecord };

/**
 * Writes down an order above the freeze quantity with all its slices, before the first one is sent:
 * what a crash leaves unsent is then known to have been meant, and known not to have left.
 */
export function decideSlices(
  state: ExecutionState,
  { order, slices }: SlicesCommand,
): Decision<Change, SlicesReply> {
  const known = state.orderByKey.get(callerKey(order.caller, order.idempotencyKey));
  if (known !== undefined) {
    return { changes: [], reply: { kind: 'known', order: state.orders.get(known)! } };
  }
  const draft = new Draft(state, order.at);
  const day = tradingDay(order.at);
  const parent: OrderRecord = { ...newOrder(order, day), status: 'accepted' };
  draft.putOrder(parent);
  for (const [index, { id, quantity }] of slices.entries()) {
    draft.putOrder({
      ...parent,
      id,
      parentId: parent.id,
      idempotencyKey: sliceKey(parent.id, index + 1),
      terms: { ...parent.terms, quantity },
    });
  }
  return {
    changes: draft.changes,
    reply: { kind: 'sliced', slices: slices.map(({ id }) => draft.order(id)!) },
  };
}
