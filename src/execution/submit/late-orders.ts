import type { OrderTerms } from '../../domain/order.ts';
import { notSent, type NotSent, type Outcome } from '../../domain/outcome.ts';
import { ageOf, type Clock } from '../../platform/clock.ts';
import { type OrderId, plus } from '../../units/branded.ts';
import type { Checked } from './guards.ts';
import {
  notSentProblem,
  type PlaceCommand,
  type SubmitParts,
  type TimeLimit,
} from './place-command.ts';
import { isKnownExit } from './prepare.ts';
import { reducesPosition } from './reduce-only.ts';

/**
 * Orders that are late: the disk hung, no connection opened, or the computer slept. Nobody may want their
 * price any more, so they are not sent; one that is known to do nothing but reduce a position is sent
 * (docs/orders.md, "Before anything is sent").
 */

/** An order leaves within this time of its arrival, whatever it waited for; preparing takes five seconds at most. */
export const LEAVES_WITHIN_MS = 6_000;
/** Slices leave one after the other, each when the one before it was answered; all of them within this time. */
export const SLICES_WITHIN_MS = 30_000;
/** The orders of a basket wait for their turns; all of them leave within this time of its arrival. */
export const BASKET_WITHIN_MS = 30_000;
/** How long an exit that is late waits for its account to be read. */
const LATE_EXIT_MS = 1_000;

type LateParts = Pick<SubmitParts, 'writer' | 'clock' | 'accounts'>;

/** Why an order that has been prepared, or is on disk, does not leave any more; null where it does. */
export async function tooLate(
  { writer, clock, accounts }: LateParts,
  order: Checked,
  limits: readonly TimeLimit[],
): Promise<NotSent | null> {
  if (!isOver(clock, limits)) return null;
  const until = plus(clock.elapsed(), LATE_EXIT_MS);
  if (await isKnownExit({ state: writer.state, clock, accounts }, order, until)) return null;
  return LATE;
}

/** The same in the turn in which it leaves, by what is known then. */
export function lateNow(
  clock: Clock,
  limits: readonly TimeLimit[],
  isWayOut: () => boolean,
): NotSent | null {
  return !isOver(clock, limits) || isWayOut() ? null : LATE;
}

const isOver = (clock: Clock, limits: readonly TimeLimit[]): boolean =>
  limits.some(({ since, withinMs }) => ageOf(clock, since) > withinMs);

const LATE = notSent(
  'late',
  'getting the order ready, on disk and connected took so long that its price may be outdated',
);

/** Whether an order was not sent because it was late: then no other broker of its route gets it either. */
export const isLate = (outcome: Outcome): boolean =>
  outcome.kind === 'not_sent' && outcome.cause === 'late';

/**
 * Throws `order_not_sent` for an order that has only now been read, and may have waited in its socket since
 * long ago, because the gateway stood still (stalls.ts).
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
    'the gateway stood still for several seconds, and the request may have waited as long: send it again if it ' +
    'is still wanted';
  throw notSentProblem(notSent('late', reason));
}
