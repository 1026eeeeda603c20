import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { onItsWay } from '../order/accepted-terms.ts';
import { fillOf, type OrderRecord } from '../order/order.ts';
import { type OrderToChange, possibleQuantities } from '../order/possible-terms.ts';

/** `asOf` is when the book was asked for that has shown its row last (epoch ms); null where that is not known. */
export const orderToChange = (
  state: ExecutionState,
  order: OrderRecord,
  asOf: OrderToChange['asOf'],
): OrderToChange => ({ order, attempts: attemptsOfOrder(state, order.id), asOf });

/** An order with changes that are on their way counted as made; without an age of its book where none is given. */
export const orderThatMayHaveAll = (
  state: ExecutionState,
  order: OrderRecord,
  asOf: OrderToChange['asOf'] = null,
): OrderToChange => {
  const toChange = orderToChange(state, order, asOf);
  return { ...toChange, attempts: toChange.attempts.map(onItsWay) };
};

/** The most that an order which is not over may still fill, whichever of the changes that were asked for it has. */
export function mostToFill(
  state: ExecutionState,
  order: OrderRecord,
  asOf: OrderToChange['asOf'],
): number {
  const toChange = orderThatMayHaveAll(state, order, asOf);
  const isChanged = toChange.attempts.some(({ kind }) => kind === 'modify');
  const most = isChanged ? possibleQuantities(toChange).highest : order.terms.quantity;
  return most - (fillOf(order).filledQuantity ?? 0);
}
