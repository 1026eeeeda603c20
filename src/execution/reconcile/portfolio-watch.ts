import type { Account } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import { messageOf } from '../../platform/thrown.ts';

const SPACING_MS = 5_000;

/**
 * Reads what an account has, some time after a fill has changed it: so that the exit guard knows it
 * when the account can no longer be asked.
 */
export interface PortfolioWatch {
  /** Fills have come in, or the account can be read for the first time. */
  changed(): void;
  stop(): void;
}

export function createPortfolioWatch(parts: {
  readonly account: Account;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly observe: (portfolio: {
    positions: Awaited<ReturnType<Account['positions']>>;
    holdings: Awaited<ReturnType<Account['holdings']>>;
    /** Wall time before the first of the two reads began. */
    readAt: number;
  }) => Promise<void>;
}): PortfolioWatch {
  const { account, clock, scheduler, log } = parts;
  let timer: Cancel | null = null;
  let lastBegun = -Infinity;
  let failures = 0;
  let stopped = false;

  async function read(): Promise<void> {
    timer = null;
    lastBegun = clock.elapsed();
    try {
      const readAt = clock.now();
      const positions = await account.positions();
      const holdings = await account.holdings();
      await parts.observe({ positions, holdings, readAt });
      failures = 0;
    } catch (error) {
      failures += 1;
      log.warn('positions could not be read for the exit guard', {
        broker: account.broker,
        reason: messageOf(error),
      });
      // What is known stays known; a broker that is away is not asked for ever.
      if (failures < 5) changed();
    }
  }

  function changed(): void {
    if (stopped || timer) return;
    const due = Math.max(0, lastBegun + SPACING_MS - clock.elapsed());
    timer = scheduler.after(due, () => void read());
  }

  return {
    changed,
    stop() {
      stopped = true;
      timer?.();
    },
  };
}
