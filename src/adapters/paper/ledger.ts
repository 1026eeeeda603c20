import type { Instrument } from '../../domain/instrument.ts';
import type { CancelAttempt, ModifyAttempt, OrderTerms, PlaceAttempt } from '../../domain/order.ts';
import { refused, type Outcome } from '../../domain/outcome.ts';
import type { Quote } from '../../domain/quote.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { Change } from './changes.ts';
import { advance, ended } from './day.ts';
import { ZERO } from './decimal.ts';
import { draft } from './draft.ts';
import { bestPrice, isStop, takesAnyPrice } from './engine.ts';
import { isSessionOpen, nextOpening, sessionEnd, takesOrders } from './sessions.ts';
import {
  availableCash,
  closingKey,
  positionKey,
  remainingOf,
  type LedgerState,
  type PaperOrder,
} from './state.ts';
import { executionOf, isLive, take, type LedgerRules, type Moment } from './take.ts';
import { termsRefusal } from './terms.ts';

type Decided = Decision<Change, Outcome>;

export interface PlaceCommand extends Moment {
  readonly attempt: PlaceAttempt;
  /** The order that this attempt or its tag made on an earlier day, by the disk; null if none. */
  readonly earlier: string | null;
}

const acknowledged = (brokerOrderId: string): Outcome => ({ kind: 'acknowledged', brokerOrderId });

function unaffordable(state: LedgerState): Outcome {
  const available = availableCash(state).toFixed(2);
  return refused(
    'other',
    `insufficient funds: the order with its brokerage needs more than ₹${available}`,
  );
}

/** Takes an order, once: an attempt or a tag that has made one answers that one again. */
export function decidePlace(
  state: LedgerState,
  command: PlaceCommand,
  rules: LedgerRules,
): Decided {
  const { attempt, quote, now } = command;
  return draft(state, (book) => {
    advance(book, now);
    const made =
      state.byAttempt.get(attempt.attemptId) ?? state.byTag.get(attempt.tag) ?? command.earlier;
    if (made !== null) return acknowledged(made);
    if (!attempt.terms.amo && !takesOrders(now, rules.marketHours)) {
      return refused('other', 'the market is closed: only an after-market order is taken now');
    }
    const order = newOrder(state, command, rules);
    const refusal =
      termsRefusal(attempt.terms, attempt.instrument, isLive(order, now, rules) ? quote : null) ??
      priceAbsent(order, attempt.instrument, quote, rules) ??
      deliveryRefusal(state, null, order);
    if (refusal !== null) return refusal;
    if (!take(book, null, order, command, rules)) return unaffordable(state);
    return acknowledged(order.id);
  });
}

/** Takes a resting order one look further. No changes when the quote moves nothing. */
export function decideLook(
  state: LedgerState,
  id: string,
  moment: Moment,
  rules: LedgerRules,
): Decision<Change, null> {
  return draft(state, (book) => {
    advance(book, moment.now);
    const order = state.orders.get(id);
    if (order === undefined || !isMoved(order, moment, rules)) return null;
    if (take(book, order, order, moment, rules)) return null;
    const end = {
      status: 'rejected',
      reason: 'insufficient funds when it came to be filled',
      at: moment.now,
      day: state.account.day,
    } as const;
    book.put({ kind: 'order', before: order, after: ended(order, end) });
    return null;
  });
}

/** Whether a look at this quote would change a resting order. */
export function isMoved(order: PaperOrder, moment: Moment, rules: LedgerRules): boolean {
  if (order.status !== 'working' || !isLive(order, moment.now, rules)) return false;
  if (moment.quote === null) return false;
  if (order.validity === 'IOC') return true;
  const execution = executionOf(order, moment.quote, rules);
  return execution.fills.length > 0 || execution.triggered !== order.triggered;
}

/** Cancels what is left of an order that still works. */
export function decideCancel(state: LedgerState, attempt: CancelAttempt, now: number): Decided {
  return draft(state, (book) => {
    advance(book, now);
    const order = state.orders.get(attempt.brokerOrderId);
    const refusal = finalRefusal(order, attempt.brokerOrderId);
    if (order === undefined || refusal !== null) return refusal!;
    const end = { reason: 'cancelled on request', at: now, day: state.account.day };
    book.put({ kind: 'order', before: order, after: ended(order, end) });
    return acknowledged(order.id);
  });
}

