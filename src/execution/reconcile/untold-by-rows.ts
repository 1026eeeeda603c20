import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import { type ExecutionState, filledByTrades } from '../journal/state.ts';
import type { IsOtherInstrument } from '../order/attempt.ts';
import { bindingOf, brokerOrderIdOf, fillOf, isOver, type OrderRecord } from '../order/order.ts';
import { isUntoldBy, type OrderOfTrigger, wantsTrades } from '../triggers/trigger-order.ts';
import { withoutRow } from './lost-rows.ts';
import { rowsById } from './rows-by-id.ts';

interface ReadFor {
  readonly of: readonly OrderRecord[];
  readonly ofTriggers: readonly OrderOfTrigger[];
}

interface TradesParts {
  readonly state: ExecutionState;
  readonly isOther: IsOtherInstrument;
  /** Whether they are due in any case; `isUntold`: they may tell what the rows do not. */
  readonly areDue: (isUntold: boolean) => boolean;
}

/** Whether the day's trades are to be read after the rows of a book. */
export function areTradesNeeded(
  { state, isOther, areDue }: TradesParts,
  orders: ReadFor & { readonly watched: readonly OrderRecord[] },
  rows: readonly BrokerOrder[],
): boolean {
  const isUntold = haveUntold(orders, rows) || orders.watched.some(isUnclearEnd);
  return areDue(isUntold) || hasNewFills(state, orders, rows, isOther);
}

/** Whether the last row of an order that is not over says that all of it is filled: the trades may tell. */
function isUnclearEnd(order: OrderRecord): boolean {
  return order.state.kind === 'working' && bindingOf(order)?.row?.status === 'filled';
}

/** Whether the trades may tell what the rows do not. */
const haveUntold = ({ of, ofTriggers }: ReadFor, rows: readonly BrokerOrder[]): boolean =>
  withoutRow(of, rows).length > 0 || ofTriggers.some((each) => isUntoldBy(each, rows));

/** Whether a row shows fills that are not known, or the order of a row is to be found. */
function hasNewFills(
  state: ExecutionState,
  { of: orders, ofTriggers }: ReadFor,
  rows: readonly BrokerOrder[],
  isOther: IsOtherInstrument,
): boolean {
  if (ofTriggers.some((each) => wantsTrades(each, rows))) return true;
  if (orders.some((order) => order.state.kind === 'uncertain')) return true;
  const byId = new Map(orders.map((order) => [brokerOrderIdOf(order), order]));
  const shown = rowsById(rows);
  return [...byId].some(([id, order]) =>
    (id === null ? [] : shown.of(id)).some((row) => {
      // What has ended has its trades read by itself (EndedOrders), also where its row goes on saying nothing.
      const isSettled = isOver(order) && fillOf(order).filledQuantity !== null;
      if (row.filledQuantity === null && isFinalRow(row.status) && isSettled) return false;
      if ((row.filledQuantity ?? Infinity) <= filledByTrades(state, order.id)) return false;
      // Another order's row may stand under the same id.
      const isAlike = row.side === order.terms.side && !isOther(order, row);
      return isAlike || bindingOf(order)?.by === 'person';
    }),
  );
}
