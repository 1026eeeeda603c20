import type { Instrument } from '../../domain/instrument.ts';
import {
  needsPrice,
  needsTrigger,
  type OrderModification,
  type OrderTerms,
} from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { type AskedValue, type Figure, termsAfter, unshownIn } from '../order/accepted-terms.ts';
import { bindingOf, fillOf, type OrderRecord } from '../order/order.ts';
import {
  type AccountKnowledge,
  type Brake,
  brakeOfCaller,
  stoppedBy,
  stoppedByBrake,
  UNREAD,
} from './brakes.ts';
import { limitReached, valuedAt } from './order-limits.ts';
import { checkPrices, checkStop, checkTerms, toldFreezeQuantity } from './preflight.ts';
import type { OutgoingOrder } from './reduce-only.ts';

/** The values that were asked for and that the row of the order does not show yet, first to last. */
const unshownValues = (
  state: ExecutionState,
  order: OrderRecord,
  figure: Figure,
): readonly AskedValue[] =>
  unshownIn(
    attemptsOfOrder(state, order.id),
    { terms: order.terms, updatedAt: bindingOf(order)?.row?.updatedAt ?? null },
    figure,
  );

/** The last change of its type that its broker has taken, or may have taken. */
const lastTypeAsked = (state: ExecutionState, { id }: OrderRecord) =>
  attemptsOfOrder(state, id)
    .filter((attempt) => attempt.kind === 'modify')
    .findLast(
      (attempt) =>
        attempt.changes.orderType !== null &&
        (attempt.state.kind === 'acknowledged' || attempt.state.kind === 'uncertain'),
    );

/**
 * The terms that an order has now, as far as is known: what its row shows, and what was asked for last
 * and the row does not show yet. The last change of its type that the broker may have taken tells the type.
 */
export function presentTerms(state: ExecutionState, order: OrderRecord): OrderTerms {
  const orderType = lastTypeAsked(state, order)?.changes.orderType ?? null;
  const { terms } = order;
  const hasPrice = orderType === null ? terms.price !== null : needsPrice(orderType);
  const hasTrigger = orderType === null ? terms.triggerPrice !== null : needsTrigger(orderType);
  const last = (figure: Figure): number | null =>
    unshownValues(state, order, figure).findLast(({ isRowLater }) => !isRowLater)?.value ?? null;
  return termsAfter(terms, {
    ...{ orderType, quantity: last('quantity'), validity: null },
    price: hasPrice ? last('price') : null,
    triggerPrice: hasTrigger ? last('triggerPrice') : null,
  });
}

/** The lowest and the highest quantity that an order may have: the row's, and those that it may not show. */
function possibleQuantities(
  state: ExecutionState,
  order: OrderRecord,
): { readonly lowest: number; readonly highest: number } {
  const unshown = unshownValues(state, order, 'quantity')
    .filter(({ isUncertain, isRowLater }) => isUncertain || !isRowLater)
    .map(({ value }) => value);
  const all = [order.terms.quantity, ...unshown];
  return { lowest: Math.min(...all), highest: Math.max(...all) };
}

/**
 * The terms beside the quantity that an order may have: those that count as its present ones, and those of its
 * row as well while it is open whether a change of them was made.
 */
function possibleTerms(state: ExecutionState, order: OrderRecord): readonly OrderTerms[] {
  const present = presentTerms(state, order);
  const isTypeOpen =
    present.orderType !== order.terms.orderType &&
    lastTypeAsked(state, order)?.state.kind === 'uncertain';
  const figures: readonly Figure[] = ['price', 'triggerPrice'];
  const isPriceOpen = figures.some((figure) =>
    unshownValues(state, order, figure).some((each) => each.isUncertain && !each.isRowLater),
  );
  return isTypeOpen || isPriceOpen ? [present, order.terms] : [present];
}

/** Of two sets of terms of one order, the one that trades later, if at all: figure by figure. */
function furtherFromTrading(one: OrderTerms, other: OrderTerms): OrderTerms {
  const waits = ({ orderType }: OrderTerms): number =>
    (needsPrice(orderType) ? 2 : 0) + (needsTrigger(orderType) ? 1 : 0);
  const [later, sooner] = waits(other) > waits(one) ? [other, one] : [one, other];
  const [lower, higher] = later.side === 'BUY' ? [Math.min, Math.max] : [Math.max, Math.min];
  const of = (choose: typeof lower, first: number | null, second: number | null) =>
    first === null || second === null ? first : choose(first, second);
  return {
    ...later,
    price: of(lower, later.price, sooner.price),
    triggerPrice: of(higher, later.triggerPrice, sooner.triggerPrice),
  };
}

/**
 * The terms that a request to a broker repeats which requires all of them. Under a brake those are the lowest
 * quantity that the order may have, and of the prices that it may have the one that is further from trading:
 * repeating another could raise its risk.
 */
export function termsToRepeat(
  state: ExecutionState,
  order: OrderRecord,
  changes: OrderModification,
): OrderTerms {
  const isBraked = brakeOfCaller(state, order.caller) !== null;
  const present = isBraked
    ? possibleTerms(state, order).reduce(furtherFromTrading)
    : presentTerms(state, order);
  const quantity = isBraked ? possibleQuantities(state, order).lowest : present.quantity;
  // What is asked for anew is compared with the row: the same may be asked for twice.
  const { terms } = order;
  return {
    ...present,
    quantity: changes.quantity === null ? quantity : terms.quantity,
    price: changes.price === null ? present.price : terms.price,
    triggerPrice: changes.triggerPrice === null ? present.triggerPrice : terms.triggerPrice,
  };
}

