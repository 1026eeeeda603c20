/** What a read of a broker's order book shows. Without a fault it shows everything. */
export interface BookView {
  /** The book as it stood then, epoch ms; null for now. */
  asOf: number | null;
  /** Rows younger than this are hidden, ms. */
  hideYoungerThanMs: number;
  /** Rows of orders placed in the broker's own app are left out. */
  hideForeign: boolean;
  /** Rows of orders that work have the quantity that they were placed with. */
  quantitiesLag: boolean;
  /** Makes the reply wrong as the active faults demand; `fields` are the broker's field names. */
  spoil(rows: readonly Row[], fields: RowFields): unknown[];
}

export type Row = Record<string, unknown>;

export interface RowFields {
  id: string;
  quantity: string;
  filled: string;
  status: string;
  /** What names the instrument, and the side. */
  symbol: string;
  side: string;
  /** What hands the tag back. */
  tags: readonly string[];
  /** A status of an order that has filled. */
  complete: string;
  /** A status that means "partly filled", for a row that then omits the quantity. */
  partial: string;
  /** A status of an order that works. */
  open: string;
}

/** How a row is written that cannot be read whole: its price is a text that is none. */
export interface OddRow {
  /** What is written behind the symbol; empty for nothing. */
  suffix: string;
}

/** A row as it is written where something of it cannot be read; `price` is the broker's field. */
export function asOdd(row: Row, odd: OddRow | undefined, fields: RowFields, price: string): Row {
  if (odd === undefined) return row;
  const symbol = `${String(row[fields.symbol])}${odd.suffix}`;
  return { ...row, [price]: 'at best', [fields.symbol]: symbol };
}

export const honestView: BookView = {
  asOf: null,
  hideYoungerThanMs: 0,
  hideForeign: false,
  quantitiesLag: false,
  spoil: (rows) => [...rows],
};

/** The ids of a book, oldest first, as a wrong acknowledgement may name them. */
export const bookIds = (
  orders: readonly { orderId: string; placedBy: 'api' | 'hand'; phase: string }[],
): { orderId: string; byHand: boolean; ended: boolean }[] =>
  orders.map(({ orderId, placedBy, phase }) => ({
    orderId,
    byHand: placedBy === 'hand',
    ended: ['complete', 'cancelled', 'rejected', 'expired'].includes(phase),
  }));
