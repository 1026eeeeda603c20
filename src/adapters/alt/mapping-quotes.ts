import type { Candle } from '../../domain/candle.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import { changeOf, percentOf } from '../../domain/money.ts';
import type { DepthLevel, Quote } from '../../domain/quote.ts';
import { positive, wallTime } from './mapping.ts';
import type { CandleRow, QuoteRow } from './schemas.ts';
import { epochMs } from '../../units/branded.ts';

/** Quotes and candles (docs/spec/kite-payloads.md). */
export function toQuote(instrument: InstrumentName, row: QuoteRow): Quote {
  const previousClose = positive(row.ohlc?.close);
  const change = previousClose === null ? null : changeOf(row.last_price, previousClose);
  const depth = row.depth ? { buy: levels(row.depth.buy), sell: levels(row.depth.sell) } : null;
  return {
    instrument,
    lastPrice: row.last_price,
    open: positive(row.ohlc?.open),
    high: positive(row.ohlc?.high),
    low: positive(row.ohlc?.low),
    previousClose,
    // The broker's own `net_change` is often 0 although the price changed.
    change,
    changePercent:
      change === null || previousClose === null ? null : percentOf(change, previousClose),
    volume: row.volume ?? null,
    bid: depth?.buy[0]?.price ?? null,
    ask: depth?.sell[0]?.price ?? null,
    depth,
    upperCircuit: positive(row.upper_circuit_limit),
    lowerCircuit: positive(row.lower_circuit_limit),
    trading: {
      averagePrice: positive(row.average_price),
      lastQuantity: row.last_quantity ?? null,
      lastTradeAt: wallTime(row.last_trade_time),
      buyQuantity: row.buy_quantity ?? null,
      sellQuantity: row.sell_quantity ?? null,
      openInterest: row.oi ?? null,
      openInterestHigh: row.oi_day_high ?? null,
      openInterestLow: row.oi_day_low ?? null,
    },
    at: wallTime(row.timestamp) ?? wallTime(row.last_trade_time),
  };
}

/** The broker writes empty levels as zeros. */
function levels(rows: NonNullable<QuoteRow['depth']>['buy']): readonly DepthLevel[] {
  return rows
    .filter((row) => row.price > 0 && row.quantity > 0)
    .map((row) => ({ price: row.price, quantity: row.quantity, orders: row.orders ?? null }));
}

export function toCandle([time, open, high, low, close, volume, interest]: CandleRow): Candle {
  // The zone comes without its colon, which is not ISO 8601.
  const at = epochMs(Date.parse(time.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')));
  if (Number.isNaN(at) || !/[+-]\d{2}:?\d{2}$/.test(time)) {
    throw new Error('a candle has no readable time');
  }
  const openInterest = typeof interest === 'number' ? interest : null;
  return { at, open, high, low, close, volume, openInterest };
}
