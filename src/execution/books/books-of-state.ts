import type { OrderId, TradingDay } from '../../units/branded.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import { isFillUnknown } from '../triggers/trigger.ts';
import type { FactsOf, KeyPosition, Traded, TradedId } from './key-books.ts';
import {
  type BookLine,
  isInDoubt,
  type OrderFacts,
  shareOf,
  sharesOfTrigger,
} from './order-share.ts';

/** What the books go by: the orders in memory, with their fills and placings, and the triggers. */
const factsOf =
  (state: ExecutionState): FactsOf =>
  (id) => {
    const trigger = state.triggers.get(id);
    if (trigger !== undefined) {
      const shares = sharesOfTrigger(trigger);
      return { caller: trigger.caller, shares, isInDoubt: isFillUnknown(trigger) };
    }
    const facts = orderFacts(state, id);
    return facts && tradedByOrder(facts);
  };

/** An order in memory, with its own fills and attempts; null where it is in memory no more. */
export function orderFacts(state: ExecutionState, id: OrderId): OrderFacts | null {
  const order = state.orders.get(id);
  if (order === undefined) return null;
  const fills = [...(state.fillsOf.get(id) ?? [])].flatMap((key) => state.fills.get(key) ?? []);
  const attempts = [...(state.attemptsOf.get(id) ?? [])].flatMap(
    (attempt) => state.attempts.get(attempt) ?? [],
  );
  return { order, fills, attempts };
}

export function tradedByOrder(facts: OrderFacts): Traded {
  const { order } = facts;
  const share = shareOf(facts);
  return { caller: order.caller, shares: share ? [share] : [], isInDoubt: isInDoubt(order) };
}

/** The positions of keys on a day, as the journal has them now; `keep` names the lines of the books. */
export const keyPositions = (
  state: ExecutionState,
  day: TradingDay,
  keep: (line: BookLine) => boolean,
): readonly KeyPosition[] => state.books.positions(factsOf(state), day, keep);

/** The orders and triggers of a key, or of all keys, of which it is not known how much they have filled. */
export const ordersInDoubt = (state: ExecutionState, caller?: string): readonly TradedId[] =>
  state.books.doubts(factsOf(state), caller);

/** See `keyPositions` and `ordersInDoubt`. */
export interface BookReads {
  positions(day: TradingDay, keep: (line: BookLine) => boolean): readonly KeyPosition[];
  inDoubt(caller?: string): readonly TradedId[];
}

export const bookReads = (state: ExecutionState): BookReads => ({
  positions: (day, keep) => keyPositions(state, day, keep),
  inDoubt: (caller) => ordersInDoubt(state, caller),
});
