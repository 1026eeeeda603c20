import { type Decimal, decimal } from '../../domain/money.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/quote.ts';
import type { EpochMs } from '../../units/branded.ts';
import { underlyingOf } from '../submit/preflight.ts';

/** Prices between which the exchange takes a LIMIT order, rupees; both are allowed. */
export interface PriceRange {
  readonly lower: Decimal;
  readonly upper: Decimal;
}

/** Up to `upTo` rupees the range is so many rupees wide on each side, above it so many percent. */
interface Width {
  readonly upTo: number;
  readonly rupees: number;
  readonly percent: number;
}

const OPTION: Width = { upTo: 50, rupees: 20, percent: 40 };
const INDEX_FUTURE: Width = { upTo: 10_000, rupees: 200, percent: 2 };
const STOCK_FUTURE: Width = { upTo: 50, rupees: 1.5, percent: 3 };
const INDICES = ['NIFTY', 'BANKNIFTY', 'FINNIFTY', 'MIDCPNIFTY', 'NIFTYNXT50'];

/** After so long without a trade the exchange goes by a price of its own making, which nobody tells. */
const LAST_TRADE_COUNTS_MS = 15 * 60_000;

/**
 * The limit price protection of NSE for its options and futures (docs/spec/exit-prices.md). The exchange goes by the
 * average of the trades of 30 s; the last price stands for it. Null for what has no such range, and where the last trade
 * is too old or its time is not known: a range that may be wrong would keep an exit from the price that it needs.
 */
export function priceProtection(
  instrument: Pick<Instrument, 'name' | 'exchange' | 'segment' | 'optionType' | 'tradingSymbol'>,
  { lastPrice, trading }: Quote,
  now: EpochMs,
): PriceRange | null {
  if (instrument.exchange !== 'NFO' || instrument.segment !== 'DERIVATIVE') return null;
  const lastTradeAt = trading?.lastTradeAt ?? null;
  if (lastTradeAt === null || now - lastTradeAt > LAST_TRADE_COUNTS_MS) return null;
  if (!Number.isFinite(lastPrice) || lastPrice <= 0) return null;
  const { upTo, rupees, percent } = widthOf(instrument);
  const price = decimal(lastPrice);
  const width = lastPrice <= upTo ? decimal(rupees) : price.times(percent).div(100);
  return { lower: price.minus(width), upper: price.plus(width) };
}

function widthOf(instrument: Parameters<typeof priceProtection>[0]): Width {
  if (instrument.optionType !== null) return OPTION;
  return INDICES.includes(underlyingOf(instrument)) ? INDEX_FUTURE : STOCK_FUTURE;
}
