import type { Instrument } from '../../domain/instrument.ts';

/** Options of an index have another symbol than the index; keys without spaces. */
const INDEX_SYMBOLS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NIFTY50: 'NIFTY',
    NIFTYBANK: 'BANKNIFTY',
    NIFTYFINSERVICE: 'FINNIFTY',
    NIFTYFINANCIALSERVICES: 'FINNIFTY',
    NIFTYMIDSELECT: 'MIDCPNIFTY',
    NIFTYMIDCAPSELECT: 'MIDCPNIFTY',
    NIFTYNEXT50: 'NIFTYNXT50',
  }),
);

/**
 * The symbol of the options on an instrument: `NIFTY` for `NSE:NIFTY 50`, `INFY` for `NSE:INFY`.
 */
export function underlyingSymbol({ segment, tradingSymbol }: Instrument): string {
  if (segment !== 'INDEX') return tradingSymbol;
  const plain = tradingSymbol.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return INDEX_SYMBOLS.get(plain) ?? tradingSymbol;
}
