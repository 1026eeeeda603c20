import type { Instrument, InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import type { Log } from '../../platform/log.ts';
import type { Cancel, Scheduler } from '../../platform/clock.ts';
import { messageOf } from '../../platform/values.ts';
import { advance } from './day.ts';
import { unitOfWork } from './unit-of-work.ts';
import { decideLook, isMoved } from './ledger.ts';
import type { Ledger } from './open-ledger.ts';
import type { Prices } from './prices.ts';
import { isSessionOpen, nextOpening } from './sessions.ts';
import type { PaperOrder } from './state.ts';
import { isLive, type LedgerRules } from './match-order.ts';

/**
 * Checks resting orders against quotes: once a second while the market is open, and only when there
 * are any.
 */
export interface MarketWatch {
  /** Reports that there may be orders to watch. */
  wake(): void;
  stop(): void;
}

const LOOK_EVERY_MS = 1_000;
/**
 * A host that slept runs its timers late: while the market is closed, the clock is read this often.
 */
const LONGEST_WAIT_MS = 60_000;

export interface MarketWatchParts {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly instruments: InstrumentLookup;
  readonly rules: LedgerRules;
}

export function createMarketWatch(parts: MarketWatchParts): MarketWatch {
  const { ledger, prices, scheduler, log, rules } = parts;
  let cancel: Cancel | null = null;
  let looking = false;
  const unknown = new Set<InstrumentName>();

  function wake(): void {
    if (cancel !== null || looking || ledger.isClosed() || ledger.state.resting.size === 0) return;
    cancel = scheduler.after(delay(), () => {
      cancel = null;
      looking = true;
      void look().finally(() => {
        looking = false;
        wake();
      });
    });
  }

  function delay(): number {
    const now = ledger.now();
    const resting = [...ledger.state.resting.values()];
    const open = ({ instrument }: PaperOrder): boolean =>
      isSessionOpen(now, rules.marketHours, instrument);
    if (resting.some(open)) return LOOK_EVERY_MS;
    return Math.min(LONGEST_WAIT_MS, nextOpening(now, rules.marketHours) - now);
  }

  async function look(): Promise<void> {
    try {
      await ledger.submit((state) => unitOfWork(state, (unit) => advance(unit, ledger.now())));
      const live = restingNow();
      if (live.length === 0) return;
      const quotes = await prices.quotes(instrumentsOf(live));
      if (ledger.isClosed()) return;
      const moved = restingNow().filter((order) =>
        isMoved(order, { quote: quotes.get(order.instrument) ?? null, now: ledger.now() }, rules),
      );
      await Promise.all(
        moved.map((order) => {
          const quote = quotes.get(order.instrument) ?? null;
          return ledger.submit((state) =>
            decideLook(state, order.id, { quote, now: ledger.now() }, rules),
          );
        }),
      );
    } catch (error) {
      // Nothing is lost: the next round checks what was not written.
      log.error('checking resting paper orders failed', {
        broker: 'paper',
        reason: messageOf(error),
      });
    }
  }

  function restingNow(): PaperOrder[] {
    const now = ledger.now();
    return [...ledger.state.resting.values()].filter((order) => isLive(order, now, rules));
  }

  function instrumentsOf(orders: readonly PaperOrder[]): Instrument[] {
    const found = new Map<InstrumentName, Instrument>();
    for (const { instrument: name } of orders) {
      const instrument = found.get(name) ?? parts.instruments.byName(name);
      if (instrument !== null) found.set(name, instrument);
      else if (!unknown.has(name)) {
        unknown.add(name);
        log.warn('a resting paper order cannot fill: its instrument is unknown', {
          broker: 'paper',
          instrument: name,
        });
      }
    }
    return [...found.values()];
  }

  return {
    wake,
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
