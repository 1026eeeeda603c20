import type { InstrumentName } from './instrument.ts';
import type { EpochMs } from '../units/branded.ts';

export interface DepthLevel {
  readonly price: number;
  readonly quantity: number;
  readonly orders: number | null;
}

/** Rupees and shares; null where the broker has no figure. `at` is epoch ms. */
export interface Quote {
  readonly instrument: InstrumentName;
  readonly lastPrice: number;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly previousClose: number | null;
  readonly change: number | null;
  readonly changePercent: number | null;
  readonly volume: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly depth: {
    readonly buy: readonly DepthLevel[];
    readonly sell: readonly DepthLevel[];
  } | null;
  readonly upperCircuit: number | null;
  readonly lowerCircuit: number | null;
  /** Of the last 52 weeks; absent where the broker does not send it. */
  readonly yearHigh?: number | null;
  readonly yearLow?: number | null;
  /** Absent where the broker sends none of it. */
  readonly trading?: QuoteTrading;
  readonly at: EpochMs | null;
}

/** What was traded today and what waits to be; null where the broker has no figure. */
export interface QuoteTrading {
  /** By volume, of the day. */
  readonly averagePrice: number | null;
  readonly lastQuantity: number | null;
  readonly lastTradeAt: EpochMs | null;
  /** All orders that wait at the exchange, also beyond the market depth. */
  readonly buyQuantity: number | null;
  readonly sellQuantity: number | null;
  /** Of a derivative; a broker may write 0 for what has none. */
  readonly openInterest: number | null;
  readonly openInterestHigh: number | null;
  readonly openInterestLow: number | null;
}

export interface LastPrice {
  readonly instrument: InstrumentName;
  readonly lastPrice: number;
}
