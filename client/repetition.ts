import type { Operation } from './operation.ts';
import type { Problem } from './types.ts';

/** What one attempt came to, other than a success. */
export type Failure =
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'problem'; readonly problem: Pick<Problem, 'code' | 'mayHaveExecuted'> };

/**
 * Problems with an open outcome that a repetition under the same key can settle. Not `idempotency_conflict` and
 * `basket_refused`, whose answer stays the same.
 */
const FIND_OUT: ReadonlySet<string> = new Set([
  ...['broker_unavailable', 'internal', 'journal_unavailable', 'no_broker'],
]);
/** Problems after which nothing has happened, and which are over in moments. */
const WAIT: ReadonlySet<string> = new Set(['change_under_way', 'recovering', 'too_many_requests']);
/** The same, of reads and cancels: a late one does no harm, and a late order may. */
const WAIT_UNHURRIED: ReadonlySet<string> = new Set(['broker_unavailable', 'journal_unavailable']);

/**
 * Whether the client sends the same request again by itself: the same bytes, with the same key. It never does so
 * for a request that could happen twice, and never for an order that the gateway says it has not sent: whether that
 * is still wanted is for its caller to say.
 */
export function mayRepeat(operation: Operation, failure: Failure): boolean {
  const hasKey = operation.keyIn !== null;
  if (failure.kind === 'no_answer') return hasKey || operation.repeatable;
  const { code, mayHaveExecuted } = failure.problem;
  if (WAIT.has(code) && !mayHaveExecuted) return true;
  if (operation.repeatable)
    return WAIT_UNHURRIED.has(code) || (mayHaveExecuted && code === 'internal');
  return hasKey && mayHaveExecuted && FIND_OUT.has(code);
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** Milliseconds before the attempt after `attempts` earlier ones, and at least what the gateway asked for. */
export function waitBefore(attempts: number, retryAfterMs: number | null): number {
  const growing = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS);
  return Math.max(growing, retryAfterMs ?? 0);
}
