import type { Side } from '../../src/domain/order.ts';

/** Positions that are there to be closed: what is short, and what is long and covers it. */
export type Hedge =
  /** Ordered in the broker's own app. */
  | 'by_hand'
  /** Ordered by the program itself, through the gateway. */
  | 'by_caller';

/** What else somebody asks for at the same moment. */
export type Beside = 'closing' | 'exit' | 'cancel_all';

/** A closing of many positions that somebody asks for (docs/exits.md, "Closing all"). */
export interface PlannedClosing {
  /** Epoch ms. */
  readonly at: number;
  /** A program, which closes what is its own, or the person, who closes what the account has. */
  readonly caller: string;
  readonly scope: 'mine' | 'account';
  /** The broker is named. */
  readonly isNamed: boolean;
  /** Only positions of this side. */
  readonly side: Side | null;
  /** One instrument is named. */
  readonly isOfOne: boolean;
  /** Delivery shares that are named too. */
  readonly holdings: readonly string[];
  readonly hedge: Hedge | null;
  readonly beside: Beside | null;
  /** Nobody trades what is short for so long, ms; null where people do. */
  readonly thinMs: number | null;
  /** After so many ms it is ended by a caller; null where it is not. */
  readonly cancelledAfterMs: number | null;
}

/** A cancel of many orders that somebody asks for (docs/many-orders.md). */
export interface PlannedCancelAll {
  /** Epoch ms. */
  readonly at: number;
  readonly caller: string;
  readonly scope: 'mine' | 'account';
  readonly isNamed: boolean;
  readonly side: Side | null;
  /** How many orders rest in the broker's own app by then. */
  readonly byHand: number;
  /** How many orders the callers place at that moment. */
  readonly burst: number;
  /** Triggers are deleted as well. */
  readonly triggers?: true;
}
