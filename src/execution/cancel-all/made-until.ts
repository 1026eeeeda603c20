import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { type EpochMs, plus } from '../../units/branded.ts';
import { brokerTimeNow } from '../reconcile/broker-clock.ts';
import { BOOK_MS } from './cancel-command.ts';

/**
 * Until when a row was made that a request to cancel many is about, by the broker's clock, which dates the rows; null
 * for every row: a book, or a list, that is read at once has nothing that was placed since.
 */
export function madeUntil(
  trading: Trading,
  clock: Clock,
  /** When the request began, by the gateway's clock. */
  at: EpochMs,
): EpochMs | null {
  const passed = clock.now() - at;
  if (passed <= BOOK_MS) return null;
  return plus(brokerTimeNow(trading, clock) ?? clock.now(), -passed);
}
