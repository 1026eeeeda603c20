import { tradingDay } from '../../domain/ist.ts';
import type { Quote } from '../../domain/quote.ts';
import { brokerageDue } from './charges.ts';
import { ended } from './day.ts';
import { worth, ZERO, type Decimal } from '../../domain/money.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { execute, type Execution, type FillRule } from './engine.ts';
import { bookTrade, closableBy, flatPosition } from './position.ts';
import { isSessionOpen, type MarketHours } from './sessions.ts';
import {
  availableCash,
  closingKey,
  positionKey,
  remainingOf,
  type LedgerState,
  type PaperFill,
  type PaperOrder,
} from './state.ts';
import type { EpochMs } from '../../units/branded.ts';

export interface LedgerRules {
  /** For each order that fills, rupees. */
  readonly brokerage: Decimal;
  readonly fills: FillRule;
  readonly marketHours: MarketHours;
}

export interface Moment {
  /** Null when no price was available. */
  readonly quote: Quote | null;
  readonly now: EpochMs;
}

/** Whether an order may trade at an instant: its session has begun and is open. */
export function isLive(order: PaperOrder, now: EpochMs, rules: LedgerRules): boolean {
  return now >= order.activeFrom && isSessionOpen(now, rules.marketHours, order.instrument);
}

export function executionOf(
  order: PaperOrder,
  { quote, now }: Moment & { readonly quote: Quote },
  rules: LedgerRules,
) {
  const tradedToday = rules.marketHours === 'always' ? quote : ofToday(quote, now);
  return execute({ ...order, remaining: remainingOf(order) }, tradedToday, rules.fills);
}

/** Without a last price where that is of an earlier day: nobody trades at it when the market opens. */
function ofToday(quote: Quote, now: EpochMs): Quote {
  const lastTradeAt = quote.trading?.lastTradeAt ?? null;
  const isOld = lastTradeAt !== null && tradingDay(lastTradeAt) < tradingDay(now);
  return isOld ? { ...quote, lastPrice: 0 } : quote;
}

/**
 * Adds an order to the book, or matches a resting one again: fills what can fill now and blocks
 * money for the rest. `before` is the row that it replaces.
 *
 * Returns false, and changes nothing, when the account cannot afford it: an order that opens a
 * position must leave buying power at 0 or more, or no lower than before. An order that only closes
 * a position always passes, brokerage included: an exit is never refused for lack of money.
 */
export function matchOrder(
  unit: UnitOfWork,
  before: PaperOrder | null,
  order: PaperOrder,
  moment: Moment,
  rules: LedgerRules,
): boolean {
  const { state } = unit;
  const availableBefore = availableCash(state);
  const mark = unit.mark();
  const live = isLive(order, moment.now, rules);
  let next = order;
  let opens = false;
  const { quote } = moment;
  if (live && quote !== null) {
    const execution = executionOf(order, { ...moment, quote }, rules);
    next = { ...next, triggered: execution.triggered };
    if (execution.fills.length > 0) {
      opens = opensAnything(state, order, execution.fills);
      next = bookFills(unit, next, execution.fills, moment.now, rules);
    }
  }
  next = rested(state, before, next, live, moment, rules);
  opens ||= next.status === 'working' && opensAtRest(next);
  unit.put({ kind: 'order', before, after: next });
  const available = availableCash(state);
  if (!opens || available.gte(0) || available.gte(availableBefore)) return true;
  unit.rollback(mark);
  return false;
}

/** The order after its fills: filled, cancelled (IOC), or resting with its money blocked. */
function rested(
  state: LedgerState,
  before: PaperOrder | null,
  order: PaperOrder,
  live: boolean,
  moment: Moment,
  rules: LedgerRules,
): PaperOrder {
  const { day } = state.account;
  if (remainingOf(order) === 0) {
    return { ...order, status: 'filled', reserved: ZERO, closing: 0, updatedAt: moment.now, day };
  }
  if (order.validity === 'IOC' && live) {
    const reason =
      moment.quote === null
        ? 'immediate or cancel: no price was available'
        : 'immediate or cancel: the rest could not be filled at once';
    return ended(order, { reason, at: moment.now, day });
  }
  const closing = closingPart(state, before, order);
  const opening =
    order.product === 'CNC' && order.side === 'SELL' ? 0 : remainingOf(order) - closing;
  const reserved =
    opening === 0
      ? ZERO
      : worth(order.reservePrice, opening).plus(
          brokerageDue(order.filledQuantity, rules.brokerage),
        );
  return { ...order, closing, reserved, updatedAt: moment.now, day };
}

/**
 * The part of the resting quantity that closes a position and that no other resting order already
 * closes.
 */
function closingPart(state: LedgerState, before: PaperOrder | null, order: PaperOrder): number {
  // Delivery: a sale never needs money and is bounded by the holdings; a purchase always needs
  // money.
  if (order.product === 'CNC') return order.side === 'SELL' ? remainingOf(order) : 0;
  const claimed = (state.closing.get(closingKey(order)) ?? 0) - (before?.closing ?? 0);
  const closable = closableBy(order.side, state.positions.get(positionKey(order)));
  return Math.min(remainingOf(order), Math.max(0, closable - claimed));
}

function opensAtRest(order: PaperOrder): boolean {
  return remainingOf(order) > order.closing;
}

function opensAnything(
  state: LedgerState,
  order: PaperOrder,
  fills: readonly Execution[],
): boolean {
  if (order.product === 'CNC') return order.side === 'BUY';
  const quantity = fills.reduce((sum, fill) => sum + fill.quantity, 0);
  return quantity > closableBy(order.side, state.positions.get(positionKey(order)));
}

function bookFills(
  unit: UnitOfWork,
  order: PaperOrder,
  fills: readonly Execution[],
  now: EpochMs,
  rules: LedgerRules,
): PaperOrder {
  const { state } = unit;
  const { account } = state;
  const key = positionKey(order);
  const held = state.positions.get(key);
  let position = held ?? flatPosition(order.instrument, order.product);
  const realisedBefore = position.realised;
  let quantity = 0;
  let value = ZERO;
  for (const execution of fills) {
    unit.put({ kind: 'fill', before: null, after: newFill(state, order, execution, now) });
    position = bookTrade(position, order.side, execution.price, execution.quantity);
    quantity += execution.quantity;
    value = value.plus(worth(execution.price, execution.quantity));
  }
  const charge = brokerageDue(order.filledQuantity, rules.brokerage);
  const moved = order.side === 'BUY' ? account.cash.minus(value) : account.cash.plus(value);
  unit.put({ kind: 'position', key, before: held ?? null, after: position });
  unit.put({
    kind: 'account',
    before: account,
    after: {
      ...account,
      cash: moved.minus(charge),
      brokerage: account.brokerage.plus(charge),
      realised: account.realised.plus(position.realised).minus(realisedBefore),
    },
  });
  return {
    ...order,
    filledQuantity: order.filledQuantity + quantity,
    filledValue: order.filledValue.plus(value),
  };
}

function newFill(
  state: LedgerState,
  order: PaperOrder,
  execution: Execution,
  at: EpochMs,
): PaperFill {
  const number = state.nextFill;
  const id = `PPF-${state.account.day.replaceAll('-', '')}-${number}`;
  return { number, id, orderNumber: order.number, orderId: order.id, at, ...execution };
}
