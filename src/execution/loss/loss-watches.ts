import type { BrokerWatches, ExecutionBroker } from '../reconcile/broker-watches.ts';
import type { DailyLoss } from './loss-limit.ts';
import { createLossWatch, type LossWatchParts } from './loss-watch.ts';

export type QuotesOf = LossWatchParts['quotes'];

/** The daily loss of each live account, and the limit, rupees. */
export interface DailyLosses {
  readonly limit: number;
  readonly accounts: readonly DailyLoss[];
}

export interface LossWatches {
  /** Null without a limit. */
  state(): DailyLosses | null;
  stop(): void;
}

export interface LossWatchesParts extends Omit<
  LossWatchParts,
  'trading' | 'account' | 'limit' | 'now'
> {
  readonly brokers: readonly ExecutionBroker[];
  readonly watches: Pick<BrokerWatches, 'pollerOf'>;
  /** Rupees; null for no limit: then nothing is read. */
  readonly maxDailyLoss: number | null;
}

/** Watches the daily loss of each account with real money. */
export function createLossWatches(parts: LossWatchesParts): LossWatches {
  const { brokers, watches, maxDailyLoss: limit } = parts;
  const live = limit === null ? [] : brokers.filter(({ trading }) => trading.mode === 'live');
  const started = live.map(({ trading, account }) => {
    const now = watches.pollerOf(trading.broker).now;
    return createLossWatch({ ...parts, trading, account, limit: limit ?? 0, now });
  });
  return {
    state: () => (limit === null ? null : { limit, accounts: started.map((each) => each.state()) }),
    stop() {
      for (const each of started) each.stop();
    },
  };
}
