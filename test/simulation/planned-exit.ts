import type { Product } from '../../src/domain/order.ts';

/** A way out that somebody asks for. What it is of is chosen among what is held, and open, by then. */
export interface PlannedExit {
  /** Epoch ms. */
  readonly at: number;
  readonly caller: string;
  /** `order`: of an order that rests. */
  readonly of: 'share' | 'option' | 'order';
  /** A position of this instrument; any where absent. */
  readonly instrument?: string;
  /** Its product; INTRADAY where absent. */
  readonly product?: Product;
  /** Of a part of what is held. */
  readonly isPart: boolean;
  /** The broker is named. */
  readonly isNamed: boolean;
  /** It may cancel orders placed elsewhere. */
  readonly cancelExternal?: true;
  /** A second program asks for a way out at the same moment: of the same, or of something else. */
  readonly beside: 'same' | 'other' | null;
  /** Another program sells so many of the same shares, so many ms later; none where absent. */
  readonly sale?: { readonly afterMs: number; readonly quantity: number };
  /** Nobody trades the instrument for so long, ms: legs rest, and fill in part; null where people do. */
  readonly thinMs: number | null;
  /** Bids and offers of the instrument are far from its last price for a while; as they are where absent. */
  readonly parted?: { readonly share: number; readonly forMs: number };
  /** After so many ms it is cancelled; null where it is not. */
  readonly cancelledAfterMs: number | null;
  /** How many orders its program places at that moment. */
  readonly burst: number;
}
