import type { SandboxClock, SandboxRandom } from '../kernel/ports.ts';
import { hashText } from '../kernel/ports.ts';
import type { MarketMode, Calendar } from './calendar.ts';
import { calendarOf } from './calendar.ts';
import type { CandleReader } from './candle-grid.ts';
import { createCandleReader } from './candle-grid.ts';
import type { Depth, DepthBook } from './depth.ts';
import { createDepthBook } from './depth.ts';
import type { Engine } from './engine.ts';
import { createEngine } from './engine.ts';
import type { Instrument } from './instrument.ts';
import { tickOf } from './instrument.ts';
import type { Listing } from './listing.ts';
import { createListing } from './listing.ts';
import type { DayFigures, Prices } from './prices.ts';
import { createPrices } from './prices.ts';

/** The exchange as the brokers see it. */
export interface Exchange {
  clock: SandboxClock;
  calendar: Calendar;
  listing: Listing;
  prices: Prices;
  book: DepthBook;
  engine: Engine;
  candles: CandleReader;
}

export function createExchange(
  clock: SandboxClock,
  random: SandboxRandom,
  mode: MarketMode,
  closes: Readonly<Record<string, number>> = {},
  moreShares = 0,
): Exchange {
  const seed = hashText(`exchange:${random.next()}`);
  const calendar = calendarOf(mode, closes);
  const listing = createListing(clock.now(), moreShares);
  const prices = createPrices(seed, listing, calendar);
  const book = createDepthBook(seed + 1, prices);
  const engine = createEngine(clock, calendar, prices, book);
  const candles = createCandleReader(prices, mode, () => clock.now());
  return { clock, calendar, listing, prices, book, engine, candles };
}

/**
 * The tester's controls of the exchange. Instruments have Kite's names (`NSE:INFY`), prices are in
 * paise.
 */
export interface ExchangeInspector {
  instruments(): readonly Instrument[];
  instrument(key: string): Instrument;
  /** Last price, paise. */
  price(key: string): number;
  /** The tick at the last price, paise. */
  tick(key: string): number;
  figures(key: string): DayFigures;
  depth(key: string): Depth;
  /** Pins the price and matches at once; the price does not move until `releasePrice`. */
  setPrice(key: string, paise: number): void;
  /** The price model continues from the pinned price. */
  releasePrice(key: string): void;
  /** Fixes the quantity at each of the five levels; null restores the seeded book. */
  setLevelQuantity(key: string, quantity: number | null): void;
  /** Bids and offers are a share of the last price away from it: nobody trades near it; null ends it. */
  partBook(key: string, share: number | null): void;
  /** No fills, for one instrument or all, until `resumeFills`. */
  pauseFills(key?: string): void;
  resumeFills(key?: string): void;
}

export function inspectExchange(exchange: Exchange): ExchangeInspector {
  const { clock, listing, prices, book, engine } = exchange;
  const known = (key: string): Instrument => {
    const instrument = listing.byKey(key);
    if (!instrument) throw new Error(`the sandbox has no instrument ${key}`);
    return instrument;
  };
  const price = (key: string): number => prices.last(known(key), clock.now());
  return {
    instruments: () => listing.all,
    instrument: known,
    price,
    tick: (key) => tickOf(known(key), price(key)),
    figures: (key) => prices.day(known(key), clock.now()),
    depth: (key) => book.depth(known(key), clock.now()),
    setPrice(key, paise) {
      prices.pin(known(key).key, paise);
      engine.poke();
    },
    releasePrice(key) {
      prices.release(known(key).key, clock.now());
      engine.poke();
    },
    setLevelQuantity(key, quantity) {
      book.fix(known(key).key, quantity);
      engine.poke();
    },
    partBook(key, share) {
      book.part(known(key).key, share);
      engine.poke();
    },
    pauseFills: (key) => engine.pause(key ?? null),
    resumeFills: (key) => engine.resume(key ?? null),
  };
}
