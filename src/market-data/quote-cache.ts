import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { MarketData } from '../domain/ports.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import { type Cancel, type Clock, type Scheduler, sleep } from '../platform/clock.ts';
import { createSharedReads, type Moment, type PriceKind } from './shared-reads.ts';
import { LONG_AGO, plus } from '../units/branded.ts';

/** A value with the instant (elapsed ms and wall ms) at which its request left. */
export interface Dated<T> extends Moment {
  readonly value: T;
}

/** `never` answers from memory alone: what is not there, or too old, is absent. */
export type MayRead = 'if_needed' | 'never';

/**
 * One broker's quotes, shared: one request is under way at a time, for all callers, and an answer
 * is reused until it is older than the caller allows. Instruments that the broker does not know are
 * absent.
 */
export interface QuoteCache {
  readonly source: MarketData;
  quotes(
    instruments: readonly Instrument[],
    ages: Ages,
    mayRead?: MayRead,
  ): Promise<ReadonlyMap<InstrumentName, Dated<Quote>>>;
  lastPrices(
    instruments: readonly Instrument[],
    ages: Ages,
    mayRead?: MayRead,
  ): Promise<ReadonlyMap<InstrumentName, Dated<LastPrice>>>;
  /** See SharedReads: the broker does not answer in time. */
  onLate(run: () => void): Cancel;
}

/** How old the prices of an answer may be, ms. */
export interface Ages {
  readonly maxAgeMs: number;
  /**
   * Prices that are older than `maxAgeMs` and younger than this are given where reading newer ones takes
   * longer than PATIENCE_MS: more is wanted than the broker's rate limit allows to read, or the broker is slow.
   */
  readonly olderMs: number;
  /**
   * How old the circuits of a quote may be where its prices come as ticks, which have none; ten minutes when absent.
   * Older ones are given where reading newer ones takes longer than PATIENCE_MS.
   */
  readonly circuitsMs?: number;
}

const PATIENCE_MS = 500;

/** A quote that no caller has read for this long is dropped. */
const KEPT_MS = 60_000;

export function createQuoteCache(
  source: MarketData,
  clock: Clock,
  scheduler: Scheduler,
): QuoteCache {
  const quotes = new Map<InstrumentName, Dated<Quote>>();
  const prices = new Map<InstrumentName, Dated<LastPrice>>();

  const reads = createSharedReads({
    clock,
    scheduler,
    atOnce: source.atOnce ?? { quotes: Infinity, lastPrices: Infinity },
    askedOf: (kind, name) =>
      (kind === 'quotes' ? quotes.get(name) : lastPrice(name))?.asked ?? null,
    async fetch(kind, instruments, { leaves, moment }) {
      if (kind === 'quotes') {
        keep(quotes, instruments, await source.quotes(instruments, leaves), moment());
      } else {
        keep(prices, instruments, await source.lastPrices(instruments, leaves), moment());
      }
    },
  });

  /** A quote has the last price too, so the newer of both serves. */
  function lastPrice(name: InstrumentName): Dated<LastPrice> | undefined {
    const price = prices.get(name);
    const quote = quotes.get(name);
    if (!quote || (price && price.asked >= quote.asked)) return price;
    return { ...quote, value: { instrument: name, lastPrice: quote.value.lastPrice } };
  }

  async function answer<T>(
    kind: PriceKind,
    kept: (name: InstrumentName) => Dated<T> | undefined,
    instruments: readonly Instrument[],
    { maxAgeMs, olderMs }: Ages,
    mayRead: MayRead,
  ): Promise<ReadonlyMap<InstrumentName, Dated<T>>> {
    const since = clock.elapsed();
    const olderThan = (ageMs: number): Instrument[] =>
      instruments.filter(({ name }) => (kept(name)?.asked ?? -Infinity) <= since - ageMs);
    const stale = new Set(olderThan(maxAgeMs));
    const found = new Map<InstrumentName, Dated<T>>();
    for (const instrument of instruments) {
      const value = kept(instrument.name);
      if (value && !stale.has(instrument)) found.set(instrument.name, value);
    }
    if (mayRead === 'never') return found;
    if (stale.size === 0) {
      renew(kind, olderThan(maxAgeMs / 2));
      return found;
    }
    const reading = reads.read(kind, [...stale], plus(since, -maxAgeMs));
    const servesMs = Math.min(olderMs, source.servesMs ?? Infinity);
    const serves = ({ name }: Instrument) => (kept(name)?.asked ?? -Infinity) > since - servesMs;
    const isRead = ![...stale].every(serves) || (await isOverSoon(reading, scheduler));
    if (isRead) await reading;
    const oldest = since - (isRead ? maxAgeMs : servesMs);
    // Also those that were young enough: others may have had them read meanwhile.
    for (const { name } of instruments) {
      const value = kept(name);
      if (value && value.asked >= oldest) found.set(name, value);
    }
    return found;
  }

  /**
   * Reads again before the kept price is too old, so that a caller who reads steadily never waits.
   */
  function renew(kind: PriceKind, ageing: readonly Instrument[]): void {
    if (ageing.length === 0 || !reads.idle()) return;
    // The next caller who has to wait gets the error.
    reads.read(kind, ageing, LONG_AGO).catch(() => undefined);
  }

  function keep<T>(
    kept: Map<InstrumentName, Dated<T>>,
    wanted: readonly Instrument[],
    values: ReadonlyMap<InstrumentName, T>,
    moment: Moment,
  ): void {
    for (const { name } of wanted) {
      const value = values.get(name);
      // An instrument that was asked for and is not in the answer is absent from now on.
      if (value === undefined) kept.delete(name);
      else kept.set(name, { ...moment, value });
    }
    for (const [name, { asked }] of kept) if (moment.asked - asked > KEPT_MS) kept.delete(name);
  }

  return {
    source,
    onLate: reads.onLate,
    quotes: (instruments, ages, mayRead = 'if_needed') =>
      answer('quotes', (name) => quotes.get(name), instruments, ages, mayRead),
    lastPrices: (instruments, ages, mayRead = 'if_needed') =>
      answer('lastPrices', lastPrice, instruments, ages, mayRead),
  };
}

/** Whether a read is over within PATIENCE_MS, however it ends. */
export async function isOverSoon(
  reading: Promise<unknown>,
  scheduler: Scheduler,
): Promise<boolean> {
  const over = new AbortController();
  const long = sleep(scheduler, PATIENCE_MS, over.signal).then(() => false);
  const read = reading.then(
    () => true,
    () => true,
  );
  const isOver = await Promise.race([read, long]);
  over.abort();
  return isOver;
}
