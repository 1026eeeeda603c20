import type { Named } from '../units/branded.ts';

/**
 * How an instrument is named (docs/spec/instruments.md): `<EXCH>:<TRADINGSYMBOL>` by people and by
 * the alternative broker, `<EXCH>_<SECURITY_ID>` by the primary brokerage, which calls that a scrip
 * code.
 */
export type InstrumentName = Named<'InstrumentName'>;

export type Segment = 'EQUITY' | 'DERIVATIVE' | 'INDEX';

/** One instrument, as the brokers' lists together describe it. */
export interface Instrument {
  /** Canonical name, `NSE:INFY`: the instrument's key everywhere in the gateway. */
  readonly name: InstrumentName;
  /** Exchange and segment as the alternative broker writes them: NSE, BSE, NFO, BFO, … */
  readonly exchange: string;
  readonly tradingSymbol: string;
  readonly segment: Segment;
  /** The exchange's id of the instrument; null where only the alternative broker lists it. */
  readonly securityId: string | null;
  /** The alternative broker's numeric token; null where only the primary brokerage lists it. */
  readonly instrumentToken: number | null;
  /** Shares in one lot; orders are whole lots. 1 for shares. */
  readonly lotSize: number;
  /** Rupees. Null where no plausible tick size is known: then no price is refused for its tick. */
  readonly tickSize: number | null;
  /** The largest quantity of one order; null where unknown. */
  readonly freezeQuantity: number | null;
  readonly isin: string | null;
  /** The company's or the contract's name, to search by and to show; never a symbol. */
  readonly displayName: string;
  /** IST calendar day `YYYY-MM-DD`, rupees, CE or PE: derivatives only. */
  readonly expiry: string | null;
  readonly strike: number | null;
  readonly optionType: 'CE' | 'PE' | null;
}

/**
 * The rows of a broker's list, to be read once; null in place of a row that is no instrument. Reading them may
 * throw, up to the last one: only a list that was read to its end may be used.
 */
export type InstrumentRows = Iterable<Instrument | null>;

export type InstrumentReference =
  | { readonly kind: 'name'; readonly exchange: string; readonly tradingSymbol: string }
  | { readonly kind: 'securityId'; readonly exchange: string; readonly securityId: string };

/** Reads either form; null when the text has neither. */
export function parseInstrumentReference(text: string): InstrumentReference | null {
  const name = /^([A-Z]{2,8}):([A-Z0-9][A-Z0-9 &\-._]{0,49})$/i.exec(text);
  if (name?.[1] && name[2]) {
    return { kind: 'name', exchange: name[1].toUpperCase(), tradingSymbol: name[2].toUpperCase() };
  }
  const byId = /^([A-Z]{2,8})_(\d{1,18})$/i.exec(text);
  if (byId?.[1] && byId[2]) {
    return { kind: 'securityId', exchange: byId[1].toUpperCase(), securityId: byId[2] };
  }
  return null;
}

/**
 * The trading symbol of a text that names no exchange, in capitals: INFY. Null for what names one, and for what
 * is no symbol.
 */
export function plainSymbolOf(text: string): string | null {
  // A number alone is a token or an exchange's id, and which of them cannot be told.
  if (parseInstrumentReference(text) !== null || /^\d+$/.test(text)) return null;
  return /^[A-Z0-9][A-Z0-9 &\-._]{0,49}$/i.test(text) ? text.toUpperCase() : null;
}

/** Whether a text may name an instrument: by exchange and symbol, by the exchange's id, or by its symbol alone. */
export const isInstrumentText = (text: string): boolean =>
  parseInstrumentReference(text) !== null || plainSymbolOf(text) !== null;

export function instrumentName(exchange: string, tradingSymbol: string): InstrumentName {
  return `${exchange}:${tradingSymbol}`;
}

/** Whether a contract trades no more on `today`, an IST day. */
export const isExpired = ({ expiry }: Pick<Instrument, 'expiry'>, today: string): boolean =>
  expiry !== null && expiry < today;

/**
 * Whether two editions of one name have different numbers. What a broker tells under the former one may be of another instrument: numbers
 * of contracts are given out again after their expiry. A number that only one of them has says nothing.
 */
export function hasOtherIds(one: Instrument, other: Instrument): boolean {
  const differ = <T>(left: T | null, right: T | null): boolean =>
    left !== null && right !== null && left !== right;
  return (
    differ(one.instrumentToken, other.instrumentToken) || differ(one.securityId, other.securityId)
  );
}

/** NSE of `NSE:INFY`. */
export function exchangeOf(name: InstrumentName): string {
  const [exchange = ''] = name.split(':', 1);
  return exchange;
}

/**
 * The exchange that takes a segment's orders: NFO trades at NSE. Currency segments (CDS, BCD) are
 * exchanges of their own: their ids overlap with those of shares and equity derivatives, and must
 * not be confused with them.
 */
export function parentExchange(exchange: string): string {
  if (exchange === 'NFO') return 'NSE';
  if (exchange === 'BFO') return 'BSE';
  return exchange;
}

/** Exchanges that count shares and units, also of derivatives: one of a quantity is one of them. */
const COUNTS_UNITS: ReadonlySet<string> = new Set(['NSE', 'BSE', 'NFO', 'BFO']);

/**
 * Units of the underlying in one of an order's quantity. Null where the exchange counts contracts or
 * lots, of commodities and currencies: no instrument list says how much one of them is.
 */
export function multiplierOf({ exchange }: Pick<Instrument, 'exchange'>): number | null {
  return COUNTS_UNITS.has(exchange) ? 1 : null;
}

/** `NSE_1594`; null where the exchange's id is not known. */
export function qualifiedSecurityId({ exchange, securityId }: Instrument): string | null {
  return securityId === null ? null : `${parentExchange(exchange)}_${securityId}`;
}

/**
 * The look-up that an adapter is given, so that it can use canonical names without knowing where
 * the instrument lists come from.
 */
export interface InstrumentLookup {
  byName(name: InstrumentName): Instrument | null;
  /** `exchange` as an order row has it (NSE or BSE, also for derivatives), with the segment. */
  bySecurityId(exchange: string, securityId: string, segment?: Segment): Instrument | null;
}

/** The look-up that a broker is given: numbers are those of its own lists, as far as it has them. */
export interface BrokerInstruments extends InstrumentLookup {
  /**
   * The instrument as the broker's own lists have it: without a security id that only another
   * broker's list has, or that may by now be another instrument's. A broker is never sent such a
   * number.
   */
  own(instrument: Instrument): Instrument;
}
