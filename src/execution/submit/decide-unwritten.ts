import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, OrderId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { isCancelWanted, isOver } from '../order/order.ts';
import { canBeKept } from './kept-cancels.ts';

/** Keeps a cancel as one that is to be sent again, where its order is open; true once nothing is left to write. */
export function decideKept(
  state: ExecutionState,
  orderId: OrderId,
  at: EpochMs,
): Decision<Change, boolean> {
  const unit = new UnitOfWork(state, at);
  const order = unit.order(orderId);
  if (!canBeKept(order)) return { changes: [], reply: false };
  if (!isCancelWanted(order)) unit.move(orderId, { type: 'want_cancel' });
  return { changes: unit.changes, reply: true };
}

/** Tells a person of a cancel that was answered as on its way, and is refused. */
export function decideGivenUp(
  state: ExecutionState,
  orderId: OrderId,
  reason: string,
  at: EpochMs,
): Decision<Change, null> {
  const unit = new UnitOfWork(state, at);
  if (isOver(unit.order(orderId))) return { changes: [], reply: null };
  const message =
    `the cancel of order ${orderId} was sent again while the disk was full, and is refused (${reason}): look at it ` +
    "in the broker's app";
  unit.alert('critical', orderId, message);
  return { changes: unit.changes, reply: null };
}
