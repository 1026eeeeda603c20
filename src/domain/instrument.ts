/**
 * How an instrument is named (docs/spec/instruments.md): `<EXCH>:<TRADINGSYMBOL>` by people and by
 * the alternative broker, `<EXCH>_<SECURITY_ID>` (a scrip code) by the primary brokerage.
 */
export type InstrumentName = string;

export type Segment = 'EQUITY' | 'DERIVATIVE' | 'INDEX';

/** One instrument, as both brokers' masters together describe it. */
export interface Instrument {
  /** Canonical name, `NSE:INFY`. The key of an instrument everywhere in the gateway. */
  readonly name: InstrumentName;
  /** Exchange and segment as the alternative broker writes it: NSE, BSE, NFO, BFO, … */
  readonly exchange: string;
  readonly tradingSymbol: string;
  readonly segment: Segment;
  /** The exchange's own id, the number in a scrip code; null where only the other broker knows it. */
  readonly securityId: string | null;
  /** The alternative broker's numeric token; null where only the primary knows the instrument. */
  readonly instrumentToken: number | null;
  /** Shares in one lot; orders are whole lots. 1 for shares. */
  readonly lotSize: number;
  /** Rupees. Null where no believable tick is known: then no price is refused for its tick. */
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

export type InstrumentReference =
  | { readonly kind: 'name'; readonly exchange: string; readonly tradingSymbol: string }
  | { readonly kind: 'scrip'; readonly exchange: string; readonly securityId: string };

/** Reads either way of naming; null when the text is neither. */
export function parseInstrumentReference(text: string): InstrumentReference | null {
  const name = /^([A-Z]{2,8}):([A-Z0-9][A-Z0-9 &\-._]{0,49})$/i.exec(text);
  if (name?.[1] && name[2]) {
    return { kind: 'name', exchange: name[1].toUpperCase(), tradingSymbol: name[2].toUpperCase() };
  }
  const scrip = /^([A-Z]{2,8})_(\d{1,18})$/i.exec(text);
  if (scrip?.[1] && scrip[2]) {
    return { kind: 'scrip', exchange: scrip[1].toUpperCase(), securityId: scrip[2] };
  }
  return null;
}

export function instrumentName(exchange: string, tradingSymbol: string): InstrumentName {
  return `${exchange}:${tradingSymbol}`;
}

/** NSE of `NSE:INFY`. */
export function exchangeOf(name: InstrumentName): string {
  const [exchange = ''] = name.split(':', 1);
  return exchange;
}

/**
 * The exchange that a segment's orders are sent to: NFO trades at NSE. Currency segments (CDS, BCD)
 * stand for themselves: their numbers are not those of shares or of equity derivatives, and must not
 * be taken for them.
 */
export function parentExchange(exchange: string): string {
  if (exchange === 'NFO') return 'NSE';
  if (exchange === 'BFO') return 'BSE';
  return exchange;
}

/** `NSE_1594`; null where the exchange's id is not known. */
export function scripCodeOf({ exchange, securityId }: Instrument): string | null {
  return securityId === null ? null : `${parentExchange(exchange)}_${securityId}`;
}

/**
 * The look-up that an adapter is handed, so that it can speak of instruments by their canonical
 * name without knowing where the masters come from.
 */
export interface InstrumentLookup {
  byName(name: InstrumentName): Instrument | null;
  /** `exchange` as an order row has it (NSE or BSE, also for derivatives), with the segment. */
  bySecurityId(exchange: string, securityId: string, segment?: Segment): Instrument | null;
}
