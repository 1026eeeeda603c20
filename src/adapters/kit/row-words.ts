import { type InstrumentName, instrumentName } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';

/**
 * How the names and words of rows are read, of orders, trades, triggers, positions and holdings alike. A row that
 * spells a name in another way than the instrument lists is still of the same shares: an exit that took it for
 * another instrument would sell what an order in that row sells as well.
 */
export const plainWord = (given: string): string => given.trim().toUpperCase();

/** Null where one of the two is missing or only spaces. */
export function rowInstrument(
  exchange: string | null | undefined,
  symbol: string | null | undefined,
): InstrumentName | null {
  const [place, name] = [plainWord(exchange ?? ''), plainWord(symbol ?? '')];
  return place === '' || name === '' ? null : instrumentName(place, name);
}

/** Throws where the row names no instrument. */
export function instrumentOfRow(exchange: string, symbol: string): InstrumentName {
  const name = rowInstrument(exchange, symbol);
  if (name === null) throw new Error('it does not name its instrument');
  return name;
}

export function rowSide(given: string | null | undefined): Side | null {
  const side = plainWord(given ?? '');
  return side === 'BUY' || side === 'SELL' ? side : null;
}
