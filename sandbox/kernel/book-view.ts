/** What a read of a broker's order book is allowed to see. The honest view leaves all of it in. */
export interface BookView {
  /** The book as it stood then, epoch ms; null for now. */
  asOf: number | null;
  /** Rows younger than this stay out of sight, ms. */
  hideYoungerThanMs: number;
  /** Makes the answer wrong in the ways that faults ask for. Given the broker's field names. */
  spoil(rows: readonly Row[], fields: RowFields): unknown[];
}

export type Row = Record<string, unknown>;

export interface RowFields {
  id: string;
  quantity: string;
  filled: string;
  status: string;
  /** A status that says "partly filled", for a row that then hides how much. */
  partial: string;
}

export const honestView: BookView = {
  asOf: null,
  hideYoungerThanMs: 0,
  spoil: (rows) => [...rows],
};
