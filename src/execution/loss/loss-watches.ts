import type { BrokerWatches, ExecutionBroker } from '../reconcile/broker-watches.ts';
import type { DailyLoss } from './loss-limit.ts';
import { type CloseOnLossParts, createCloseOnLoss } from './close-on-loss.ts';
import { createLossWatch, type LossWatchParts } from './loss-watch.ts';

export type QuotesOf = LossWatchParts['quotes'];

/** The daily loss of each live account, and the limit, rupees. */
export interface DailyLosses {
  readonly limit: number;
  /** Whether the intraday positions of an account are closed once it is reached. */
  readonly closesIntraday: boolean;
  readonly accounts: readonly DailyLoss[];
}

export interface LossWatches {
  /** Null without a limit. */
  state(): DailyLosses | null;
  stop(): void;
}

export interface LossWatchesParts
  extends
    Omit<LossWatchParts, 'trading' | 'account' | 'limit' | 'now' | 'closeIntraday'>,
    Omit<CloseOnLossParts, 'now'> {
  readonly brokers: readonly ExecutionBroker[];
  readonly watches: Pick<BrokerWatches, 'pollerOf'>;
  /** Rupees; null for no limit: then nothing is read. */
  readonly maxDailyLoss: number | null;
  readonly closeOnDailyLoss: boolean;
}

/** Watches the daily loss of each account with real money. */
export function createLossWatches(parts: LossWatchesParts): LossWatches {
  const { brokers, watches, maxDailyLoss: limit, closeOnDailyLoss: closesIntraday } = parts;
  const live = limit === null ? [] : brokers.filter(({ trading }) => trading.mode === 'live');
  const started = live.map(({ trading, account }) => {
    const now = watches.pollerOf(trading.broker).now;
    const closer = closesIntraday ? createCloseOnLoss(trading.broker, { ...parts, now }) : null;
    closer?.resume();
    const closeIntraday = closer && closer.begin;
    const watch = createLossWatch({
      ...{ ...parts, trading, account, limit: limit ?? 0, now, closeIntraday },
    });
    return { watch, closer };
  });
  return {
    state: () =>
      limit === null
        ? null
        : { limit, closesIntraday, accounts: started.map(({ watch }) => watch.state()) },
    stop() {
      for (const { watch, closer } of started) {
        watch.stop();
        closer?.stop();
      }
    },
  };
}
