import { istIso } from '../domain/ist.ts';
import type { DepthLevel, Quote } from '../domain/quote.ts';
import { TICK_MODES, type TickMode } from '../domain/tick.ts';
import type { LivePrice, PriceMessage, ToldPrice } from '../router/price-streams.ts';
import { isoOrNull } from './define-route.ts';

/** A message of prices as JSON (docs/streaming.md). */
export function priceMessageText(message: PriceMessage): string {
  if (message.type === 'feed') {
    const { seq, feed, instruments } = message;
    return JSON.stringify({ type: 'feed', seq, ...feed, instruments });
  }
  const { type, seq, prices } = message;
  return `{"type":"${type}","seq":${seq},"prices":[${prices.map(textOf).join()}]}`;
}

/** Each price is written once for all readers of one mode. */
const texts = new WeakMap<LivePrice, Map<TickMode, string>>();

function textOf({ price, mode }: ToldPrice): string {
  const known = texts.get(price) ?? new Map<TickMode, string>();
  texts.set(price, known);
  const text = known.get(mode) ?? JSON.stringify(priceView(price, mode));
  known.set(mode, text);
  return text;
}

/** The figures of one mode; a richer one has those of the modes before it as well. */
export function priceView(price: LivePrice, mode: TickMode) {
  const { quote } = price;
  const [, isQuote, isFull] = TICK_MODES.map(
    (each) => TICK_MODES.indexOf(mode) >= TICK_MODES.indexOf(each),
  );
  return {
    instrument: price.instrument,
    mode,
    lastPrice: price.lastPrice,
    ...(quote && isQuote ? dayView(quote) : {}),
    ...(quote && isFull ? bookView(quote) : {}),
    exchangeAt: isoOrNull(quote?.at ?? null),
    receivedAt: istIso(price.receivedAt),
    broker: price.broker,
    source: price.source,
    stale: price.stale,
  };
}

function dayView({ trading, ...quote }: Quote) {
  return {
    ...{ open: quote.open, high: quote.high, low: quote.low },
    ...{ previousClose: quote.previousClose, change: quote.change },
    ...{ changePercent: quote.changePercent, volume: quote.volume },
    averagePrice: trading?.averagePrice ?? null,
    lastQuantity: trading?.lastQuantity ?? null,
    buyQuantity: trading?.buyQuantity ?? null,
    sellQuantity: trading?.sellQuantity ?? null,
  };
}

function bookView({ trading, depth, ...quote }: Quote) {
  return {
    ...{ bid: quote.bid, ask: quote.ask },
    depth: depth && { buy: depth.buy.map(levelView), sell: depth.sell.map(levelView) },
    ...{ upperCircuit: quote.upperCircuit, lowerCircuit: quote.lowerCircuit },
    lastTradeAt: isoOrNull(trading?.lastTradeAt ?? null),
    openInterest: trading?.openInterest ?? null,
    openInterestHigh: trading?.openInterestHigh ?? null,
    openInterestLow: trading?.openInterestLow ?? null,
  };
}

const levelView = ({ price, quantity, orders }: DepthLevel) => ({ price, quantity, orders });
