import { type BrokerOrder, rowIn } from '../../domain/broker-order.ts';
import { isFinalRow, type OrderModification } from '../../domain/order.ts';
import { type Outcome, uncertain } from '../../domain/outcome.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { CommitError } from '../../platform/single-writer.ts';
import { plus, type AttemptId, type BrokerOrderId, type ElapsedMs } from '../../units/branded.ts';
import { showsChange } from '../order/change-shown.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { isPassing } from './kept-cancels.ts';

/** How long a caller waits for a book that bears out a refusal. */
export const CONFIRM_REFUSAL_MS = 3_000;
const NEXT_READ_MS = 500;

/**
 * A refusal of a placing as far as it can be believed (docs/orders.md, "After a refusal"). Known words
 * are believed at once. Others are believed once one whole book, whose read began after them, has no
 * row that could be the order; otherwise the outcome is uncertain.
 */
export async function believeRefusal(
  parts: { readonly clock: Clock; readonly scheduler: Scheduler },
  poller: BookPoller,
  attemptId: AttemptId,
  outcome: Outcome,
): Promise<Outcome> {
  const { clock } = parts;
  if (outcome.kind !== 'refused' || outcome.isUnlisted !== true) return outcome;
  const read = await wholeReadWithin(parts, poller, plus(clock.elapsed(), CONFIRM_REFUSAL_MS));
  if (read?.bearsOutRefusal(attemptId) === true) return outcome;
  const why =
    read === null
      ? 'and the order book could not be read whole since'
      : 'and the order book has a row that could be the order';
  const message = `the broker refused in words that are not known to mean that (${outcome.reason}), ${why}`;
  return uncertain({ kind: 'error_body', code: null, message });
}

/** A change that was sent, with the row of its order as it was known before. */
export interface SentChange {
  readonly brokerOrderId: BrokerOrderId;
  /** Null cancels. */
  readonly changes: OrderModification | null;
  /** Null where no book had shown it. */
  readonly before: BrokerOrder | null;
}

/**
 * The same of a cancel or a modification. The order's row is read once more: one that shows the change, or that
 * has moved to another open status ("MODIFY PENDING"), says that the broker may have taken the request, in whatever
 * words it was refused. Where the row cannot be read, known words are believed, and others are not; where it was
 * read and a full disk could not take what the book shows, no words are.
 */
export async function believeRefusalOfChange(
  { scheduler }: { readonly scheduler: Scheduler },
  poller: BookPoller,
  sent: SentChange,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome.kind !== 'refused') return outcome;
  // A temporary refusal, such as a rate limit: the broker has not taken the cancel.
  if (sent.changes === null && isPassing(outcome)) return outcome;
  const isUnlisted = outcome.isUnlisted === true;
  const why = whyNotBelieved(await nextReadInTime(scheduler, poller), sent, isUnlisted);
  if (why === null) return outcome;
  const message = `the broker refused it (${outcome.reason}), ${why}`;
  return uncertain({ kind: 'error_body', code: null, message });
}

/** Why a refusal of a change is not believed, by the read after it; null where it is. */
function whyNotBelieved(
  read: BookRead | 'unwritten' | null,
  sent: SentChange,
  isUnlisted: boolean,
): string | null {
  // A read of which nothing is new has nothing to write.
  if (read === 'unwritten') return 'and what the order book shows since could not be written';
  const row = rowIn(read, sent.brokerOrderId);
  if (row) return whyMayBeMade(row, sent, isUnlisted);
  return isUnlisted
    ? 'in words that are not known to mean that, and its row could not be read since'
    : null;
}

/** What a row says that was read after a refused change, against the one before; null where it says nothing. */
function whyMayBeMade(
  row: BrokerOrder,
  { changes, before }: SentChange,
  isUnlisted: boolean,
): string | null {
  const shows = (each: BrokerOrder | null): boolean =>
    each !== null && changes !== null && showsChange(each, changes);
  if (shows(row) && !shows(before)) return 'and the order book shows that it was made';
  if (before === null || isFinalRow(row.status)) return null;
  if (row.rawStatus !== before.rawStatus) return `and its row says ${row.rawStatus}`;
  // A cancel that was taken after all is sent once more, which does no harm.
  const isLater = (isUnlisted || changes === null) && row.updatedAt !== before.updatedAt;
  return isLater ? 'and its row has changed since' : null;
}

/**
 * A read that begins from now on and ends within `CONFIRM_REFUSAL_MS`; null without one, and `unwritten` where a full
 * disk could not take what is new in it.
 */
async function nextReadInTime(
  scheduler: Scheduler,
  poller: BookPoller,
): Promise<BookRead | 'unwritten' | null> {
  const done = new AbortController();
  const late = sleep(scheduler, CONFIRM_REFUSAL_MS, done.signal).then(() => null);
  const failed = (error: unknown) => (error instanceof CommitError ? 'unwritten' : null);
  try {
    return await Promise.race([poller.nextRead().catch(failed), late]);
  } finally {
    done.abort();
  }
}

/** The first whole read that begins from now on and ends before `deadline`; null without one. */
async function wholeReadWithin(
  { clock, scheduler }: { readonly clock: Clock; readonly scheduler: Scheduler },
  poller: BookPoller,
  deadline: ElapsedMs,
): Promise<BookRead | null> {
  const done = new AbortController();
  const late = sleep(scheduler, deadline - clock.elapsed(), done.signal).then(() => null);
  try {
    for (;;) {
      const read = await Promise.race([poller.nextRead().catch(() => undefined), late]);
      if (read === null || read?.complete === true) return read;
      if (deadline - clock.elapsed() <= NEXT_READ_MS) return null;
      await sleep(scheduler, NEXT_READ_MS);
    }
  } finally {
    done.abort();
  }
}
