import { isObject } from './envelope.ts';
import { segmentOf } from './mapping.ts';
import { positionRow, type PositionRow } from './schemas.ts';

/** A row of the list of a segment, with the product of its position: that of the query, but for copies (`withoutCopies`). */
export interface ListedRow {
  readonly row: unknown;
  readonly product: string;
}

/** Those that a row can name. */
export const PRODUCTS: ReadonlySet<string> = new Set(['CNC', 'INTRADAY', 'MARGIN']);

/**
 * The rows of the older form that the list of derivatives does not have as well: a position in both is one. Where
 * the two differ in the quantity, both rows are kept, and nobody knows which is true.
 */
export function notListed(
  older: readonly unknown[],
  derivatives: readonly ListedRow[],
): readonly unknown[] {
  const listed = derivatives.flatMap(({ row, product }) => {
    const read = positionRow.safeParse(row).data;
    return read === undefined ? [] : [{ ...read, product }];
  });
  return older.filter((row) => {
    const read = positionRow.safeParse(row).data;
    const isShare = isObject(row) && /_EQ$/i.test(String(row.exchange_segment));
    return read === undefined || isShare || !listed.some((each) => isSame(read, each));
  });
}

/**
 * The rows of the answers about several products. A broker that ignores the product answers each question with all
 * positions: a row that several answers have is one position, of the product that it names. Any other row is of the product
 * that was asked for, whatever it names.
 */
export function withoutCopies(given: readonly ListedRow[]): readonly ListedRow[] {
  const askedFor = new Map<string, Set<string>>();
  for (const { row, product } of given) {
    const text = textOf(row);
    askedFor.set(text, (askedFor.get(text) ?? new Set()).add(product));
  }
  const taken = new Set<string>();
  return given.flatMap((each) => {
    const text = textOf(each.row);
    const own = positionRow.safeParse(each.row).data?.product?.toUpperCase() ?? '';
    if ((askedFor.get(text)?.size ?? 0) < 2 || !PRODUCTS.has(own)) return [each];
    if (taken.has(text)) return [];
    taken.add(text);
    return [{ row: each.row, product: own }];
  });
}

/** `position_id` numbers the rows of one reply. */
const textOf = (row: unknown): string =>
  isObject(row) ? JSON.stringify({ ...row, position_id: null }) : JSON.stringify(row);

function isSame(older: PositionRow, listed: PositionRow): boolean {
  if (segmentOf(older.segment) === 'EQUITY' || older.netQuantity !== listed.netQuantity)
    return false;
  const product = older.product?.toUpperCase() ?? '';
  if (PRODUCTS.has(product) && product !== listed.product) return false;
  // One number names a share and a contract, and one symbol all expiries of a month.
  const names = ['securityId', 'symbol'] as const;
  const told = names.filter((name) => older[name] !== null && listed[name] !== null);
  return told.length > 0 && told.every((name) => older[name] === listed[name]);
}
