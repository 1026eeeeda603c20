import type { BrokerId, Mode } from './broker.ts';
import type { ExitStatus } from './exit.ts';
import type { InstrumentName } from './instrument.ts';
import type { UnreadPortfolioRow } from './portfolio.ts';
import type { ClosingId, EpochMs, ExitId } from '../units/branded.ts';

/** What becomes of one position of a closing. */
export const CLOSING_STATUSES = [
  'waiting',
  'running',
  'flat',
  'partly_flat',
  'stopped',
  'kept',
] as const;
export type ClosingStatus = (typeof CLOSING_STATUSES)[number];

/** One position that a closing ends, by an exit of its own. */
export interface ClosingPosition {
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly instrument: InstrumentName;
  readonly product: string;
  /** Shares or units, as it was when the closing began; negative where it is short. */
  readonly net: number;
  /** What its exit is asked for; null for all. */
  readonly quantity: number | null;
  /** What the position is on: those of one underlying are closed in an order that leaves no short uncovered. */
  readonly underlying: string;
  /** 1: what is short. 2: what is long, and may cover it: closed once all of phase 1 is flat. */
  readonly phase: 1 | 2;
  readonly status: ClosingStatus;
  /** Null until its exit has begun. */
  readonly exitId: ExitId | null;
  /** Why it is not closed, or not whole; null where nothing needs to be said. */
  readonly reason: string | null;
}

/**
 * A row of an account that cannot be read, and that may be a position that a closing was asked for: it is not
 * closed. Null is what cannot be read of it.
 */
export interface ClosingUnread extends UnreadPortfolioRow {
  readonly broker: BrokerId;
  readonly mode: Mode;
}

/** A closing of many positions as callers see it. Times are epoch ms. */
export interface ClosingResponse {
  readonly id: ClosingId;
  readonly clientOrderId: string;
  readonly status: ExitStatus;
  readonly detail: string;
  readonly positions: readonly ClosingPosition[];
  readonly unread: readonly ClosingUnread[];
  /**
   * How long what is left takes at the brokers' limits, seconds, if each position needs one order: cancels of what
   * rests, and further waves of large positions, come on top.
   */
  readonly estimatedSeconds: number;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}
