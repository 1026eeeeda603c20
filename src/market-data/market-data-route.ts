import type { BrokerId } from '../domain/broker.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { MarketData } from '../domain/ports.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { Dated, QuoteCache } from './quote-cache.ts';

export interface RoutedAnswer<T> {
  readonly broker: BrokerId;
  readonly values: ReadonlyMap<InstrumentName, Dated<T>>;
}

/** Market data from the first broker of the route that can give it. */
export interface MarketDataRoute {
  /** Rejects with the first broker's BrokerError when all failed; null when the route is empty. */
  quotes(
    instruments: readonly Instrument[],
    options: RouteOptions,
  ): Promise<RoutedAnswer<Quote> | null>;
  lastPrices(
    instruments: readonly Instrument[],
    options: RouteOptions,
  ): Promise<RoutedAnswer<LastPrice> | null>;
}

export interface RouteOptions {
  readonly maxAgeMs: number;
  /** The caches to ask, in order: the router's choice. */
  readonly caches: readonly QuoteCache[];
}

/**
 * Fails over to the next broker within the call, because its quote is as good. Only market data
 * fails over in this way.
 */
export function createMarketDataRoute(): MarketDataRoute {
  return {
    quotes: (instruments, { maxAgeMs, caches }) =>
      first(caches, (cache) => cache.quotes(instruments, maxAgeMs)),
    lastPrices: (instruments, { maxAgeMs, caches }) =>
      first(caches, (cache) => cache.lastPrices(instruments, maxAgeMs)),
  };
}

async function first<T>(
  caches: readonly QuoteCache[],
  ask: (cache: QuoteCache) => Promise<ReadonlyMap<InstrumentName, Dated<T>>>,
): Promise<RoutedAnswer<T> | null> {
  let failure: unknown = null;
  for (const cache of caches) {
    try {
      return { broker: cache.source.broker, values: await ask(cache) };
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      failure ??= error;
    }
  }
  if (failure !== null) throw failure;
  return null;
}

/** The route as a broker's port; the paper account reads its prices from it. */
export function asMarketData(
  route: MarketDataRoute,
  caches: () => readonly QuoteCache[],
  nameless: BrokerId,
): MarketData {
  const noBroker = (): never => {
    throw new BrokerError(nameless, {
      kind: 'not_sent',
      reason: 'not_open',
      message: 'no broker gives market data now: GET /api/v1/brokers says why',
    });
  };
  const values = <T>(answer: RoutedAnswer<T> | null): ReadonlyMap<InstrumentName, T> =>
    new Map([...(answer ?? noBroker()).values].map(([name, dated]) => [name, dated.value]));
  return {
    broker: nameless,
    quotes: async (instruments) =>
      values(await route.quotes(instruments, { maxAgeMs: PAPER_AGE_MS, caches: caches() })),
    lastPrices: async (instruments) =>
      values(await route.lastPrices(instruments, { maxAgeMs: PAPER_AGE_MS, caches: caches() })),
  };
}

/** Paper orders fill at prices no older than this. */
const PAPER_AGE_MS = 3_000;
