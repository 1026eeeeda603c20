import {
  needsPrice,
  needsTrigger,
  type OrderModification,
  type OrderTerms,
  type PlaceAttempt,
} from '../../domain/order.ts';
import type { Quote } from '../../domain/quote.ts';
import { ZERO } from '../../domain/money.ts';
import { bestPrice } from './engine.ts';
import { isSessionOpen, nextOpening, sessionEnd } from './sessions.ts';
import type { LedgerState, PaperOrder } from './state.ts';
import type { LedgerRules, Moment } from './match-order.ts';

/** A new order, before any fill or blocked money. */
export function newOrder(
  state: LedgerState,
  { attempt, quote, now }: Moment & { readonly attempt: PlaceAttempt },
  rules: LedgerRules,
): PaperOrder {
  const { terms } = attempt;
  const { name } = attempt.instrument;
  const trades = !terms.amo && isSessionOpen(now, rules.marketHours, name);
  const activeFrom = trades ? now : nextOpening(now, rules.marketHours);
  const { day } = state.account;
  const number = state.nextOrder;
  const clean = withoutIdlePrices(terms);
  return {
    ...clean,
    number,
    id: `PPR-${day.replaceAll('-', '')}-${number}`,
    attemptId: attempt.attemptId,
    tag: attempt.tag,
    // The canonical name of the resolved instrument.
    instrument: name,
    day,
    status: 'working',
    reason: null,
    triggered: false,
    filledQuantity: 0,
    filledValue: ZERO,
    reservePrice: reservePrice(clean, quote, rules),
    reserved: ZERO,
    closing: 0,
    activeFrom,
    expiresAt: sessionEnd(activeFrom, rules.marketHours, name),
    createdAt: now,
    updatedAt: now,
  };
}

/** A resting order with new terms, before it is matched. */
export function modified(
  before: PaperOrder,
  changes: OrderModification,
  quote: Quote | null,
  rules: LedgerRules,
): PaperOrder {
  const orderType = changes.orderType ?? before.orderType;
  const order = withoutIdlePrices({
    ...before,
    orderType,
    quantity: changes.quantity ?? before.quantity,
    price: changes.price ?? before.price,
    triggerPrice: changes.triggerPrice ?? before.triggerPrice,
    validity: changes.validity ?? before.validity,
    // A triggered stop stays triggered, unless its order type changes.
    triggered: before.triggered && orderType === before.orderType,
  });
  return { ...order, reservePrice: reservePrice(order, quote, rules) };
}

function withoutIdlePrices<Terms extends OrderTerms>(terms: Terms): Terms {
  return {
    ...terms,
    price: needsPrice(terms.orderType) ? terms.price : null,
    triggerPrice: needsTrigger(terms.orderType) ? terms.triggerPrice : null,
  };
}

/** 0 when there is no price: such an order is refused. */
function reservePrice(terms: OrderTerms, quote: Quote | null, rules: LedgerRules): number {
  const known = terms.price ?? terms.triggerPrice;
  return known ?? (quote === null ? null : bestPrice(terms.side, quote, rules.fills)) ?? 0;
}
