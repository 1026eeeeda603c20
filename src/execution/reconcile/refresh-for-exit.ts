import type { BrokerId } from '../../domain/broker.ts';
import type { OrderTerms } from '../../domain/order.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { type ElapsedMs, later, plus } from '../../units/branded.ts';
import type { BookPoller } from './book-poller.ts';

export interface AccountNeed {
  readonly broker: BrokerId;
  readonly terms: OrderTerms;
  readonly until: ElapsedMs;
}

export interface ExitNeed extends AccountNeed {
  readonly passes: () => boolean;
  /** An earlier read will not do, however recent it is; absent where one may. */
  readonly since?: ElapsedMs;
}

/** Positions that lack a fill, or contradict themselves, are read again after this time. */
const AGAIN_MS = 1_000;
/** By an older read nothing is refused: a position may have been made in the broker's app a moment ago. */
const REFUSAL_AGE_MS = 2_000;
/** A book of this age may be used for an exit. */
const BOOK_AGE_MS = 1_000;

interface RefreshParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly pollerOf: (broker: BrokerId) => BookPoller | null;
  /** When the last read of the account began. */
  readonly begunOf: (broker: BrokerId) => ElapsedMs;
  /** See Accounts.refresh; a patient one waits until a read can show the last fill. */
  readonly readAccount: (
    need: AccountNeed & Pick<ExitNeed, 'since'>,
    isPatient: boolean,
    readFrom: ElapsedMs | null,
  ) => Promise<string | null>;
  /** Whether another read may tell more: the positions lack fills, or their figures contradict one another. */
  readonly isBehind: (need: AccountNeed) => boolean;
}

/** See Accounts.refreshForExit. */
export function createRefreshForExit(
  parts: RefreshParts,
): (need: ExitNeed) => Promise<string | null> {
  const { clock, scheduler, begunOf, readAccount, isBehind } = parts;

  return async function refreshForExit({ passes, ...need }: ExitNeed): Promise<string | null> {
    const { broker, until } = need;
    let unread = await readAccount(need, true, need.since ?? null);
    await readBook(parts, broker, { after: begunOf(broker), until });
    const readAgain = async (from: ElapsedMs): Promise<void> => {
      unread = await readAccount(need, true, from);
      await readBook(parts, broker, { after: begunOf(broker), until });
    };
    const recent = plus(clock.elapsed(), -REFUSAL_AGE_MS);
    if (unread === null && begunOf(broker) < recent && !passes()) await readAgain(recent);
    while (unread === null && !passes() && isBehind(need)) {
      if (until - clock.elapsed() < 2 * AGAIN_MS) break;
      await sleep(scheduler, AGAIN_MS);
      await readAgain(clock.elapsed());
    }
    return unread;
  };
}

/**
 * Reads the book after the positions: what fills between the two reads may count twice, but is never missed.
 */
async function readBook(
  { clock, scheduler, pollerOf }: RefreshParts,
  broker: BrokerId,
  { after, until }: { readonly after: ElapsedMs; readonly until: ElapsedMs },
): Promise<void> {
  const over = new AbortController();
  const late = sleep(scheduler, Math.max(0, until - clock.elapsed()), over.signal);
  const since = later(after, plus(clock.elapsed(), -BOOK_AGE_MS));
  const read = pollerOf(broker)?.read(since) ?? Promise.resolve(null);
  await Promise.race([read.catch(() => null), late]);
  over.abort();
}
