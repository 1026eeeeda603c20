import { lacksSession } from '../../domain/outcome.ts';
import type { Account, Trading } from '../../domain/ports.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { decidePortfolio } from '../journal/decide-notes.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { LONG_AGO, plus, type ElapsedMs } from '../../units/branded.ts';

/**
 * Reads an account's positions and holdings once it has a session, and again some time after a fill
 * has changed them: the exit guard and the kill switch go by them, also when the account can no
 * longer be read.
 */
export interface PortfolioWatch {
  /** Fills have come in, or a session has begun: the account is read soon. */
  changed(): void;
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

/** Reads begin at least so far apart. After failures the distance doubles, up to the longest. */
const SPACING_MS = 5_000;
const LONGEST_SPACING_MS = 300_000;

export function createPortfolioWatch(parts: PortfolioWatchParts): PortfolioWatch {
  const { trading, account, writer, clock, scheduler, log } = parts;
  const { broker, mode } = trading;
  let timer: { readonly due: ElapsedMs; readonly cancel: Cancel } | null = null;
  let lastBegun = LONG_AGO;
  /** Reads that have failed since one that did not. */
  let failures = 0;
  let stopped = false;

  async function read(): Promise<void> {
    timer = null;
    lastBegun = clock.elapsed();
    try {
      await parts.loadInstruments();
      const at = clock.now();
      const positions = await account.positions();
      const holdings = await account.holdings();
      const command = { broker, mode, positions, holdings, at };
      await writer.submit((current) => decidePortfolio(current, command));
      failures = 0;
    } catch (error) {
      failures += 1;
      log.warn('positions could not be read for the exit guard', {
        broker,
        reason: messageOf(error),
      });
      // The last known portfolio is kept. Without a session, the next one asks for a read.
      if (!lacksSession(trading.blocked())) readAfter(SPACING_MS * 2 ** failures);
    }
  }

  /** The next read begins so long after the last one began, unless an earlier one is planned. */
  function readAfter(ms: number): void {
    const due = plus(lastBegun, Math.min(LONGEST_SPACING_MS, ms));
    if (stopped || (timer && timer.due <= due)) return;
    timer?.cancel();
    const cancel = scheduler.after(Math.max(0, due - clock.elapsed()), () => void read());
    timer = { due, cancel };
  }

  return {
    changed: () => readAfter(SPACING_MS),
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
