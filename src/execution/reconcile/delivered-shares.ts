import { exchangeOf, type InstrumentName } from '../../domain/instrument.ts';
import type { Holding, Position } from '../../domain/portfolio.ts';

/** The ISIN of an instrument, as the instrument lists have it; null where no list says it. */
export type IsinOf = (instrument: InstrumentName) => string | null;

/**
 * Whether two names are of the same delivered shares, which can be sold on either exchange. `known`: one ISIN. `likely`:
 * one symbol on NSE and BSE, and nothing tells the ISIN of both, as with the alternative broker alone. That only ever makes
 * less of what may be sold (docs/decisions/0081-one-share-by-its-symbol.md).
 */
export type Sameness = 'known' | 'likely' | 'no';

/** What tells that a name is of the same shares; `theirs` is the ISIN that a row of the holdings has itself. */
export function sameDelivered(
  one: InstrumentName,
  other: InstrumentName,
  isinOf: IsinOf,
  theirs: string | null = null,
): Sameness {
  if (one === other) return 'known';
  const [isin, another] = [isinOf(one), theirs ?? isinOf(other)];
  if (isin !== null && another !== null) return isin === another ? 'known' : 'no';
  return isShareName(one) && isShareName(other) && symbolOf(one) === symbolOf(other)
    ? 'likely'
    : 'no';
}

const isShareName = (name: InstrumentName): boolean => ['NSE', 'BSE'].includes(exchangeOf(name));

/** NSE names a share by its series as well where that is not the ordinary one; BSE never does. */
const symbolOf = (name: InstrumentName): string =>
  name.slice(exchangeOf(name).length + 1).replace(/-(?:BE|BZ|SM|ST)$/, '');

/** What an account has of a share under another name. */
export interface OtherName {
  readonly instrument: InstrumentName;
  readonly sameness: Sameness;
  /** Delivered, by the holdings. */
  readonly delivered: number;
  /** Bought less sold today, by the positions. */
  readonly today: number;
}

/** The rows of an account that are about delivered shares. */
export interface AccountRows {
  readonly positions: readonly Pick<Position, 'instrument' | 'product' | 'quantity'>[];
  readonly holdings: readonly Pick<Holding, 'instrument' | 'isin' | 'quantity'>[];
}

/** The other names under which an account has the delivered shares of an instrument, or has sold them today. */
export function otherNames(
  { positions, holdings }: AccountRows,
  instrument: InstrumentName,
  isinOf: IsinOf,
): readonly OtherName[] {
  const found = new Map<InstrumentName, OtherName>();
  // Two shares of one symbol are told apart by the ISINs of the holdings, where the lists have none.
  const isins = new Map(holdings.map((row) => [row.instrument, row.isin]));
  const told = (name: InstrumentName): string | null => isinOf(name) ?? isins.get(name) ?? null;
  const samenessOf = (name: InstrumentName): Sameness => {
    const known = sameDelivered(instrument, name, isinOf, isins.get(name) ?? null);
    if (known !== 'likely') return known;
    const [isin, another] = [told(instrument), told(name)];
    return isin !== null && another !== null && isin !== another ? 'no' : 'likely';
  };
  const add = (name: InstrumentName, delivered: number, today: number): void => {
    if (name === instrument) return;
    const before = found.get(name);
    const sameness = before?.sameness ?? samenessOf(name);
    if (sameness === 'no') return;
    found.set(name, {
      ...{ instrument: name, sameness },
      delivered: (before?.delivered ?? 0) + delivered,
      today: (before?.today ?? 0) + today,
    });
  };
  for (const row of holdings) add(row.instrument, row.quantity, 0);
  for (const row of positions) {
    if (row.product === 'CNC') add(row.instrument, 0, row.quantity);
  }
  return [...found.values()];
}
