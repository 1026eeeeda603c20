import type { Holding, Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';

interface Account {
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  readonly unread: readonly UnreadPortfolioRow[];
}

/**
 * An account with one row of each position and of each holding. A row that comes twice is one row: added up, an exit
 * would sell twice what is held. Of rows that differ nobody knows which is true, so that all of them count as one that
 * cannot be read.
 */
export function oneRowEach<Read extends Account>(read: Read): Read {
  const positions = distinct(
    read.positions,
    // Without a product it may be another position of the same instrument.
    ({ instrument, product }) => (product === '' ? null : `${instrument} ${product}`),
    ({ quantity, buyQuantity, sellQuantity, otherQuantities = [] }) =>
      [quantity, buyQuantity, sellQuantity, ...otherQuantities].join(),
  );
  const holdings = distinct(
    read.holdings,
    ({ instrument }) => instrument,
    ({ quantity, t1Quantity, usedQuantity }) => [quantity, t1Quantity, usedQuantity].join(),
  );
  if (positions.rows.length + holdings.rows.length === read.positions.length + read.holdings.length)
    return read;
  const reason = 'there are several rows of it, and they differ';
  const unclear = { quantity: null, reason };
  return {
    ...read,
    positions: positions.rows,
    holdings: holdings.rows,
    unread: [
      ...read.unread,
      ...positions.differing.map(({ instrument, product }) => ({
        ...{ list: 'positions' as const, instrument, product, ...unclear },
      })),
      ...holdings.differing.map(({ instrument }) => ({
        ...{ list: 'holdings' as const, instrument, product: null, ...unclear },
      })),
    ],
  };
}

function distinct<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string | null,
  figuresOf: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly differing: readonly Row[] } {
  const first = new Map<string, Row>();
  const differing = new Map<string, Row>();
  const kept: Row[] = [];
  for (const row of rows) {
    const name = nameOf(row);
    const before = name === null ? undefined : first.get(name);
    if (name === null || before === undefined) {
      if (name !== null) first.set(name, row);
      kept.push(row);
    } else if (figuresOf(row) !== figuresOf(before)) differing.set(name, before);
  }
  const unclear = new Set(differing.values());
  return { rows: kept.filter((row) => !unclear.has(row)), differing: [...unclear] };
}