/**
 * Checks the terms that an order would have after a change, as those of a new order are; throws
 * the problem of the one that is wrong. Without the instrument's lists, what needs neither lot nor tick is checked.
 */
export function checkChange(
  present: OrderTerms,
  changes: OrderModification,
  instrument: Instrument | null,
  freezeQuantities: ReadonlyMap<string, number>,
): void {
  const terms = termsAfter(present, changes);
  if (instrument) checkTerms(terms, instrument, present);
  else checkPrices(terms);
  // Where a stop has triggered, its trigger says nothing any more of what its price may be.
  if (changes.orderType !== null) checkStop(terms);
  // The list that comes with the gateway may be old: then the broker decides.
  const most = instrument && toldFreezeQuantity(instrument, freezeQuantities);
  if (instrument && changes.quantity !== null && most !== null && changes.quantity > most) {
    throw new GatewayProblem({
      code: 'quantity_too_large',
      detail: `quantity ${changes.quantity} is more than the ${most} of ${instrument.name} that the exchange takes in one order`,
      field: 'quantity',
      nearest: [most],
      mayHaveExecuted: false,
    });
  }
}

/**
 * Whether a change lowers the quantity, or leaves it, and changes nothing else. It is compared with the lowest
 * quantity that was asked for or seen, since the book may lag behind an earlier change, and beside it with the row
 * as well: a change that was not made, or that the exchange has refused since, is not made by asking for it again.
 */
export function onlyLowers(
  state: ExecutionState,
  order: OrderRecord,
  changes: OrderModification,
): boolean {
  const { lowest } = possibleQuantities(state, order);
  if ((changes.quantity ?? lowest) > lowest) return false;
  const shownType = bindingOf(order)?.row?.orderType ?? changes.orderType;
  if (changes.orderType !== null && changes.orderType !== shownType) return false;
  const shown = [presentTerms(state, order), order.terms];
  return shown.every((terms) => isSameBeside(terms, termsAfter(terms, changes)));
}

const isSameBeside = (one: OrderTerms, other: OrderTerms): boolean =>
  one.orderType === other.orderType &&
  one.price === other.price &&
  one.triggerPrice === other.triggerPrice &&
  one.validity === other.validity;

/**
 * The brake that keeps an order from being changed in this way; null when it may be. An order that
 * opens a position may only be made smaller; one that only reduces may get another price as well.
 * Both may be cancelled. `known` is null where its account was not looked at.
 */
export function changeStoppedByBrake(
  state: ExecutionState,
  order: OrderRecord,
  changes: OrderModification,
  {
    known,
    ...times
  }: { readonly known: AccountKnowledge | null } & Pick<OutgoingOrder, 'at' | 'day'>,
): Brake | null {
  const brake = brakeOfCaller(state, order.caller);
  if (brake === null) return null;
  const { code, reason } = brake;
  if (onlyLowers(state, order, changes)) return null;
  const { lowest, highest } = possibleQuantities(state, order);
  if ((changes.quantity ?? lowest) > lowest) {
    const rule = `a quantity can be lowered, not raised, and ${lowest} was asked for or seen`;
    return { code, reason: `${reason}. Until then ${rule}` };
  }
  // A broker that changes the price alone leaves the quantity, whichever it is.
  const after = termsAfter(presentTerms(state, order), changes);
  const quantity = changes.quantity ?? highest;
  const open = { ...after, quantity: quantity - (fillOf(order).filledQuantity ?? 0) };
  const { broker, id: orderId } = order;
  const stopped = stoppedByBrake(
    state,
    { broker, terms: open, orderId, caller: order.caller, ...times },
    known ?? UNREAD,
  );
  return stopped && { code, reason: `${stopped.reason}. Lower its quantity alone, or cancel it` };
}

/**
 * The limits that hold for a change: for its quantity where that is raised, and for its value where that
 * is. A change makes no further order.
 */
export function limitsOfChange(
  state: ExecutionState,
  order: OrderRecord,
  changes: OrderModification,
  limits: AppliedLimits,
): AppliedLimits {
  const present = presentTerms(state, order);
  const before = valuedAt(present, limits.lastPrice);
  const after = valuedAt(termsAfter(present, changes), limits.lastPrice);
  const isMore = (changes.quantity ?? 0) > possibleQuantities(state, order).lowest;
  const isDearer = before === null || after === null ? before !== after : after > before;
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

/**
 * The limit that a change would take an order above; null where it keeps to the limits, makes the order
 * no larger, or leaves one that only reduces a position. `known` is null where its account was not looked at.
 */
export function changeAboveLimit(
  state: ExecutionState,
  order: OrderRecord,
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
  if (limits === null || onlyLowers(state, order, changes)) return null;
  const { broker, id: orderId } = order;
  const after = termsAfter(presentTerms(state, order), changes);
  // A broker that changes the price alone leaves the quantity, whichever it is.
  const quantity = changes.quantity ?? possibleQuantities(state, order).highest;
  const { caller } = order;
  const changed = { broker, orderId, caller, terms: { ...after, quantity }, ...times };
  const applied = limitsOfChange(state, order, changes, limits);
  const reason = limitReached(state, { ...changed, limits: applied });
  if (reason === null) return null;
  const open = { ...after, quantity: quantity - (fillOf(order).filledQuantity ?? 0) };
  const brake = { code: 'limit_reached', reason } as const;
  return stoppedBy(brake, state, { ...changed, terms: open }, known ?? UNREAD);
}
