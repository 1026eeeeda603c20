import { tradingDay } from '../../domain/ist.ts';
import type { Purpose } from '../../domain/order.ts';
import { notSent, type NotSent } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { isSameAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { fingerprint } from '../order/attempt.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-read.ts';
import { earlier, plus, type ElapsedMs } from '../../units/branded.ts';
import { openDuplicate } from './preflight.ts';
import { aboveLimit, type AccountCheck, checkAccount, type Checked } from './guards.ts';
import { brakeProblem } from './brakes.ts';
import { reducesPosition } from './reduce-only.ts';

/** A baseline older than this may lack an order that somebody placed since. */
const BASELINE_AGE_MS = 1_000;

const BASELINE_RETRY_MS = 1_000;
/** An exit waits so long for a book, and for its account where the book cannot be read. */
const EXIT_BOOK_MS = 1_000;

export interface Preparation extends AccountCheck {
  /** Ids in the broker's book before the send; null where rows carry our tag. */
  readonly baseline: readonly string[] | null;
  /** Why the book could not be read before an exit; null where it was. */
  readonly unwatched: string | null;
  /** The account of the session; null where that is not known. */
  readonly account: string | null;
}

/**
 * Waits, until `deadline` at most, for what an order needs before it may be decided. Rejects with
 * `limit_reached` where it is above a limit.
 */
export type Prepare = (
  trading: Trading,
  order: Checked,
  deadline: ElapsedMs,
  purpose: Purpose,
) => Promise<Preparation | NotSent>;

export interface PrepareParts {
  readonly state: ExecutionState;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly changed: Changed;
  readonly accounts: Accounts;
  readonly pollerOf: (trading: Trading) => BookPoller;
}

export function createPrepare(parts: PrepareParts): Prepare {
  const { state, clock, scheduler, changed, accounts, pollerOf } = parts;
  /** Nothing of this is written to the journal. */
  return async function prepare(
    trading: Trading,
    order: Checked,
    deadline: ElapsedMs,
    purpose: Purpose,
  ): Promise<Preparation | NotSent> {
    const { broker, terms } = order;
    const poller = pollerOf(trading);
    const left = (): number => Math.max(0, deadline - clock.elapsed());
    const blocked = trading.blocked(purpose);
    if (blocked) return blocked;
    const readBook = (since: ElapsedMs): Promise<BookRead | null> =>
      readOrNull(parts, poller, since, purpose === 'way_out' ? EXIT_BOOK_MS : null);
    let unwatched: string | null = null;
    if (poller.recovering()) {
      await readBook(clock.elapsed());
      if (poller.recovering()) {
        unwatched = `the order book of ${broker} has not been read whole yet`;
        if (!(await isKnownExit(parts, order, deadline))) return notSent('recovering', unwatched);
      }
    }
    const check = await checkAccount({ state, accounts, clock }, order, deadline);
    const limit = aboveLimit({ state, accounts, clock }, order, check);
    // No permit is used up for it: a program that sends too many orders would use them all.
    if (limit !== null) throw brakeProblem(limit);
    const tagged = trading.tagging === 'always';
    const print = fingerprint(broker, terms);
    while (!tagged) {
      const day = tradingDay(poller.now());
      const duplicate = openDuplicate(state, print, day, trading.marketAsLimit);
      if (duplicate === null) break;
      if (left() === 0)
        return notSent('duplicate', `order ${duplicate} has the same terms and is still open`);
      await changed.wait(left());
    }
    const permit = await trading.permit(left(), purpose);
    if (permit) return permit;
    const account = (await trading.account?.()) ?? null;
    if (tagged) return { baseline: null, unwatched, account, ...check };
    for (let since = plus(clock.elapsed(), -BASELINE_AGE_MS); ; since = clock.elapsed()) {
      const read = await readBook(since);
      if (read?.isUsable(order) === true) {
        return { baseline: read.baseline(), unwatched: null, account, ...check };
      }
      const why = `the order book of ${broker} could not be read whole`;
      if (await isKnownExit(parts, order, deadline)) {
        const seen = state.observedIn.on(broker, tradingDay(poller.now()));
        const baseline = read?.baseline() ?? [...seen.keys()];
        return { baseline, unwatched: unwatched ?? why, account, ...check };
      }
      // A row that is late makes the book incomplete for a moment. This waits for a fixed time and
      // not for
      // a change: each read signals a change, so two waiting callers would keep waking one another.
      if (left() < BASELINE_RETRY_MS) return notSent('baseline', why);
      await sleep(scheduler, BASELINE_RETRY_MS);
    }
  };
}

/** Why an order that may go to one account alone does not go to that of the session; null where it may. */
export function notOfAccount(
  { broker }: Trading,
  prepared: Preparation,
  account: string | null,
): NotSent | null {
  const now = prepared.account ?? account;
  if (account === null || now === null || isSameAccount(now, account)) return null;
  return notSent('not_open', `the session at ${broker} is not of ${account} any more`);
}

/**
 * Whether an order is known to do nothing but reduce a position, by an account that was read lately: then it
 * does not wait for a book that cannot be read. An admin's force counts where the account cannot be read
 * either.
 */
export async function isKnownExit(
  { state, clock, accounts }: Pick<PrepareParts, 'state' | 'clock' | 'accounts'>,
  order: Checked,
  deadline: ElapsedMs,
): Promise<boolean> {
  const { broker, terms, forcedBy } = order;
  const until = earlier(deadline, plus(clock.elapsed(), EXIT_BOOK_MS));
  const unread = await accounts.refresh({ broker, terms, until });
  if (unread !== null && forcedBy === null) return false;
  const day = accounts.today(broker);
  return reducesPosition(state, { ...order, at: clock.now(), day }, accounts.beside(order));
}

/** Null where the book cannot be read, or not within `ms`. */
async function readOrNull(
  { scheduler }: PrepareParts,
  poller: BookPoller,
  since: ElapsedMs,
  ms: number | null,
): Promise<BookRead | null> {
  const over = new AbortController();
  const late = ms === null ? [] : [sleep(scheduler, ms, over.signal).then(() => null)];
  try {
    return await Promise.race([poller.read(since), ...late]);
  } catch {
    return null;
  } finally {
    over.abort();
  }
}

/** Wakes those who wait for the state to change. */
export interface Changed {
  notify(): void;
  /** Resolves at the next change, or after `ms`. */
  wait(ms: number): Promise<void>;
}

export function createChanged(scheduler: Scheduler): Changed {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const wake of [...waiting]) wake();
    },
    wait(ms) {
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          cancel();
          resolve();
        };
        const cancel = scheduler.after(ms, wake);
        waiting.add(wake);
      });
    },
  };
}
