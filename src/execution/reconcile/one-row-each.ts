import type { Holding, Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import { isUsable } from './believed-rows.ts';

interface Account {
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  readonly unread: readonly UnreadPortfolioRow[];
}

/**
 * An account with one row of each position and of each holding. A row that comes twice is one row: added up, an exit
 * would sell twice what is held. That holds for a row of which only prices could not be read too. Of rows that differ
 * nobody knows which is true, so that all of them count as one that cannot be read.
 */
export function oneRowEach<Read extends Account>(read: Read): Read {
  const usable = read.unread.filter(isUsable);
  const positions = distinct<Position | UnreadPortfolioRow>(
    [...read.positions, ...usable.filter(({ list }) => list === 'positions')],
    // Without a product it may be another position of the same instrument.
    ({ instrument, product }) => (product === '' ? null : `${instrument} ${product}`),
    positionsDiffer,
  );
  const holdings = distinct<Holding | UnreadPortfolioRow>(
    [...read.holdings, ...usable.filter(({ list }) => list === 'holdings')],
    ({ instrument }) => instrument ?? '',
    holdingsDiffer,
  );
  const kept = [...positions.rows, ...holdings.rows];
  if (kept.length === read.positions.length + read.holdings.length + usable.length) return read;
  const unclear = { quantity: null, reason: 'there are several rows of it, and they differ' };
  return {
    ...read,
    positions: positions.rows.filter(isWhole),
    holdings: holdings.rows.filter(isWhole),
    unread: [
      ...read.unread.filter((row) => !isUsable(row)),
      ...kept.filter((row) => !isWhole(row)),
      ...positions.differing.map(({ instrument, product }) => ({
        ...{ list: 'positions' as const, instrument, product, ...unclear },
      })),
      ...holdings.differing.map(({ instrument }) => ({
        ...{ list: 'holdings' as const, instrument, product: null, ...unclear },
      })),
    ],
  };
}

const isWhole = <Row extends object>(row: Row | UnreadPortfolioRow): row is Row =>
  !('reason' in row);

/** By what both rows tell: of one that cannot be read whole, that may be the quantity alone. */
function positionsDiffer(left: Position | UnreadPortfolioRow, right: typeof left): boolean {
  const [sums, others] = [sumsOf(left), sumsOf(right)];
  if (left.quantity !== right.quantity) return true;
  return sums !== null && others !== null && sums !== others;
}

function sumsOf(row: Position | UnreadPortfolioRow): string | null {
  const traded = 'reason' in row ? row.traded : row;
  if (!traded) return null;
  const { buyQuantity, sellQuantity } = traded;
  return [buyQuantity, sellQuantity, ...(row.otherQuantities ?? [])].join();
}

function holdingsDiffer(left: Holding | UnreadPortfolioRow, right: typeof left): boolean {
  if (left.quantity !== right.quantity) return true;
  if ('reason' in left || 'reason' in right) return false;
  return left.t1Quantity !== right.t1Quantity || left.usedQuantity !== right.usedQuantity;
}

function distinct<Row>(
  rows: readonly Row[],
  nameOf: (row: Row) => string | null,
  differ: (row: Row, before: Row) => boolean,
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
    } else if (differ(row, before)) differing.set(name, before);
  }
  const unclear = new Set(differing.values());
  return { rows: kept.filter((row) => !unclear.has(row)), differing: [...unclear] };
}
