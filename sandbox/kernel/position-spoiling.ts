import type { Row } from './book-view.ts';

/** What is wrong with a row of the positions. */
export interface PositionSpoiling {
  /**
   * 0: its quantity is a text. 1: what names its instrument is missing as well. 2: it is no row at all. 3: a price or a
   * profit of each row is a text, and its quantity and its sums can be read. 4: it is missing.
   */
  form: number;
  /** The last row that contains this text, if there is one; empty for the last row. Form 3: each row that contains it. */
  of: string;
  /** Which of the prices and profits is a text, counted from 0. */
  price: number;
}

export interface PositionFields {
  quantity: string;
  /** What names the instrument. */
  names: readonly string[];
  /** Prices, profits and values: none of them tells how much is held. */
  prices: readonly string[];
}

export function spoilPositions(
  rows: readonly Row[],
  fields: PositionFields,
  spoiling: PositionSpoiling | null,
): unknown[] {
  if (spoiling === null) return [...rows];
  const { form, of, price } = spoiling;
  if (form === 3) {
    const name = fields.prices[price % fields.prices.length] ?? '';
    return rows.map((row) => (JSON.stringify(row).includes(of) ? { ...row, [name]: 'n.a.' } : row));
  }
  const index = rows.findLastIndex((row) => JSON.stringify(row).includes(of));
  if (form === 4) return rows.filter((_, at) => at !== index);
  return rows.map((row, at) => {
    if (at !== index) return row;
    if (form === 2) return 'row';
    const bad: Row = { ...row, [fields.quantity]: 'many' };
    if (form === 1) for (const name of fields.names) bad[name] = null;
    return bad;
  });
}
