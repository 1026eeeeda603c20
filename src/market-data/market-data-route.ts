import type { BrokerId } from '../domain/broker.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { MarketData } from '../domain/ports.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { Dated, MayRead, QuoteCache } from './quote-cache.ts';

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
  /**
   * Where no broker can be read now, a price that is in memory and younger than this is given
   * instead of an error, ms.
   */
  readonly olderMs: number;
  /** The caches to ask, in order: the router's choice. */
  readonly caches: readonly QuoteCache[];
}

/**
 * Fails over to the next broker within the call, because its quote is as good. Only market data
 * fails over in this way. An older price serves only where every broker failed.
 */
export function createMarketDataRoute(): MarketDataRoute {
  return {
    quotes: (instruments, options) =>
      first(instruments, options, (cache, ...age) => cache.quotes(instruments, ...age)),
    lastPrices: (instruments, options) =>
      first(instruments, options, (cache, ...age) => cache.lastPrices(instruments, ...age)),
  };
}

type Ask<T> = (
  cache: QuoteCache,
  maxAgeMs: number,
  mayRead: MayRead,
) => Promise<ReadonlyMap<InstrumentName, Dated<T>>>;

async function first<T>(
  instruments: readonly Instrument[],
  { caches, maxAgeMs, olderMs }: RouteOptions,
  ask: Ask<T>,
): Promise<RoutedAnswer<T> | null> {
  let failure: unknown = null;
  for (const cache of caches) {
    try {
      return { broker: cache.source.broker, values: await ask(cache, maxAgeMs, 'if_needed') };
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      failure ??= error;
    }
  }
  for (const cache of caches) {
    const values = await ask(cache, olderMs, 'never');
    // An absent instrument means that the broker does not know it, so all of them or none.
    if (instruments.every(({ name }) => values.has(name))) {
      return { broker: cache.source.broker, values };
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
      values(await route.quotes(instruments, { ...PAPER_AGES, caches: caches() })),
    lastPrices: async (instruments) =>
      values(await route.lastPrices(instruments, { ...PAPER_AGES, caches: caches() })),
  };
}

/** Paper orders fill at prices no older than this. */
const PAPER_AGES = { maxAgeMs: 3_000, olderMs: 3_000 };
