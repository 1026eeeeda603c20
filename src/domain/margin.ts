import type { Instrument } from './instrument.ts';
import type { OrderTerms } from './order.ts';

/** An order that is thought of: nothing is placed. */
export interface MarginQuery {
  readonly terms: OrderTerms;
  readonly instrument: Instrument;
}

/** Rupees; null where the broker has no figure. */
export interface MarginEstimate {
  /** What the orders together would block. */
  readonly required: number;
  readonly available: number | null;
  /** Above 0 when the funds do not reach. */
  readonly shortfall: number | null;
  /** By the broker's own names, as `span_margin`. */
  readonly parts: Readonly<Record<string, number>>;
  readonly charges: {
    readonly total: number;
    readonly parts: Readonly<Record<string, number>>;
  } | null;
  /**
   * True where several orders were asked about one by one and the figures are sums: what they save
   * one another by hedging is not in them. Absent where the broker looked at all of them together.
   */
  readonly summed?: boolean;
}
