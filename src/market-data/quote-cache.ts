import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { MarketData } from '../domain/ports.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';

/** A value with the instant (elapsed ms and wall ms) at which its broker was asked. */
export interface Dated<T> {
  readonly value: T;
  readonly askedAt: number;
  readonly asked: number;
}

/**
 * One broker's quotes, shared: the calls of one turn are sent as one request, and an answer is
 * reused until it is older than the caller allows. Instruments that the broker does not know are
 * absent.
 */
export interface QuoteCache {
  readonly source: MarketData;
  quotes(
    instruments: readonly Instrument[],
    maxAgeMs: number,
  ): Promise<ReadonlyMap<InstrumentName, Dated<Quote>>>;
  lastPrices(
    instruments: readonly Instrument[],
    maxAgeMs: number,
  ): Promise<ReadonlyMap<InstrumentName, Dated<LastPrice>>>;
}

type Fetch<T> = (instruments: readonly Instrument[]) => Promise<ReadonlyMap<InstrumentName, T>>;

/** A quote that no caller has read for this long is dropped. */
const KEPT_MS = 60_000;

export function createQuoteCache(
  source: MarketData,
  clock: Clock,
  scheduler: Scheduler,
): QuoteCache {
  return {
    source,
    quotes: createPriceCache((wanted) => source.quotes(wanted), clock, scheduler),
    lastPrices: createPriceCache((wanted) => source.lastPrices(wanted), clock, scheduler),
  };
}

function createPriceCache<T>(fetch: Fetch<T>, clock: Clock, scheduler: Scheduler) {
  const kept = new Map<InstrumentName, Dated<T>>();
  let underWay = 0;
  let gathering: { wanted: Map<InstrumentName, Instrument>; result: Promise<void> } | null = null;

  /** Joins the request that is sent at the end of this turn. */
  function ask(instruments: readonly Instrument[]): Promise<void> {
    if (!gathering) {
      const wanted = new Map<InstrumentName, Instrument>();
      const result = new Promise<void>((resolve, reject) => {
        scheduler.endOfTurn(() => {
          gathering = null;
          run([...wanted.values()]).then(resolve, reject);
        });
      });
      gathering = { wanted, result };
    }
    for (const instrument of instruments) gathering.wanted.set(instrument.name, instrument);
    return gathering.result;
  }

  /**
   * Reads again before the kept quote is too old, so that a caller who reads steadily never waits.
   */
  function renew(ageing: readonly Instrument[]): void {
    if (ageing.length === 0 || underWay > 0) return;
    // The next caller who has to wait gets the error.
    ask(ageing).catch(() => undefined);
  }

  async function run(wanted: readonly Instrument[]): Promise<void> {
    const askedAt = clock.now();
    const asked = clock.elapsed();
    underWay += 1;
    try {
      for (const [name, value] of await fetch(wanted)) kept.set(name, { value, askedAt, asked });
    } finally {
      underWay -= 1;
    }
    for (const [name, each] of kept) if (asked - each.asked > KEPT_MS) kept.delete(name);
  }

  return async (instruments: readonly Instrument[], maxAgeMs: number) => {
    const isFresh = (instrument: Instrument, age = maxAgeMs): boolean =>
      (kept.get(instrument.name)?.asked ?? -Infinity) > clock.elapsed() - age;
    const stale = instruments.filter((instrument) => !isFresh(instrument));
    const since = clock.elapsed();
    if (stale.length > 0) await ask(stale);
    else renew(instruments.filter((instrument) => !isFresh(instrument, maxAgeMs / 2)));
    const answer = new Map<InstrumentName, Dated<T>>();
    for (const instrument of instruments) {
      const found = kept.get(instrument.name);
      // An instrument that was not fresh and is not in the answer is absent from now on.
      if (found && (found.asked >= since || !stale.includes(instrument))) {
        answer.set(instrument.name, found);
      }
    }
    return answer;
  };
}
