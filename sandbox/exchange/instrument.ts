export type Side = 'BUY' | 'SELL';
export type InstrumentKind = 'share' | 'index' | 'option';

/** A thing that trades, with the names by which each broker knows it. Prices are in paise. */
export interface Instrument {
  /** `NSE:INFY`: Kite's name for it, and the name that inspectors take. */
  key: string;
  kind: InstrumentKind;
  exchange: 'NSE' | 'BSE' | 'NFO';
  symbol: string;
  name: string;
  isin: string;
  /** The exchange's own id: what both brokers share. */
  exchangeToken: number;
  /** Kite's `instrument_token`. */
  kiteToken: number;
  /** Where the price walk starts, paise. */
  basePaise: number;
  lot: number;
  /** The most that one order may ask for. */
  freeze: number;
  option: OptionTerms | null;
  primary: PrimaryNames;
}

export interface OptionTerms {
  underlying: string;
  /** `YYYY-MM-DD`. */
  expiry: string;
  /** Rupees. */
  strike: number;
  right: 'CE' | 'PE';
}

/** How the primary brokerage names it. */
export interface PrimaryNames {
  exchange: 'NSE' | 'BSE';
  securityId: string;
  segment: 'EQUITY' | 'DERIVATIVE' | 'INDEX';
  tradingSymbol: string;
  /** `NSE_1594`. */
  scripCode: string;
}

/** NSE cash ticks by price, paise; options trade in 5 paise throughout. */
export function tickOf(instrument: Instrument, pricePaise: number): number {
  if (instrument.kind !== 'share') return 5;
  if (pricePaise < 25_000) return 1;
  if (pricePaise <= 100_000) return 5;
  if (pricePaise <= 500_000) return 10;
  if (pricePaise <= 1_000_000) return 50;
  if (pricePaise <= 2_000_000) return 100;
  return 500;
}
