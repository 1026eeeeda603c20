import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import type { CancelScope } from '../../domain/cancel-all.ts';
import { tradingDay } from '../../domain/ist.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { EpochMs, OrderId } from '../../units/branded.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import type { OrderRecord } from '../order/order.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { isRowOfOurs } from '../reconcile/matching.ts';

/** What the filters of a request look at, in an order of ours and in a row of a book. */
export interface Filtered {
  readonly broker: BrokerId;
  readonly instrument: string;
  /** `<EXCH>_<SECURITY_ID>`; null where it is not known. */
  readonly scripCode: string | null;
  readonly product: string;
  readonly side: string;
}

/** Which orders a request to cancel many may be about. */
export interface WhichOrders {
  readonly scope: CancelScope;
  readonly caller: string;
  readonly matches: (order: Filtered) => boolean;
}

/**
 * The open orders of the gateway that a request is about. A sliced order is cancelled as a whole, so its slices
 * are not among them, unless it is quarantined, so that nothing else would cancel them; neither are the orders of an exit under way, which would only place them anew.
 */
export function ownOrders(state: ExecutionState, which: WhichOrders): readonly OrderId[] {
  return [...state.openOrders].filter((id) => {
    const order = required(state.orders, id, 'order');
    const isSliceOfWhole = order.parentId !== null && state.orders.has(order.parentId);
    return !isSliceOfWhole && isWanted(order, which) && !isOfRunningExit(state, order);
  });
}

export function isWanted(order: OrderRecord, { scope, caller, matches }: WhichOrders): boolean {
  const { broker, terms, scripCode } = order;
  const { instrument, product, side } = terms;
  if (scope === 'mine' && order.caller !== caller) return false;
  return matches({ broker, instrument, product, side, scripCode });
}

function isOfRunningExit(state: ExecutionState, { idempotencyKey }: OrderRecord): boolean {
  const [exitId = ''] = idempotencyKey.split('#');
  const exit = state.exits.get(exitId);
  return exit !== undefined && exit.over === null;
}

/** The open rows of a book that are no orders of the gateway; `until`: made by then, where that is told. */
export function externalRows(
  state: ExecutionState,
  broker: BrokerId,
  { rows, begunAt }: Pick<BookRead, 'rows' | 'begunAt'>,
  { matches, until }: Pick<WhichOrders, 'matches'> & { readonly until: EpochMs | null },
): readonly BrokerOrder[] {
  const day = tradingDay(begunAt);
  return rows.filter(
    (row) =>
      !isFinalRow(row.status) &&
      row.childOf === undefined &&
      !isRowOfOurs(state, broker, day, row) &&
      matches({ ...row, broker, scripCode: null }) &&
      (until === null || (row.createdAt !== null && row.createdAt <= until)),
  );
}
