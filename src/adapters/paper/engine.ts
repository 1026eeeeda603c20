import { needsPrice, needsTrigger, type OrderType, type Side } from '../../domain/order.ts';
import type { DepthLevel, Quote } from '../../domain/quote.ts';

/**
 * `book`: fills at the prices of the other side. `last`: fills the whole order at the last price.
 */
export type FillRule = 'book' | 'last';

export interface Executable {
  readonly side: Side;
  readonly orderType: OrderType;
  /** Rupees; null for MARKET and SL-M. */
  readonly price: number | null;
  /** Rupees; null except for SL and SL-M. */
  readonly triggerPrice: number | null;
  readonly triggered: boolean;
  /** The quantity that is left to fill. */
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
 * The fills of an order now, given a quote (docs/spec/paper.md).
 *
 * MARKET takes the other side's levels one after the other; a quantity beyond the last level of the
 * quote fills at the price of that level. LIMIT takes the levels at its limit or better, each at
 * its own price, and leaves the rest. SL and SL-M wait until the last price reaches the trigger,
 * then act as LIMIT and MARKET. Without depth the whole quantity fills at bid or ask, and without
 * these at the last price. Fills do not reduce the quote: two orders may fill against the same
 * level.
 */
export function execute(order: Executable, quote: Quote, rule: FillRule): ExecutionReport {
  const triggered = order.triggered || reachesTrigger(order, quote.lastPrice);
  const waits = needsTrigger(order.orderType) && !triggered;
  if (waits || order.remaining <= 0) return { triggered, fills: [] };
  const limit = needsPrice(order.orderType) ? order.price : null;
  return { triggered, fills: matchOffers(order, limit, offersTo(order.side, quote, rule)) };
}

/** The best price for this side of an order now; null when the quote has none. */
export function bestPrice(side: Side, quote: Quote, rule: FillRule): number | null {
  return offersTo(side, quote, rule)[0]?.price ?? null;
}

function reachesTrigger(order: Executable, lastPrice: number): boolean {
  // A quote without a trade has 0 as its last price, which would trigger every stop to sell.
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

/** Feeds write missing levels as zeros. */
function isLevel(level: DepthLevel): boolean {
  return isPrice(level.price) && Number.isSafeInteger(level.quantity) && level.quantity > 0;
}

function isPrice(price: number | null): price is number {
  return price !== null && Number.isFinite(price) && price > 0;
}
