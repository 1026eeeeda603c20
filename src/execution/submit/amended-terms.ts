import type { Instrument } from '../../domain/instrument.ts';
import {
  type OrderModification,
  type OrderTerms,
  needsPrice,
  needsTrigger,
} from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { attemptsOfOrder, type ExecutionState } from '../journal/state.ts';
import { fillOf, type OrderRecord } from '../order/order.ts';
import {
  type AccountKnowledge,
  checkPrices,
  checkStop,
  checkTerms,
  freezeQuantityOf,
  killSwitchOf,
  passesKillSwitch,
  UNREAD,
} from './preflight.ts';
import type { OutgoingOrder } from './reduce-only.ts';

/**
 * The terms that an order has now: its row tells quantity and prices, and the last change of its type
 * that the broker may have taken tells the type.
 */
export function presentTerms(state: ExecutionState, order: OrderRecord): OrderTerms {
  let { orderType } = order.terms;
  for (const attempt of attemptsOfOrder(state, order.id)) {
    if (attempt.kind !== 'modify') continue;
    const isTaken = attempt.state.kind === 'acknowledged' || attempt.state.kind === 'uncertain';
    if (isTaken) orderType = attempt.changes.orderType ?? orderType;
  }
  return { ...order.terms, orderType };
}

/** The terms that an order would have after a change. A type without a price has none any more. */
export function termsAfter(present: OrderTerms, changes: OrderModification): OrderTerms {
  const orderType = changes.orderType ?? present.orderType;
  const kept = changes.orderType === null;
  const price = kept || needsPrice(orderType) ? present.price : null;
  const triggerPrice = kept || needsTrigger(orderType) ? present.triggerPrice : null;
  return {
    ...present,
    orderType,
    quantity: changes.quantity ?? present.quantity,
    price: changes.price ?? price,
    triggerPrice: changes.triggerPrice ?? triggerPrice,
    validity: changes.validity ?? present.validity,
  };
}

/**
 * Checks the terms that an order would have after a change, as those of a new order are; throws
 * `invalid_request`. Without the instrument's lists, what needs neither lot nor tick is checked.
 */
export function checkChange(
  present: OrderTerms,
  changes: OrderModification,
  instrument: Instrument | null,
  freezeQuantities: ReadonlyMap<string, number>,
): void {
  const terms = termsAfter(present, changes);
  if (instrument) checkTerms(terms, instrument);
  else checkPrices(terms);
  // Where a stop has triggered, its trigger says nothing any more of what its price may be.
  if (changes.orderType !== null) checkStop(terms);
  const most = instrument && freezeQuantityOf(instrument, freezeQuantities);
  if (instrument && changes.quantity !== null && most !== null && changes.quantity > most) {
    throw new GatewayProblem({
      code: 'invalid_request',
      detail: `the exchange takes at most ${most} of ${instrument.name} in one order`,
      mayHaveExecuted: false,
    });
  }
}

/** Whether a change lowers the quantity, or leaves it, and changes nothing else. */
export function onlyLowers(present: OrderTerms, changes: OrderModification): boolean {
  const after = termsAfter(present, changes);
  return after.quantity <= present.quantity && isSameBeside(present, after);
}

const isSameBeside = (one: OrderTerms, other: OrderTerms): boolean =>
  one.orderType === other.orderType &&
  one.price === other.price &&
  one.triggerPrice === other.triggerPrice &&
  one.validity === other.validity;

/**
 * Why an order may not be changed in this way under the kill switch; null when it may. An order that
 * opens a position may only be made smaller; one that only reduces may get another price as well.
 * Both may be cancelled. `known` is null where its account was not looked at.
 */
export function changePassesKillSwitch(
  state: ExecutionState,
  order: OrderRecord,
  changes: OrderModification,
  {
    known,
    ...times
  }: { readonly known: AccountKnowledge | null } & Pick<OutgoingOrder, 'at' | 'day'>,
): string | null {
  if (!killSwitchOf(state)?.engaged) return null;
  const present = presentTerms(state, order);
  if (onlyLowers(present, changes)) return null;
  const after = termsAfter(present, changes);
  if (after.quantity > present.quantity) {
    return 'the kill switch is engaged: a quantity can be lowered, not raised';
  }
  const open = { ...after, quantity: after.quantity - (fillOf(order).filledQuantity ?? 0) };
  const { broker, id: orderId } = order;
  const why = passesKillSwitch(state, { broker, terms: open, orderId, ...times }, known ?? UNREAD);
  return why === null ? null : `${why}. Lower its quantity alone, or cancel it`;
}
