import type { InstrumentName } from './instrument.ts';

/** Quantities are signed: a short position is negative. Rupees; null where the broker has no figure. */
export interface Position {
  readonly instrument: InstrumentName;
  readonly product: string;
  readonly quantity: number;
  readonly averagePrice: number | null;
  readonly lastPrice: number | null;
  readonly realisedPnl: number | null;
  readonly unrealisedPnl: number | null;
  readonly buyQuantity: number;
  readonly sellQuantity: number;
  /** Units of one of `quantity`, where the broker writes lots: of commodities. 1 when absent. */
  readonly multiplier?: number;
  /** The part traded today; absent where the broker does not distinguish it. */
  readonly day?: Turnover;
  /** The part carried over from earlier days; absent likewise. */
  readonly carried?: Turnover;
}

/** Shares or units, and rupees. */
export interface Turnover {
  readonly buyQuantity: number;
  readonly buyValue: number;
  readonly sellQuantity: number;
  readonly sellValue: number;
}

export interface Holding {
  readonly instrument: InstrumentName;
  readonly isin: string | null;
  /** All shares, T1 included (docs/spec/portfolio.md). */
  readonly quantity: number;
  /** Pledged, sold or otherwise blocked; not subtracted from `quantity`. */
  readonly usedQuantity: number;
  readonly t1Quantity: number;
  readonly averagePrice: number | null;
  readonly lastPrice: number | null;
}

/**
 * A row of positions or holdings that could not be read, with what of it could: null is unreadable. It
 * may be any position that nothing readable contradicts.
 */
export interface UnreadPortfolioRow {
  readonly list: 'positions' | 'holdings';
  readonly instrument: InstrumentName | null;
  /** Null for a holding, which is of every product that delivers. */
  readonly product: string | null;
  readonly quantity: number | null;
  /** What is wrong with it, without its values. */
  readonly reason: string;
}

/** Rupees. */
export interface Funds {
  /** Buying power. */
  readonly available: number;
  readonly used: number | null;
  readonly total: number | null;
  /** Buying power by product, where the broker distinguishes products. */
  readonly byProduct: Readonly<Record<string, number>>;
}

export interface Profile {
  readonly userId: string;
  readonly name: string | null;
  readonly email: string | null;
}
