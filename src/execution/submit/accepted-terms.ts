import {
  needsPrice,
  needsTrigger,
  type OrderModification,
  type OrderTerms,
  type OrderType,
  type Validity,
} from '../../domain/order.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { bindingOf, isOver, type OrderRecord } from '../order/order.ts';
import { type Figure, termsAfter, unshownValues } from './amended-terms.ts';

/**
 * The answer to a change: the order with the terms that its broker has accepted, also while its row does not
 * show them yet. A change whose outcome is open is not among them, and an order that is over is its row.
 */
export function withAcceptedTerms(state: ExecutionState, order: OrderRecord): OrderRecord {
  if (isOver(order)) return asShown(state, order);
  const last = (figure: Figure): number | null =>
    unshownValues(state, order, figure).findLast((each) => !each.isUncertain && !each.isRowLater)
      ?.value ?? null;
  const figures = {
    quantity: last('quantity'),
    price: last('price'),
    triggerPrice: last('triggerPrice'),
  };
  return {
    ...order,
    terms: termsAfter(order.terms, { ...figures, ...acceptedKind(state, order) }),
  };
}

/**
 * An order as reads show it: its figures are those of its row, and so are type and validity once the row shows
 * what the broker has accepted. A row that shows another type proves nothing: a broker may hold a MARKET
 * order as a LIMIT one.
 */
export function asShown(state: ExecutionState, order: OrderRecord): OrderRecord {
  const row = bindingOf(order)?.row;
  if (!row || !state.attemptsOf.has(order.id)) return order;
  const accepted = acceptedKind(state, order);
  let { terms } = order;
  if (accepted.validity === row.validity) terms = { ...terms, validity: accepted.validity };
  const { orderType } = accepted;
  if (orderType !== null && orderType === row.orderType) terms = ofType(terms, orderType, row);
  return terms === order.terms ? order : { ...order, terms };
}

/** The terms of an order that is of another type now, at the prices that its row has. */
function ofType(
  terms: OrderTerms,
  orderType: OrderType,
  row: { readonly price: number | null; readonly triggerPrice: number | null },
): OrderTerms {
  return {
    ...terms,
    orderType,
    price: needsPrice(orderType) ? (row.price ?? terms.price) : null,
    triggerPrice: needsTrigger(orderType) ? (row.triggerPrice ?? terms.triggerPrice) : null,
  };
}

/** Type and validity of the last changes of them that the broker has accepted; null without one. */
function acceptedKind(
  state: ExecutionState,
  { id }: OrderRecord,
): Pick<OrderModification, 'orderType' | 'validity'> {
  let orderType: OrderType | null = null;
  let validity: Validity | null = null;
  for (const attempt of attemptsOfOrder(state, id)) {
    if (attempt.kind !== 'modify' || attempt.state.kind !== 'acknowledged') continue;
    orderType = attempt.changes.orderType ?? orderType;
    validity = attempt.changes.validity ?? validity;
  }
  return { orderType, validity };
}
