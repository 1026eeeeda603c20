import type { Instrument } from './instrument.ts';
import type { OrderTerms } from './order.ts';

/** A hypothetical order: nothing is placed. */
export interface MarginQuery {
  readonly terms: OrderTerms;
  readonly instrument: Instrument;
}

/** Rupees; null where the broker has no figure. */
export interface MarginEstimate {
  /** What the orders together would block. */
  readonly required: number;
  readonly available: number | null;
  /** Above 0 when the funds do not suffice. */
  readonly shortfall: number | null;
  /** By the broker's own names, such as `span_margin`. */
  readonly parts: Readonly<Record<string, number>>;
  readonly charges: {
    readonly total: number;
    readonly parts: Readonly<Record<string, number>>;
  } | null;
  /**
   * True where the broker was asked about each order by itself and the figures are sums, which do
   * not include the benefit of hedging. Absent where the broker computed all orders together.
   */
  readonly summed?: boolean;
  /** What the orders would block if each was placed by itself, added up; absent where that is not known. */
  readonly alone?: number;
}
