import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import type { AttemptId, OrderId } from '../../units/branded.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { isCancelWanted } from '../order/order.ts';
import type { AmendResult } from './amend.ts';

/**
 * Sends a cancel that was kept; what comes of it is in the journal. One that is still waiting to be sent, for a permit or
 * for the book, is not begun again: only its request tells `isKeptCancelDue` that there is one, and is on disk after
 * the wait. Once that is written, the pauses between the requests count, also while its row is being read. Never rejects.
 */
export function createSendKeptCancel({
  log,
  state,
  cancel,
}: {
  readonly log: Log;
  readonly state: ExecutionState;
  readonly cancel: (orderId: OrderId) => Promise<AmendResult>;
}): (orderId: OrderId) => Promise<void> {
  /** Orders with a kept cancel under way, and the last request to cancel each of them before that. */
  const underWay = new Map<OrderId, AttemptId | null>();

  return async (orderId) => {
    const last = lastCancelOf(state, orderId);
    if (underWay.get(orderId) === last) return;
    underWay.set(orderId, last);
    try {
      await cancel(orderId);
    } catch (error) {
      const order = state.orders.get(orderId);
      const again = order && isCancelWanted(order) ? '; it is tried again' : '';
      log.warn(`a kept cancel did not go through${again}`, { orderId, reason: messageOf(error) });
    } finally {
      if (underWay.get(orderId) === last) underWay.delete(orderId);
    }
  };
}

const lastCancelOf = (state: ExecutionState, orderId: OrderId): AttemptId | null =>
  attemptsOfOrder(state, orderId).findLast(({ kind }) => kind === 'cancel')?.id ?? null;
