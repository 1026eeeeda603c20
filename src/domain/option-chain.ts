import type { Instrument, InstrumentName } from './instrument.ts';

/** One contract of a chain. Rupees, shares; volatility in percent; null where unknown. */
export interface OptionLeg {
  /** Canonical name; null where no instrument list has the contract. */
  readonly instrument: InstrumentName | null;
  readonly securityId: string | null;
  readonly lastPrice: number | null;
  readonly previousClose: number | null;
  readonly openInterest: number | null;
  readonly previousOpenInterest: number | null;
  readonly volume: number | null;
  readonly bid: number | null;
  readonly bidQuantity: number | null;
  readonly ask: number | null;
  readonly askQuantity: number | null;
  readonly impliedVolatility: number | null;
  readonly greeks: {
    readonly delta: number | null;
    readonly gamma: number | null;
    readonly theta: number | null;
    readonly vega: number | null;
  } | null;
}

export interface OptionStrike {
  readonly strike: number;
  readonly call: OptionLeg | null;
  readonly put: OptionLeg | null;
}

/** Strikes ascending. `expiry` is an IST day `YYYY-MM-DD`, null where the broker does not say. */
export interface OptionChain {
  readonly underlying: InstrumentName;
  readonly underlyingPrice: number | null;
  readonly expiry: string | null;
  readonly strikes: readonly OptionStrike[];
}

export interface OptionChainQuery {
  readonly underlying: Instrument;
  /** IST day; null takes the nearest. */
  readonly expiry: string | null;
  /** How many strikes on either side of the price; null takes the broker's default. */
  readonly strikes: number | null;
}
