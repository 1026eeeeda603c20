import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { killSwitchOf } from '../../../src/execution/submit/brakes.ts';
import type { World } from '../world.ts';
import { inspectorOf } from './exit-books.ts';
import { violation, type Violation } from './violation.ts';

/**
 * S53: the kill switch engages by itself for an order that callers were told is not placed only where its broker has
 * taken it: a rejected row with nothing filled says the same as they were told.
 */
export function engagedInVain(world: World, state: ExecutionState): Violation[] {
  const known = killSwitchOf(state);
  if (known?.engaged !== true || known.changedBy !== null) return [];
  const { reason, changedAt } = known;
  const named = /order (\S+) was .*has turned up as (\S+)/.exec(reason ?? '');
  const order = state.orders.get(named?.[1] ?? '');
  if (!order || (order.broker !== 'alt' && order.broker !== 'primary')) return [];
  const row = inspectorOf(world, order.broker).order(named?.[2] ?? '');
  if (row?.status !== 'REJECTED' || row.filledQuantity > 0) return [];
  // Until it was rejected, its row could say that it is open.
  if (row.updatedAt > changedAt) return [];
  return [violation('S53', `the kill switch is engaged because ${reason}, which was rejected`)];
}
