import type { Instrument } from '../../domain/instrument.ts';
import type { OrderModification, OrderTerms } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { ExecutionState } from '../journal/state.ts';
import { termsAfter } from '../order/accepted-terms.ts';
import { bindingOf, fillOf } from '../order/order.ts';
import {
  type OrderToChange,
  possibleQuantities,
  possibleTerms,
  presentTerms,
  termsToRepeat,
} from '../order/possible-terms.ts';
import {
  type AccountKnowledge,
  type Brake,
  brakeOfCaller,
  stoppedByBrake,
  UNREAD,
} from './brakes.ts';
import { checkPrices, checkStop, checkTerms, toldFreezeQuantity } from './preflight.ts';
import type { OutgoingOrder } from './reduce-only.ts';

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

/** The present terms by which a change is checked: of those that are repeated with it, its type. */
export function termsToCheck(toChange: OrderToChange, changes: OrderModification): OrderTerms {
  const present = presentTerms(toChange);
  const { orderType, price, triggerPrice } = termsToRepeat(toChange, changes, { isBraked: false });
  return orderType === present.orderType ? present : { ...present, orderType, price, triggerPrice };
}

/**
 * Whether a change lowers the quantity, or leaves it, and changes nothing else, whichever of its possible terms the
 * order has: a change that was not made, or that the exchange has refused since, is not made by asking for it again.
 */
export function onlyLowers(toChange: OrderToChange, changes: OrderModification): boolean {
  const { lowest } = possibleQuantities(toChange);
  if ((changes.quantity ?? lowest) > lowest) return false;
  const shownType = bindingOf(toChange.order)?.row?.orderType ?? changes.orderType;
  if (changes.orderType !== null && changes.orderType !== shownType) return false;
  return possibleTerms(toChange).every((terms) => isSameBeside(terms, termsAfter(terms, changes)));
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
  toChange: OrderToChange,
  changes: OrderModification,
  {
    known,
    ...times
  }: { readonly known: AccountKnowledge | null } & Pick<OutgoingOrder, 'at' | 'day'>,
): Brake | null {
  const { order } = toChange;
  const brake = brakeOfCaller(state, order.caller);
  if (brake === null) return null;
  const { code, reason } = brake;
  if (onlyLowers(toChange, changes)) return null;
  const { lowest, highest } = possibleQuantities(toChange);
  if ((changes.quantity ?? lowest) > lowest) {
    const rule = `a quantity can be lowered, not raised, and ${lowest} was asked for or seen`;
    return { code, reason: `${reason}. Until then ${rule}` };
  }
  // A broker that changes the price alone leaves the quantity, whichever it is.
  const after = termsAfter(presentTerms(toChange), changes);
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
