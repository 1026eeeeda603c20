import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { MarketDataRoute, RoutedAnswer } from '../market-data/market-data-route.ts';
import type { QuoteCache } from '../market-data/quote-cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { Found, Gateway, ReadOptions } from './gateway.ts';
import { marketDataBrokers, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { foundAnswer, NO_LISTS, noBroker, notServed, resolveAll } from './reads.ts';

export type QuoteReads = Pick<
  Gateway,
  'getQuotes' | 'getQuote' | 'getLastPrices' | 'getInstruments' | 'getInstrument'
>;

export interface QuoteReadsParts {
  readonly directory: InstrumentDirectory;
  readonly marketData: MarketDataRoute;
  readonly caches: ReadonlyMap<BrokerId, QuoteCache>;
  /** The market-data route. */
  readonly route: readonly BrokerId[];
  readonly view: (broker: BrokerId) => BrokerView;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly clock: Clock;
}

/**
 * How old an answer may be when the caller does not say. A broker that allows one call a second has answered
 * the next one by then, so that a caller who reads steadily does not wait.
 */
const QUOTE_AGE_MS = 1_500;
/** How old it may be then if no broker can be read now, or reading takes long. */
const OLDER_MS = 5_000;

/** Prices and instruments of the shared interface. */
export function createQuoteReads(parts: QuoteReadsParts): QuoteReads {
  const { directory, caches, route, view, clock } = parts;

  /** The caches to ask, in order: that of the named broker, or those of the route. */
  function cachesFor({ broker }: ReadOptions): QuoteCache[] {
    if (broker === undefined) {
      return marketDataBrokers(route.map(view)).flatMap((each) => caches.get(each) ?? []);
    }
    const named = caches.get(broker);
    if (named) return [named];
    throw notServed(view(broker), 'market data');
  }

  async function prices<T extends Quote | LastPrice>(
    instruments: readonly string[],
    options: ReadOptions,
    ask: (wanted: Instrument[], from: RouteFrom) => Promise<RoutedAnswer<T> | null>,
  ): Promise<Answer<Found<T>>> {
    await directory.ensureLoaded();
    const resolved = resolveAll(instruments, directory);
    const wanted = [...new Set(resolved.byText.values())];
    const maxAgeMs = options.maxAgeMs ?? QUOTE_AGE_MS;
    const olderMs = options.maxAgeMs ?? OLDER_MS;
    const routed = await ask(wanted, { maxAgeMs, olderMs, caches: cachesFor(options) });
    if (routed === null) {
      throw noBroker('no broker gives market data now: GET /api/v1/brokers says why');
    }
    return foundAnswer(resolved, routed, view(routed.broker), clock);
  }

  const quotes = (instruments: readonly string[], options: ReadOptions) =>
    prices<Quote>(instruments, options, (...asked) => parts.marketData.quotes(...asked));

  async function quote(instrument: string, options: ReadOptions): Promise<Answer<Quote>> {
    const { data, meta } = await quotes([instrument], options);
    const found = data.found.get(instrument);
    if (found) return { data: found, meta };
    const detail = data.errors.get(instrument) ?? `no quote for ${instrument}`;
    throw new GatewayProblem({ code: 'unknown_instrument', detail });
  }

  return {
    getQuotes: (instruments, options = {}) => asProblems(() => quotes(instruments, options)),
    getQuote: (instrument, options = {}) => asProblems(() => quote(instrument, options)),
    getLastPrices: (instruments, options = {}) =>
      asProblems(() =>
        prices<LastPrice>(instruments, options, (...asked) =>
          parts.marketData.lastPrices(...asked),
        ),
      ),
    getInstruments: (query) =>
      asProblems(async () => {
        await directory.ensureLoaded();
        // Without any list the instrument is unknown to us, which is not the same as not found.
        if (directory.size() === 0) throw noBroker(NO_LISTS);
        return directory.search(query);
      }),
    getInstrument: (text) => asProblems(() => parts.instrument(text)),
  };
}

type RouteFrom = Parameters<MarketDataRoute['quotes']>[1];
