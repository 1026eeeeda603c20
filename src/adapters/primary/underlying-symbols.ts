import type { Instrument } from '../../domain/instrument.ts';

/** Derivatives of an index go by another name than the index itself; keys without spaces. */
const INDEX_SYMBOLS: Readonly<Record<string, string>> = {
  NIFTY50: 'NIFTY',
  NIFTYBANK: 'BANKNIFTY',
  NIFTYFINSERVICE: 'FINNIFTY',
  NIFTYFINANCIALSERVICES: 'FINNIFTY',
  NIFTYMIDSELECT: 'MIDCPNIFTY',
  NIFTYMIDCAPSELECT: 'MIDCPNIFTY',
  NIFTYNEXT50: 'NIFTYNXT50',
};

/** What options on an instrument are listed under: `NIFTY` for `NSE:NIFTY 50`, `INFY` for `NSE:INFY`. */
export function underlyingSymbol({ segment, tradingSymbol }: Instrument): string {
  if (segment !== 'INDEX') return tradingSymbol;
  const plain = tradingSymbol.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return Object.hasOwn(INDEX_SYMBOLS, plain) ? INDEX_SYMBOLS[plain]! : tradingSymbol;
}
