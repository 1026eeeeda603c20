import type { BrokerId, Mode } from './broker.ts';
import type { InstrumentName } from './instrument.ts';
import type { Product, Side } from './order.ts';
import type { EpochMs, ExitId, OrderId } from '../units/branded.ts';

/** How an exit ends. `flat` is said only where the broker's own book and positions say so. */
export const EXIT_ENDS = ['flat', 'partly_flat', 'stopped'] as const;
export type ExitEnd = (typeof EXIT_ENDS)[number];

/** What callers see of an exit, and of a closing of many positions. */
export const EXIT_STATUSES = ['running', ...EXIT_ENDS] as const;
export type ExitStatus = (typeof EXIT_STATUSES)[number];

/** Why an exit ended otherwise than flat (docs/exits.md says what to do about each). */
export const EXIT_STOPS = [
  'as_asked',
  'not_covered',
  'reserved_elsewhere',
  'reversed',
  'leg_uncertain',
  'leg_not_cancelled',
  'fill_unknown',
  'resting_not_cancelled',
  'trigger_not_deleted',
  'book_unreadable',
  'account_unreadable',
  'not_filled',
  'outside_protection',
  'no_bid',
  'no_price',
  'market_closed',
  'auth',
  'authorise_holdings',
  'address',
  'refused',
  'waited_too_long',
  'took_too_long',
  'gateway_was_down',
  'cancelled',
  'mistake',
] as const;
export type ExitStop = (typeof EXIT_STOPS)[number];

/** An exit as callers see it. Times are epoch ms. */
export interface ExitResponse {
  readonly id: ExitId;
  readonly clientOrderId: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly instrument: InstrumentName;
  readonly product: Product;
  readonly side: Side;
  /** Null for all that can be sold, or bought back. */
  readonly quantity: number | null;
  readonly orderId: OrderId | null;
  /** `running` until it has one of its ends. */
  readonly status: ExitStatus;
  /** Null while it runs, and for `flat`. */
  readonly why: ExitStop | null;
  /** What it does now, or how it ended. */
  readonly detail: string;
  /** Shares still held when it ended; null while it runs, and where that is not known. */
  readonly held: number | null;
  /** Price attempts used for the leg that is under way. */
  readonly attempt: number;
  /** Orders that were sent for it, or are to be. */
  readonly legs: number;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}
