import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, OrderId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { attemptsOfOrder, type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import {
  bindingOf,
  isCancelWanted,
  type OrderRecord,
  unrecognisedSinceOf,
} from '../order/order.ts';
import type { IsinOf } from '../reconcile/held.ts';
import { opposesHeld } from './reduce-only.ts';

export interface UnrecognisedCommand {
  readonly broker: string;
  /** Orders whose status nobody has known since before then are due. */
  readonly olderThan: EpochMs;
  readonly isinOf: IsinOf;
}

/** Orders whose status has been unrecognised for too long, and that may be cancelled for it. */
export function dueUnrecognised(
  state: ExecutionState,
  { broker, olderThan }: UnrecognisedCommand,
): readonly OrderRecord[] {
  return [...state.watched]
    .map((id) => required(state.orders, id, 'order'))
    .filter((order) => {
      const since = unrecognisedSinceOf(order);
      if (order.broker !== broker || isCancelWanted(order)) return false;
      if (since === null || since > olderThan) return false;
      // Cancelled once for each status, so that an order which survives its cancel is not cancelled each second.
      return !attemptsOfOrder(state, order.id).some(
        (attempt) => attempt.kind === 'cancel' && attempt.sentAt >= since,
      );
    });
}

/**
 * Decides to cancel those orders, and announces it. One that only reduces a position is left alone: it may be the stop that
 * protects it (decision 0021). So is every other one while the account cannot be read (`unread`), because somebody may
 * have traded in the broker's own app. `told` are the orders of which that was announced; the reply has those of
 * which it is announced now.
 */
export function decideUnrecognised(
  state: ExecutionState,
  command: UnrecognisedCommand & {
    readonly told: ReadonlySet<OrderId>;
    /** Why the account could not be read just now; null where it was. */
    readonly unread: string | null;
    readonly at: EpochMs;
  },
): Decision<Change, readonly OrderId[]> {
  const leftAlone: OrderId[] = [];
  const unit = new UnitOfWork(state, command.at);
  for (const order of dueUnrecognised(state, command)) {
    const { id } = order;
    const status = `its status "${bindingOf(order)?.row?.rawStatus ?? ''}" has been unknown too long`;
    const why = whyLeftAlone(state, order, command);
    if (why === null) {
      unit.alert('warning', id, `order ${id} is cancelled now: ${status}`);
      unit.move(id, { type: 'want_cancel', byGateway: true });
    } else if (!command.told.has(id)) {
      leftAlone.push(id);
      unit.alert(
        'critical',
        id,
        `look at order ${id}: ${status}; it is not cancelled, because ${why}`,
      );
    }
  }
  return { changes: unit.changes, reply: leftAlone };
}

function whyLeftAlone(
  state: ExecutionState,
  order: OrderRecord,
  { isinOf, unread }: Pick<Parameters<typeof decideUnrecognised>[1], 'isinOf' | 'unread'>,
): string | null {
  if (opposesHeld(state, order, isinOf)) return 'it only reduces a position';
  if (unread === null) return null;
  return `what the account holds cannot be read (${unread}), and it may be what protects a position`;
}
