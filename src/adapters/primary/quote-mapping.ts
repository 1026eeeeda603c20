import type { InstrumentName } from '../../domain/instrument.ts';
import type { DepthLevel, LastPrice, Quote, QuoteTrading } from '../../domain/quote.ts';
import { isObject } from './envelope.ts';
import { number, quoteRow } from './schemas.ts';

/** Null when the row has no price: the caller reports such an instrument as absent. */
export function mapQuote(instrument: InstrumentName, code: string, data: unknown): Quote | null {
  const parsed = quoteRow.safeParse(data);
  if (!parsed.success || parsed.data.lastPrice === null) return null;
  const { lastPrice, bid, ask, depth: rawDepth, ...rest } = parsed.data;
  const depth = mapDepth(rawDepth, code);
  const trading = mapTotals(rawDepth, code);
  return {
    instrument,
    lastPrice,
    ...rest,
    bid: bid ?? depth?.buy[0]?.price ?? null,
    ask: ask ?? depth?.sell[0]?.price ?? null,
    depth,
    ...(trading ? { trading } : {}),
    at: null,
  };
}

export function mapLastPrice(instrument: InstrumentName, data: unknown): LastPrice | null {
  const parsed = quoteRow.safeParse(data);
  if (!parsed.success || parsed.data.lastPrice === null) return null;
  return { instrument, lastPrice: parsed.data.lastPrice };
}

/** `{depth: [{buy, sell}]}`, sometimes nested once more under the scrip code (seen live). */
function mapDepth(data: unknown, code: string): Quote['depth'] {
  const inner = innerOf(data, code);
  if (inner === null) return null;
  const list = inner.depth ?? inner.levels;
  const levels = Array.isArray(list) ? list.filter(isObject) : [];
  const buy = levels.map((level) => mapLevel(level.buy)).filter((level) => level !== null);
  const sell = levels.map((level) => mapLevel(level.sell)).filter((level) => level !== null);
  return buy.length + sell.length === 0 ? null : { buy, sell };
}

/** The depth itself, which can be nested once more under the scrip code; null for anything else. */
function innerOf(data: unknown, code: string): Record<string, unknown> | null {
  const inner = isObject(data) && isObject(data[code]) ? data[code] : data;
  return isObject(inner) ? inner : null;
}

/** What waits to be bought and sold in all, which stands beside the levels. */
function mapTotals(data: unknown, code: string): QuoteTrading | null {
  const aggregate = innerOf(data, code)?.aggregate;
  if (!isObject(aggregate)) return null;
  return {
    ...{ averagePrice: null, lastQuantity: null, lastTradeAt: null },
    buyQuantity: number(aggregate.total_buy),
    sellQuantity: number(aggregate.total_sell),
    ...{ openInterest: null, openInterestHigh: null, openInterestLow: null },
  };
}

function mapLevel(data: unknown): DepthLevel | null {
  if (!isObject(data)) return null;
  const price = number(data.price);
  const quantity = number(data.quantity);
  if (price === null || price <= 0 || quantity === null) return null;
  return { price, quantity, orders: number(data.orders) };
}
