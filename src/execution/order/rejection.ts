import type { RejectionClass } from '../../domain/rejection.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { bindingOf, type OrderRecord } from './order.ts';

/**
 * The class of the refusal that ended an order: of the request to place it, or later of its row; null where it
 * was taken, or its end is not known. A refusal whose class was not kept is `other`.
 */
export function rejectionOf(state: ExecutionState, order: OrderRecord): RejectionClass | null {
  switch (order.state.kind) {
    case 'not_sent':
      return 'not_sent';
    case 'rejected':
      return bindingOf(order)?.row?.rejection ?? 'other';
    case 'refused': {
      const placing = attemptsOfOrder(state, order.id).findLast(({ kind }) => kind === 'place');
      return (placing?.state.kind === 'refused' ? placing.state.rejection : null) ?? 'other';
    }
    default:
      return null;
  }
}
