import { lacksSession } from '../../domain/outcome.ts';
import type { Account, Trading } from '../../domain/ports.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { LONG_AGO, plus, type ElapsedMs } from '../../units/branded.ts';
import { decidePortfolio } from './held.ts';
import { createReadsInTurn } from './shared-reads.ts';

/**
 * Reads an account's positions and holdings once it has a session, and again some time after a fill
 * has changed them: the exit guard and the kill switch go by them, also when the account can no
 * longer be read.
 */
export interface PortfolioWatch {
  /** Fills have come in, or a session has begun: the account is read soon. */
  changed(): void;
  /**
   * Resolves once a read begun at `since` (not in the future) or later is in the journal.
   * Callers share reads. Rejects where the account or the journal cannot be used.
   */
  read(since: ElapsedMs): Promise<void>;
  /** When the newest read that succeeded began; LONG_AGO when there was none. */
  readBegun(): ElapsedMs;
  /** The account that it was of, as the broker names it; null where that is not known. */
  accountRead(): string | null;
  stop(): void;
}

export interface PortfolioWatchParts {
  readonly trading: Trading;
  readonly account: Account;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Awaited before the account is read: its rows are named by the instrument lists. */
  readonly loadInstruments: () => Promise<void>;
}

/** Reads that nobody waits for begin at least so far apart; after failures, up to the longest. */
const SPACING_MS = 5_000;
const LONGEST_SPACING_MS = 300_000;

export function createPortfolioWatch(parts: PortfolioWatchParts): PortfolioWatch {
  const { trading, account, writer, clock, scheduler, log } = parts;
  const { broker, mode } = trading;
  let timer: { readonly due: ElapsedMs; readonly cancel: Cancel } | null = null;
  let lastBegun = LONG_AGO;
  /** Of the read whose portfolio is in the state, and of the newest one on disk. */
  let inState = LONG_AGO;
  let readBegun = LONG_AGO;
  let accountRead: string | null = null;
  /** Reads that have failed since one that did not. */
  let failures = 0;
  let stopped = false;

  async function readOnce(begun: ElapsedMs): Promise<void> {
    await parts.loadInstruments();
    const at = clock.now();
    const of = (await trading.account?.()) ?? null;
    const positions = await account.positions();
    const holdings = await account.holdings();
    const unreadOf = account.unread ?? (() => []);
    const unread = [...unreadOf(positions), ...unreadOf(holdings)];
    const command = { broker, mode, positions, holdings, unread, at, account: of };
    try {
      const isNewest = await writer.submit((current) => {
        // A slower, older read does not take the place of a newer one, whatever the clock says.
        if (begun < inState) return { changes: [], reply: false };
        inState = begun;
        return decidePortfolio(current, command);
      });
      if (!isNewest || begun < readBegun) return;
      readBegun = begun;
      accountRead = of;
    } catch (error) {
      inState = readBegun;
      throw error;
    }
  }

  async function readAndCount(begun: ElapsedMs): Promise<void> {
    lastBegun = begun;
    try {
      await readOnce(begun);
      failures = 0;
    } catch (error) {
      failures += 1;
      log.warn('positions could not be read for the exit guard', {
        broker,
        reason: messageOf(error),
      });
      // The last known portfolio is kept. Without a session, the next one asks for a read.
      if (!lacksSession(trading.blocked())) readAfter(SPACING_MS * 2 ** failures);
      throw error;
    }
  }

  const inTurn = createReadsInTurn(readAndCount, parts);

  const read = (since: ElapsedMs): Promise<void> =>
    readBegun >= since ? Promise.resolve() : inTurn.read(since);

  /** The next read begins so long after the last one began, unless an earlier one is planned. */
  function readAfter(ms: number): void {
    const due = plus(lastBegun, Math.min(LONGEST_SPACING_MS, ms));
    if (stopped || (timer && timer.due <= due)) return;
    timer?.cancel();
    const cancel = scheduler.after(Math.max(0, due - clock.elapsed()), () => {
      timer = null;
      // What has failed has been logged, and is tried again.
      read(clock.elapsed()).catch(() => undefined);
    });
    timer = { due, cancel };
  }

  return {
    changed: () => readAfter(SPACING_MS),
    read,
    readBegun: () => readBegun,
    accountRead: () => accountRead,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
