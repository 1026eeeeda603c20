import type { Instrument } from '../domain/instrument.ts';

/**
 * Which instrument a symbol without an exchange stands for (docs/decisions/0045-plain-symbols.md): the only one
 * that has it; of a share that NSE and BSE both list, that of NSE. Null where that is not one instrument, and
 * where a list that is missing could have another one.
 */
export function listingOf(
  listings: readonly Instrument[],
  areListsWhole: boolean,
): Instrument | null {
  const [first, second, ...more] = listings;
  if (first === undefined || more.length > 0) return null;
  if (second === undefined) return isShareAt('BSE', first) && !areListsWhole ? null : first;
  const [atNse, atBse] = isShareAt('NSE', first) ? [first, second] : [second, first];
  const isOneShare = isShareAt('NSE', atNse) && isShareAt('BSE', atBse) && isOneIsin(atNse, atBse);
  return isOneShare ? atNse : null;
}

const isShareAt = (exchange: string, instrument: Instrument): boolean =>
  instrument.segment === 'EQUITY' && instrument.exchange === exchange;

/** Two companies can have one symbol; where a list does not tell the ISIN, the symbol decides. */
const isOneIsin = (one: Instrument, other: Instrument): boolean =>
  one.isin === null || other.isin === null || one.isin === other.isin;
