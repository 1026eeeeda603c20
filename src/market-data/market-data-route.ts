import type { BrokerId } from '../domain/broker.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { MarketData } from '../domain/ports.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { Ages, Dated, MayRead, QuoteCache } from './quote-cache.ts';

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

export interface RouteOptions extends Ages {
  /** The caches to ask, in order: the router's choice. */
  readonly caches: readonly QuoteCache[];
}

/**
 * Fails over to the next broker within the call, because its quote is as good: when the one before has failed,
 * and when it does not answer in time. Only market data fails over in this way. A price between the two ages
 * serves where every broker failed, or where newer ones would come late.
 */
export function createMarketDataRoute(): MarketDataRoute {
  return {
    quotes: (instruments, options) =>
      first(instruments, options, (cache, ...ages) => cache.quotes(instruments, ...ages)),
    lastPrices: (instruments, options) =>
      first(instruments, options, (cache, ...ages) => cache.lastPrices(instruments, ...ages)),
  };
}

type Ask<T> = (
  cache: QuoteCache,
  ages: Ages,
  mayRead: MayRead,
) => Promise<ReadonlyMap<InstrumentName, Dated<T>>>;

async function first<T>(
  instruments: readonly Instrument[],
  { caches, ...ages }: RouteOptions,
  ask: Ask<T>,
): Promise<RoutedAnswer<T> | null> {
  if (caches.length === 0) return null;
  try {
    return await firstToAnswer(caches, (cache) => ask(cache, ages, 'if_needed'));
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    for (const cache of caches) {
      const { olderMs } = ages;
      const values = await ask(cache, { maxAgeMs: olderMs, olderMs }, 'never');
      // An absent instrument means that the broker does not know it, so all of them or none.
      if (instruments.every(({ name }) => values.has(name))) {
        return { broker: cache.source.broker, values };
      }
    }
    throw error;
  }
}

/**
 * Asks one broker after the other, the next one when the one before has failed or is late; the first answer
 * counts. Rejects with the error of the first broker when all have failed, and at once with an error that is
 * not a broker's.
 */
function firstToAnswer<T>(
  caches: readonly QuoteCache[],
  ask: (cache: QuoteCache) => Promise<RoutedAnswer<T>['values']>,
): Promise<RoutedAnswer<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<RoutedAnswer<T>>();
  const failures = new Map<QuoteCache, BrokerError>();
  let isOver = false;

  async function tryNext([cache, ...others]: readonly QuoteCache[]): Promise<void> {
    if (cache === undefined || isOver) return;
    const goOn = oncePerCall(() => void tryNext(others));
    const cancel = cache.onLate(goOn);
    try {
      const values = await ask(cache);
      isOver = true;
      resolve({ broker: cache.source.broker, values });
    } catch (error) {
      if (!(error instanceof BrokerError)) {
        isOver = true;
        return reject(error);
      }
      failures.set(cache, error);
      const [foremost] = caches;
      if (failures.size < caches.length) goOn();
      else reject((foremost && failures.get(foremost)) ?? error);
    } finally {
      cancel();
    }
  }

  void tryNext(caches);
  return promise;
}

function oncePerCall(run: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    run();
  };
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