export interface ModifyCommand extends Moment {
  readonly attempt: ModifyAttempt;
}

/** Changes an order that still works; under its new terms it may fill in the same moment. */
export function decideModify(
  state: LedgerState,
  command: ModifyCommand,
  rules: LedgerRules,
): Decided {
  const { attempt, quote, now } = command;
  return draft(state, (book) => {
    advance(book, now);
    const before = state.orders.get(attempt.brokerOrderId);
    const final = finalRefusal(before, attempt.brokerOrderId);
    if (before === undefined || final !== null) return final!;
    const order = modified(before, command, rules);
    if (order.quantity < order.filledQuantity) {
      return refused('other', `${order.filledQuantity} have filled: the quantity cannot go below`);
    }
    const refusal =
      termsRefusal(order, attempt.instrument, isLive(order, now, rules) ? quote : null) ??
      priceAbsent(order, attempt.instrument, quote, rules) ??
      deliveryRefusal(state, before, order);
    if (refusal !== null) return refusal;
    if (!take(book, before, order, command, rules)) return unaffordable(state);
    return acknowledged(order.id);
  });
}

function newOrder(
  state: LedgerState,
  { attempt, quote, now }: PlaceCommand,
  rules: LedgerRules,
): PaperOrder {
  const { terms } = attempt;
  const trades = !terms.amo && isSessionOpen(now, rules.marketHours);
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
    // The instrument that was resolved, by its canonical name.
    instrument: attempt.instrument.name,
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
    expiresAt: sessionEnd(activeFrom, rules.marketHours),
    createdAt: now,
    updatedAt: now,
  };
}

function modified(
  before: PaperOrder,
  { attempt: { changes }, quote }: ModifyCommand,
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
    // A stop that has been set off stays so, until it is made into another kind of order.
    triggered: before.triggered && orderType === before.orderType,
  });
  return { ...order, reservePrice: reservePrice(order, quote, rules) };
}

function withoutIdlePrices<Terms extends OrderTerms>(terms: Terms): Terms {
  return {
    ...terms,
    price: takesAnyPrice(terms.orderType) ? null : terms.price,
    triggerPrice: isStop(terms.orderType) ? terms.triggerPrice : null,
  };
}

/** 0 when there is no telling: such an order is refused. */
function reservePrice(terms: OrderTerms, quote: Quote | null, rules: LedgerRules): number {
  const known = terms.price ?? terms.triggerPrice;
  return known ?? (quote === null ? null : bestPrice(terms.side, quote, rules.fills)) ?? 0;
}

/** A MARKET order without a price to fill at, or to block money by, is known not to be placed. */
function priceAbsent(
  order: PaperOrder,
  instrument: Instrument,
  quote: Quote | null,
  rules: LedgerRules,
): Outcome | null {
  if (order.orderType !== 'MARKET') return null;
  if (quote !== null && bestPrice(order.side, quote, rules.fills) !== null) return null;
  return refused('other', `no price for ${instrument.name} could be had; nothing was placed`);
}

/** Delivery cannot be sold short: what rests to be sold already counts as gone. */
function deliveryRefusal(
  state: LedgerState,
  before: PaperOrder | null,
  order: PaperOrder,
): Outcome | null {
  if (order.product !== 'CNC' || order.side !== 'SELL') return null;
  const held = state.holdings.get(order.instrument)?.quantity ?? 0;
  const today = state.positions.get(positionKey(order))?.quantity ?? 0;
  const promised = (state.closing.get(closingKey(order)) ?? 0) - (before?.closing ?? 0);
  const sellable = held + today - promised;
  if (remainingOf(order) <= sellable) return null;
  return refused(
    'other',
    `${remainingOf(order)} ${order.instrument} cannot be sold for delivery: ` +
      `${sellable} are held and not yet sold (holdings and what was bought today)`,
  );
}

function finalRefusal(order: PaperOrder | undefined, id: string): Outcome | null {
  if (order === undefined) return refused('other', `there is no order ${id} in the day's book`);
  return order.status === 'working' ? null : refused('other', `order ${id} is ${order.status}`);
}
