import { needsPrice, needsTrigger, type OrderType, type Side } from '../../domain/order.ts';
import type { DepthLevel, Quote } from '../../domain/quote.ts';

/** `book`: at what the other side offers. `last`: whole, at the last price. */
export type FillRule = 'book' | 'last';

export interface Executable {
  readonly side: Side;
  readonly orderType: OrderType;
  /** Rupees; null for MARKET and SL-M. */
  readonly price: number | null;
  /** Rupees; null but for SL and SL-M. */
  readonly triggerPrice: number | null;
  readonly triggered: boolean;
  /** What is left to fill. */
  readonly remaining: number;
}

export interface Execution {
  readonly price: number;
  readonly quantity: number;
}

export interface ExecutionReport {
  readonly triggered: boolean;
  readonly fills: readonly Execution[];
}

interface Offer {
  readonly price: number;
  readonly quantity: number;
}

/**
 * What an order fills of now, given a quote (docs/spec/paper.md).
 *
 * MARKET takes the other side's levels one after the other; what is beyond the last level that the
 * quote shows fills at that level's price. LIMIT takes those at its limit or better, each at its
 * own price, and leaves the rest. SL and SL-M wait until the last price reaches the trigger, then
 * are LIMIT and MARKET. Where there is no depth, the whole quantity is had at bid or ask, and where
 * there is neither, at the last price. Nothing is taken out of the quote: two orders, or two looks,
 * may fill against the same level.
 */
export function execute(order: Executable, quote: Quote, rule: FillRule): ExecutionReport {
  const triggered = order.triggered || reachesTrigger(order, quote.lastPrice);
  const waits = needsTrigger(order.orderType) && !triggered;
  if (waits || order.remaining <= 0) return { triggered, fills: [] };
  const limit = needsPrice(order.orderType) ? order.price : null;
  return { triggered, fills: matchOffers(order, limit, offersTo(order.side, quote, rule)) };
}

/** The best price that the order's side could be had at now; null when the quote has none. */
export function bestPrice(side: Side, quote: Quote, rule: FillRule): number | null {
  return offersTo(side, quote, rule)[0]?.price ?? null;
}

function reachesTrigger(order: Executable, lastPrice: number): boolean {
  // A quote without a trade has 0 for its last price, which would set off every selling stop.
  if (!needsTrigger(order.orderType) || order.triggerPrice === null || !isPrice(lastPrice))
    return false;
  return order.side === 'BUY' ? lastPrice >= order.triggerPrice : lastPrice <= order.triggerPrice;
}

function matchOffers(
  order: Executable,
  limit: number | null,
  offers: readonly Offer[],
): Execution[] {
  const fills: { price: number; quantity: number }[] = [];
  let left = order.remaining;
  for (const offer of offers) {
    if (left === 0 || (limit !== null && isWorse(order.side, offer.price, limit))) break;
    const quantity = Math.min(left, offer.quantity);
    fills.push({ price: offer.price, quantity });
    left -= quantity;
  }
  const last = fills.at(-1);
  if (limit === null && last !== undefined) last.quantity += left;
  return fills;
}

function isWorse(side: Side, price: number, limit: number): boolean {
  return side === 'BUY' ? price > limit : price < limit;
}

function offersTo(side: Side, quote: Quote, rule: FillRule): Offer[] {
  if (rule === 'book') {
    const levels = side === 'BUY' ? quote.depth?.sell : quote.depth?.buy;
    const offers = (levels ?? []).filter(isLevel);
    if (offers.length > 0) {
      return offers.sort((a, b) => (side === 'BUY' ? a.price - b.price : b.price - a.price));
    }
    const best = side === 'BUY' ? quote.ask : quote.bid;
    if (isPrice(best)) return [{ price: best, quantity: Infinity }];
  }
  return isPrice(quote.lastPrice) ? [{ price: quote.lastPrice, quantity: Infinity }] : [];
}

/** Feeds fill up missing levels with zeros. */
function isLevel(level: DepthLevel): boolean {
  return isPrice(level.price) && Number.isSafeInteger(level.quantity) && level.quantity > 0;
}

function isPrice(price: number | null): price is number {
  return price !== null && Number.isFinite(price) && price > 0;
}
