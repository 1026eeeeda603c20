export type Side = 'BUY' | 'SELL';
export type InstrumentKind = 'share' | 'index' | 'option';

/** An instrument, with the names that each broker has for it. Prices are in paise. */
export interface Instrument {
  /** `NSE:INFY`: Kite's name, which the inspectors use too. */
  key: string;
  kind: InstrumentKind;
  exchange: 'NSE' | 'BSE' | 'NFO';
  symbol: string;
  name: string;
  isin: string;
  /** The exchange's own id, which both brokers use. */
  exchangeToken: number;
  /** Kite's `instrument_token`. */
  kiteToken: number;
  /** Where the price model starts, paise. */
  basePaise: number;
  lot: number;
  /** The freeze quantity: the most that one order may have. */
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

/** The primary brokerage's names of an instrument. */
export interface PrimaryNames {
  exchange: 'NSE' | 'BSE';
  securityId: string;
  segment: 'EQUITY' | 'DERIVATIVE' | 'INDEX';
  tradingSymbol: string;
  /** `NSE_1594`. */
  scripCode: string;
}

/** Ticks of NSE shares by price, paise; options always have a tick of 5 paise. */
export function tickOf(instrument: Instrument, pricePaise: number): number {
  if (instrument.kind !== 'share') return 5;
  if (pricePaise < 25_000) return 1;
  if (pricePaise <= 100_000) return 5;
  if (pricePaise <= 500_000) return 10;
  if (pricePaise <= 1_000_000) return 50;
  if (pricePaise <= 2_000_000) return 100;
  return 500;
}
