import type { InstrumentName } from '../../domain/instrument.ts';
import type { Product } from '../../domain/order.ts';

/** Which positions are to be closed. */
export interface ClosingFilter {
  readonly instrument: InstrumentName | null;
  readonly product: Product | null;
  /** The side of the position: BUY for long ones. */
  readonly side: 'BUY' | 'SELL' | null;
  /** Delivery shares that are to be sold: of no others is anything sold. */
  readonly holdings: readonly InstrumentName[];
  /** Also shares of those that were bought lately and are not delivered yet (T1), or today. */
  readonly includeUndelivered: boolean;
}
