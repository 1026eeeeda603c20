import type { EpochMs } from '../units/branded.ts';

/**
 * How long one request to place an order took (docs/operations.md, "How long an order takes"). The
 * parts are in ms after the order was received, by a clock that never steps.
 */
export interface OrderTimes {
  readonly receivedAt: EpochMs;
  /** The order was on disk. */
  readonly committedMs: number;
  /** The request was written to the broker's connection; null where it never was. */
  readonly sentMs: number | null;
  /** The answer was there, or it was clear that there will be none. */
  readonly answeredMs: number;
}
