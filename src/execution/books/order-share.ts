import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { type Decimal, worth, ZERO } from '../../domain/money.ts';
import type { Product } from '../../domain/order.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import type { FillRecord } from '../order/fills.ts';
import { tradedOn } from '../order/order-day.ts';
import { bindingOf, fillOf, type OrderRecord } from '../order/order.ts';
import { type Sums, sumsOf } from './sums.ts';
import { quantityOf } from '../triggers/trigger-order.ts';
import { ordersOfTrigger, type TriggerRecord } from '../triggers/trigger.ts';

/** What a line of a book is about: one instrument and product of one account, traded by one key. */
export interface BookLine {
  /** The id of the key. */
  readonly caller: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The user at the broker, in capitals; null where that was not known when the order was sent. */
  readonly account: string | null;
  readonly instrument: InstrumentName;
  readonly product: Product;
}

export const lineKey = ({ caller, broker, mode, account, instrument, product }: BookLine): string =>
  JSON.stringify([caller, broker, mode, account, instrument, product]);

/** What one order adds to the book of its key. */
export interface OrderShare {
  readonly line: BookLine;
  /** The broker's day in whose session it has traded. */
  readonly day: TradingDay;
  readonly sums: Sums;
}

export interface OrderFacts {
  readonly order: OrderRecord;
  /** Its own fills; of an order in slices, none. */
  readonly fills: readonly FillRecord[];
  readonly attempts: readonly AttemptRecord[];
}

/**
 * What an order has filled, as far as it is known; null where it has filled nothing. An order that went out in
 * slices adds nothing itself, since each slice is an order.
 */
export function shareOf({ order, fills, attempts }: OrderFacts): OrderShare | null {
  const quantity = filledOf(order);
  if (quantity === 0) return null;
  const { caller, broker, mode, terms } = order;
  const { instrument, product, side } = terms;
  const account = accountOf(order, attempts);
  const row = bindingOf(order)?.brokerOrderId;
  const own = fills.filter(({ brokerOrderId }) => brokerOrderId === row);
  return {
    line: { caller, broker, mode, account, instrument, product },
    day: tradedOn(order, own),
    sums: sumsOf(side, quantity, valueOf(order, own, quantity)),
  };
}

/** What the orders of a trigger have filled, as far as it is known: they belong to the key of the trigger. */
export function sharesOfTrigger(trigger: TriggerRecord): readonly OrderShare[] {
  const { caller, broker, mode, account = null, terms } = trigger;
  const { instrument, legs } = terms;
  const { product } = legs[0];
  const line = { caller, broker, mode, account: plainAccount(account), instrument, product };
  return ordersOfTrigger(trigger).flatMap(({ side, day, fills, filledQuantity, averagePrice }) => {
    const traded = quantityOf(fills);
    const quantity = filledQuantity ?? traded;
    if (quantity === 0) return [];
    const rowValue = averagePrice === null ? null : worth(averagePrice, quantity);
    const value = traded === quantity ? valueOfTrades(fills) : rowValue;
    return [{ line, day, sums: sumsOf(side, quantity, value) }];
  });
}

const valueOfTrades = (
  fills: readonly { readonly quantity: number; readonly price: number }[],
): Decimal =>
  fills.reduce((total, { price, quantity }) => total.plus(worth(price, quantity)), ZERO);

/** The least that it has filled. */
function filledOf(order: OrderRecord): number {
  if (order.state.kind === 'sliced') return 0;
  const { filledQuantity, atLeast = 0 } = fillOf(order);
  return filledQuantity ?? atLeast;
}

/**
 * Whether the order may have filled more than is known: its outcome is open, a person has to look, or its
 * broker does not say how much has filled.
 */
export function isInDoubt(order: OrderRecord): boolean {
  switch (order.state.kind) {
    case 'sliced':
    case 'accepted':
      return false;
    case 'disputed':
      return true;
    default:
      return fillOf(order).filledQuantity === null;
  }
}

/**
 * Rupees, exact where the fills are known; null where no price is, since an estimate is none. Until all fills are
 * known, the average price of the broker's row counts.
 */
function valueOf(order: OrderRecord, own: readonly FillRecord[], quantity: number): Decimal | null {
  if (own.reduce((total, fill) => total + fill.quantity, 0) === quantity) {
    return valueOfTrades(own);
  }
  const { averagePrice, fillPriceSource } = fillOf(order);
  if (averagePrice === null || fillPriceSource !== 'order_row') return null;
  return worth(averagePrice, quantity);
}

/** The account to which the last placing went: that at the broker which has the order. */
export function accountOf(
  { broker }: OrderRecord,
  attempts: readonly AttemptRecord[],
): string | null {
  let account: string | null = null;
  for (const attempt of attempts) {
    if (attempt.kind !== 'place' || attempt.broker !== broker) continue;
    account = attempt.account ?? account;
  }
  return plainAccount(account);
}

/** A broker may write one user's id in another case from one day to the next. */
const plainAccount = (account: string | null): string | null =>
  account === null ? null : account.trim().toUpperCase();
