import { type Decimal, worth, ZERO } from '../../domain/money.ts';
import type { OrderModification, OrderTerms } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { termsAfter } from '../order/accepted-terms.ts';
import { fillOf, isOver, type OrderRecord } from '../order/order.ts';
import { type OrderToChange, possibleQuantities, possibleTerms } from '../order/possible-terms.ts';
import { onlyLowers } from './amended-terms.ts';
import { type AccountKnowledge, type Brake, stoppedBy, UNREAD } from './brakes.ts';
import { limitReached, valuedAt } from './order-limits.ts';
import { orderThatMayHaveAll } from './order-to-change.ts';
import type { OtherSlices, OutgoingOrder } from './reduce-only.ts';

type Price = number | null;

/**
 * The limits that hold for a change: for its quantity where that is raised, and for its value where that
 * is, whichever of its possible terms the order has. A change makes no further order.
 */
function limitsOfChange(
  toChange: OrderToChange,
  changes: OrderModification,
  limits: AppliedLimits,
): AppliedLimits {
  const isMore = (changes.quantity ?? 0) > possibleQuantities(toChange).lowest;
  const isDearer = possibleTerms(toChange).some((terms) => {
    const before = valuedAt(terms, limits.lastPrice);
    const after = valuedAt(termsAfter(terms, changes), limits.lastPrice);
    return before === null || after === null ? before !== after : after > before;
  });
  return {
    ...limits,
    sets: limits.sets.map((set) => ({
      ...set,
      ...{ openOrders: null, perMinute: null },
      quantity: isMore ? set.quantity : null,
      value: isMore || isDearer ? set.value : null,
    })),
  };
}

/** Of the terms that an order may have, those of the highest value; those whose value is not known before all. */
function dearest(all: readonly OrderTerms[], lastPrice: Price): OrderTerms {
  const value = (terms: OrderTerms): number => valuedAt(terms, lastPrice) ?? Infinity;
  return all.reduce((one, other) => (value(other) > value(one) ? other : one));
}

/** An order as limits compare it after a change: at the highest value that it may have then. */
export function changedForLimits(
  state: ExecutionState,
  toChange: OrderToChange,
  changes: OrderModification,
  limits: AppliedLimits,
): Pick<OutgoingOrder, 'broker' | 'orderId' | 'caller' | 'terms' | 'limits' | 'besides'> {
  const { broker, id: orderId, caller } = toChange.order;
  const after = dearest(
    possibleTerms(toChange).map((terms) => termsAfter(terms, changes)),
    limits.lastPrice,
  );
  // A broker that changes the price alone leaves the quantity, whichever it is.
  const quantity = changes.quantity ?? possibleQuantities(toChange).highest;
  const besides = otherSlices(state, toChange, limits.lastPrice);
  return {
    ...{ broker, orderId, caller, terms: { ...after, quantity } },
    limits: limitsOfChange(toChange, changes, limits),
    ...(besides && { besides }),
  };
}

/**
 * The limit that a change would take an order above; null where it keeps to the limits, makes the order
 * no larger, or leaves one that only reduces a position. A slice counts with the others of its order. `known` is
 * null where its account was not looked at.
 */
export function changeAboveLimit(
  state: ExecutionState,
  toChange: OrderToChange,
  changes: OrderModification,
  {
    limits,
    known,
    ...times
  }: {
    readonly limits: AppliedLimits | null;
    readonly known: AccountKnowledge | null;
  } & Pick<OutgoingOrder, 'at' | 'day'>,
): Brake | null {
  if (limits === null || onlyLowers(toChange, changes)) return null;
  const changed = { ...changedForLimits(state, toChange, changes, limits), ...times };
  const reason = limitReached(state, changed);
  if (reason === null) return null;
  const { terms } = changed;
  const filled = fillOf(toChange.order).filledQuantity ?? 0;
  const open = { ...terms, quantity: terms.quantity - filled };
  const brake = { code: 'limit_reached', reason } as const;
  return stoppedBy(brake, state, { ...changed, terms: open }, known ?? UNREAD);
}

/** What the other slices of a sliced order have at most, or had filled when they ended; null for an order of its own. */
function otherSlices(
  state: ExecutionState,
  { order }: OrderToChange,
  lastPrice: Price,
): OtherSlices | null {
  if (order.parentId === null) return null;
  let quantity = 0;
  let value: Decimal | null = ZERO;
  for (const slice of otherSlicesOf(state, order)) {
    const most = mostOf(state, slice, lastPrice);
    quantity += most.quantity;
    if (most.quantity === 0) continue;
    value = most.price === null ? null : (value?.plus(worth(most.price, most.quantity)) ?? null);
  }
  return { quantity, value };
}

export function otherSlicesOf(
  state: ExecutionState,
  { id, parentId }: OrderRecord,
): readonly OrderRecord[] {
  if (parentId === null) return [];
  const ids = [...(state.slicesOf.get(parentId) ?? [])].filter((each) => each !== id);
  return ids.map((each) => required(state.orders, each, 'order'));
}

/** The most that a slice has or may get, with the price that it is valued by. */
function mostOf(
  state: ExecutionState,
  slice: OrderRecord,
  lastPrice: Price,
): { readonly quantity: number; readonly price: Price } {
  const { filledQuantity, averagePrice } = fillOf(slice);
  if (isOver(slice)) {
    const price = averagePrice ?? valuedAt(slice.terms, lastPrice);
    return { quantity: filledQuantity ?? slice.terms.quantity, price };
  }
  const toChange = orderThatMayHaveAll(state, slice);
  return {
    quantity: possibleQuantities(toChange).highest,
    price: valuedAt(dearest(possibleTerms(toChange), lastPrice), lastPrice),
  };
}
