import type { OrderTerms } from '../../domain/order.ts';
import { notSent, type NotSent, type Outcome } from '../../domain/outcome.ts';
import { type ElapsedMs, type OrderId, plus } from '../../units/branded.ts';
import type { Checked } from './guards.ts';
import { notSentProblem, type PlaceCommand, type SubmitParts } from './place-command.ts';
import { isKnownExit } from './prepare.ts';
import { reducesPosition } from './reduce-only.ts';

/**
 * Orders that are late, mostly because the disk hung. Nobody may want their price any more, so they are not
 * sent; one that is known to do nothing but reduce a position is sent (docs/orders.md, "Before anything is
 * sent").
 */

/** How much longer than its preparing the commit of an order may take. */
const COMMIT_MS = 1_000;
/** How long an exit that is late waits for its account to be read. */
const LATE_EXIT_MS = 1_000;

type LateParts = Pick<SubmitParts, 'writer' | 'clock' | 'accounts'>;

/** Why an order that has been prepared, or is on disk, does not leave any more; null where it does. */
export async function tooLate(
  { writer, clock, accounts }: LateParts,
  order: Checked,
  /** Until when it had to be prepared. */
  preparedBy: ElapsedMs,
): Promise<NotSent | null> {
  if (clock.elapsed() <= plus(preparedBy, COMMIT_MS)) return null;
  const until = plus(clock.elapsed(), LATE_EXIT_MS);
  if (await isKnownExit({ state: writer.state, clock, accounts }, order, until)) return null;
  return notSent(
    'late',
    'getting the order ready and on disk took so long that its price may be outdated',
  );
}

/** Whether an order was not sent because it was late: then no other broker of its route gets it either. */
export const isLate = (outcome: Outcome): boolean =>
  outcome.kind === 'not_sent' && outcome.cause === 'late';

/**
 * Throws `order_not_sent` for an order that has only now been read, and may have waited in its socket since
 * long ago, because the disk hung.
 */
export function refuseWaiting(
  { writer, clock, accounts, stalls }: LateParts & Pick<SubmitParts, 'stalls'>,
  { candidates: [first] }: PlaceCommand,
  terms: OrderTerms,
  orderId: OrderId,
): void {
  if (!stalls.mayHaveWaited()) return;
  if (first !== undefined) {
    const { broker } = first;
    const order = { broker, terms, orderId, at: clock.now(), day: accounts.today(broker) };
    if (reducesPosition(writer.state, order, accounts.beside(order))) return;
  }
  const reason =
    'the disk did not answer for several seconds, and the request may have waited as long: send it again if ' +
    'it is still wanted';
  throw notSentProblem(notSent('late', reason));
}
