import type { OrderId, TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import type { FactsOf, KeyPosition } from './key-books.ts';
import type { BookLine } from './order-share.ts';

/** What the books go by: the orders in memory, with their fills and placings. */
const factsOf =
  (state: ExecutionState): FactsOf =>
  (orderId) => {
    const order = state.orders.get(orderId);
    if (order === undefined) return null;
    const fills = [...(state.fillsOf.get(orderId) ?? [])].flatMap(
      (key) => state.fills.get(key) ?? [],
    );
    const attempts = [...(state.attemptsOf.get(orderId) ?? [])].flatMap(
      (id) => state.attempts.get(id) ?? [],
    );
    return { order, fills, attempts };
  };

/** The positions of keys on a day, as the journal has them now; `keep` names the lines of the books. */
export const keyPositions = (
  state: ExecutionState,
  day: TradingDay,
  keep: (line: BookLine) => boolean,
): readonly KeyPosition[] => state.books.positions(factsOf(state), day, keep);

/** The orders of a key, or of all keys, of which it is not known how much they have filled. */
export const ordersInDoubt = (state: ExecutionState, caller?: string): readonly OrderId[] =>
  state.books.doubts(factsOf(state), caller);

/** See `keyPositions` and `ordersInDoubt`. */
export interface BookReads {
  positions(day: TradingDay, keep: (line: BookLine) => boolean): readonly KeyPosition[];
  inDoubt(caller?: string): readonly OrderId[];
}

export const bookReads = (state: ExecutionState): BookReads => ({
  positions: (day, keep) => keyPositions(state, day, keep),
  inDoubt: (caller) => ordersInDoubt(state, caller),
});
