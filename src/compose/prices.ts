import type { BrokerId } from '../domain/broker.ts';
import type { Instrument, InstrumentLookup, InstrumentName } from '../domain/instrument.ts';
import type { Broker, MarketData } from '../domain/ports.ts';
import type { Quote } from '../domain/quote.ts';
import {
  asMarketData,
  createMarketDataRoute,
  type MarketDataRoute,
} from '../market-data/market-data-route.ts';
import { createQuoteCache, type QuoteCache } from '../market-data/quote-cache.ts';
import { createStreamingQuotes } from '../market-data/streaming-quotes.ts';
import { createTickSubscriptions } from '../market-data/tick-subscriptions.ts';
import { createPriceHub, type PriceHub } from '../market-data/live/price-hub.ts';
import type { PriceSource } from '../market-data/live/price-sources.ts';
import type { Log } from '../platform/log.ts';
import type { BrokerView } from '../router/policy.ts';
import type { Ports } from './ports.ts';

export interface Prices {
  readonly route: MarketDataRoute;
  /** One for each broker with market data; ticks are looked at first where there are any. */
  readonly caches: ReadonlyMap<BrokerId, QuoteCache>;
  /** Prices as they come, for streams. */
  readonly hub: PriceHub;
  /** Adds a broker's cache, where the broker has market data. */
  add(broker: Broker): void;
  /** Prices along the market-data route, in the name of the instance that asks for them. */
  marketDataFor(broker: BrokerId): MarketData;
  /**
   * The last known price of an instrument, rupees: of LAST_KNOWN_MS at most where no broker of the
   * market-data route can be read. Null where there is none. Never rejects.
   */
  lastKnown(instrument: Instrument): Promise<number | null>;
  /**
   * A quote of at most QUOTE_AGE_MS, along the route, with circuits of at most CIRCUITS_AGE_MS where they can be read in
   * time; null where no broker has one. Never rejects.
   */
  quoteOf(instrument: Instrument): Promise<Quote | null>;
  /** Quotes of FRESH_MS at most; without those that there are none of. Never rejects. */
  fresh(instruments: readonly Instrument[]): Promise<ReadonlyMap<InstrumentName, Quote>>;
}

/** What is not read again for a limit on the value of an order. */
const RECENT_MS = 5_000;
const LAST_KNOWN_MS = 60_000;
/** A price that an order is made of is not older than this. */
const QUOTE_AGE_MS = 3_000;
/** Nor are the circuits that it is kept inside: the exchange moves them while a price falls or rises. */
const CIRCUITS_AGE_MS = 20_000;
/** A daily loss counts once two reads three seconds apart show it: not two of one quote. */
const FRESH_MS = 1_000;

export function composePrices(parts: {
  readonly ports: Ports;
  readonly log: Log;
  /** The market-data route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
}): Prices {
  const { clock, scheduler } = parts.ports;
  const route = createMarketDataRoute();
  const caches = new Map<BrokerId, QuoteCache>();
  const sources = new Map<BrokerId, PriceSource>();
  const isOpen = (broker: BrokerId): boolean => parts.view(broker).blocked === null;
  const openCaches = (): QuoteCache[] =>
    parts.route.flatMap((broker) => (isOpen(broker) ? (caches.get(broker) ?? []) : []));
  const hub = createPriceHub({
    ...{ clock, scheduler, log: parts.log, route, isOpen, lookUp: parts.instruments.byName },
    sources: () => parts.route.flatMap((broker) => sources.get(broker) ?? []),
  });
  return {
    route,
    caches,
    hub,
    add({ id, marketData, ticks }) {
      if (!marketData) return;
      const cache = createQuoteCache(marketData, clock, scheduler);
      const subscriptions = ticks && createTickSubscriptions(ticks, clock);
      sources.set(id, { broker: id, cache, ticks: subscriptions ?? null });
      caches.set(
        id,
        subscriptions
          ? createStreamingQuotes({ cache, ticks: subscriptions, clock, scheduler })
          : cache,
      );
    },
    marketDataFor: (broker) => asMarketData(route, openCaches, broker),
    async fresh(instruments) {
      const ages = { maxAgeMs: FRESH_MS, olderMs: FRESH_MS, caches: openCaches() };
      const answer = await route.quotes(instruments, ages).catch(() => null);
      return new Map([...(answer?.values ?? [])].map(([name, { value }]) => [name, value]));
    },
    async lastKnown(instrument) {
      const ages = { maxAgeMs: RECENT_MS, olderMs: LAST_KNOWN_MS, caches: openCaches() };
      try {
        const answer = await route.lastPrices([instrument], ages);
        return answer?.values.get(instrument.name)?.value.lastPrice ?? null;
      } catch {
        return null;
      }
    },
    async quoteOf(instrument) {
      const ages = { maxAgeMs: 1_000, olderMs: QUOTE_AGE_MS, circuitsMs: CIRCUITS_AGE_MS };
      const options = { ...ages, caches: openCaches() };
      const answer = await route.quotes([instrument], options).catch(() => null);
      return answer?.values.get(instrument.name)?.value ?? null;
    },
  };
}
