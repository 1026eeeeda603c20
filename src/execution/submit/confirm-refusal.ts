import { type Outcome, uncertain } from '../../domain/outcome.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { plus, type AttemptId, type ElapsedMs } from '../../units/branded.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-reader.ts';

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
