import { tradingDay } from '../../domain/ist.ts';
import type { Purpose } from '../../domain/order.ts';
import { notSent, type NotSent } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { ExecutionState } from '../journal/state.ts';
import { fingerprint } from '../order/attempt.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import type { BookRead } from '../reconcile/book-reader.ts';
import { plus, type ElapsedMs } from '../../units/branded.ts';
import { openDuplicate } from './decide-place.ts';
import { type AccountCheck, checkAccount, type Checked } from './guards.ts';

/** A baseline older than this may lack an order that somebody placed since. */
const BASELINE_AGE_MS = 1_000;

const BASELINE_RETRY_MS = 1_000;

export interface Preparation extends AccountCheck {
  /** Ids in the broker's book before the send; null where rows carry our tag. */
  readonly baseline: readonly string[] | null;
  /** The account of the session; null where that is not known. */
  readonly account: string | null;
}

/** Waits, until `deadline` at most, for what an order needs before it may be decided. */
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
    const { terms } = order;
    const poller = pollerOf(trading);
    const left = (): number => Math.max(0, deadline - clock.elapsed());
    const blocked = trading.blocked(purpose);
    if (blocked) return blocked;
    if (poller.recovering()) {
      await readOrNull(poller, clock.elapsed());
      if (poller.recovering()) {
        return notSent(
          'recovering',
          `the order book of ${trading.broker} has not been read whole yet`,
        );
      }
    }
    const check = await checkAccount({ state, accounts, clock }, order, deadline);
    const tagged = trading.tagging === 'always';
    const print = fingerprint(trading.broker, terms);
    while (!tagged) {
      const duplicate = openDuplicate(state, print, tradingDay(poller.now()));
      if (duplicate === null) break;
      if (left() === 0)
        return notSent('duplicate', `order ${duplicate} has the same terms and is still open`);
      await changed.wait(left());
    }
    const permit = await trading.permit(left(), purpose);
    if (permit) return permit;
    const account = (await trading.account?.()) ?? null;
    if (tagged) return { baseline: null, account, ...check };
    for (let since = plus(clock.elapsed(), -BASELINE_AGE_MS); ; since = clock.elapsed()) {
      const read = await readOrNull(poller, since);
      if (read?.isUsable(order) === true) {
        return { baseline: read.baseline(), account, ...check };
      }
      // A row that is late makes the book incomplete for a moment. This waits for a fixed time and
      // not for
      // a change: each read signals a change, so two waiting callers would keep waking one another.
      if (left() < BASELINE_RETRY_MS) {
        return notSent('baseline', `the order book of ${trading.broker} could not be read whole`);
      }
      await sleep(scheduler, BASELINE_RETRY_MS);
    }
  };
}

async function readOrNull(poller: BookPoller, since: ElapsedMs): Promise<BookRead | null> {
  try {
    return await poller.read(since);
  } catch {
    return null;
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
