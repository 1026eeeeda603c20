import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { MarketDataRoute } from '../market-data-route.ts';
import type { QuoteCache } from '../quote-cache.ts';
import type { TickSubscriptions } from '../tick-subscriptions.ts';

/** One broker's prices. */
export interface PriceSource {
  readonly broker: BrokerId;
  /** One that reads only when it is asked. */
  readonly cache: QuoteCache;
  /** Null where the broker sends no ticks. */
  readonly ticks: TickSubscriptions | null;
}

export interface PriceHubParts {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly route: MarketDataRoute;
  /** Brokers of the market-data route with market data, in order. */
  readonly sources: () => readonly PriceSource[];
  /** Whether the broker has a session now. */
  readonly isOpen: (broker: BrokerId) => boolean;
  /** As the instrument lists have it now; null where none has it. */
  readonly lookUp: (name: InstrumentName) => Instrument | null;
}
