import { isObject } from './envelope.ts';
import { segmentOf } from './mapping.ts';
import { positionRow, type PositionRow } from './schemas.ts';

/** A row of the list of a segment, with the product of its query. */
export interface ListedRow {
  readonly row: unknown;
  readonly product: string;
}

const PRODUCTS: ReadonlySet<string> = new Set(['CNC', 'INTRADAY', 'MARGIN']);

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
