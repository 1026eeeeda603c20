import { DAY_MS, MINUTE_MS, parseIst } from '../kernel/ist.ts';
import { hashUnit } from '../kernel/ports.ts';
import type { Calendar } from './calendar.ts';
import type { Instrument } from './instrument.ts';
import { tickOf } from './instrument.ts';
import type { Listing } from './listing.ts';
import { createPriceModel } from './price-model.ts';

/** The day so far; prices in paise. */
export interface DayFigures {
  last: number;
  open: number;
  high: number;
  low: number;
  previousClose: number;
  lowerBand: number;
  upperBand: number;
  volume: number;
}

export interface Bands {
  lower: number;
  upper: number;
  previousClose: number;
}

/** One candle; `at` is where it begins, epoch ms, prices in paise. */
export interface Candle {
  at: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface Prices {
  last(instrument: Instrument, at: number): number;
  day(instrument: Instrument, at: number): DayFigures;
  /** The day's price band (circuit limits), paise. */
  bands(instrument: Instrument, at: number): Bands;
  candles(instrument: Instrument, from: number, to: number, widthMs: number): Candle[];
  /** Holds the price where the tester sets it, until released. */
  pin(key: string, paise: number): void;
  release(key: string, at: number): void;
}

const BAND = 0.1;

export const roundToTick = (instrument: Instrument, paise: number): number => {
  const tick = tickOf(instrument, paise);
  return Math.max(tick, Math.round(paise / tick) * tick);
};

/** The price of an instrument before rounding, in paise, and the tester's controls of it. */
interface Quoted {
  /** The price of the model, or the one that the tester pinned. */
  free(instrument: Instrument, time: number): number;
  /** The price of the model alone, rounded to the tick. */
  modelPrice(instrument: Instrument, time: number): number;
  pin(key: string, paise: number): void;
  isPinned(key: string): boolean;
  /** The model continues from the pinned price. */
  release(instrument: Instrument, time: number): void;
}

function createQuoted(seed: number, listing: Listing): Quoted {
  const model = createPriceModel(seed);
  const pinned = new Map<string, number>();
  /** After a release the model continues from the pinned price, or fills would jump. */
  const scale = new Map<string, number>();

  function option(instrument: Instrument, time: number): number {
    const terms = instrument.option;
    const underlying = terms ? listing.byKey(terms.underlying) : undefined;
    if (!terms || !underlying) return instrument.basePaise;
    const spot = free(underlying, time);
    const strike = terms.strike * 100;
    const intrinsic = Math.max(0, terms.right === 'CE' ? spot - strike : strike - spot);
    const days = Math.max(0.2, (parseIst(`${terms.expiry} 15:30:00`) - time) / DAY_MS);
    const timeValue = spot * 0.004 * Math.sqrt(days / 7);
    const distance = (Math.abs(spot - strike) / spot) * 60;
    return intrinsic + timeValue * Math.exp(-distance) + 5;
  }

  function free(instrument: Instrument, time: number): number {
    const held = pinned.get(instrument.key);
    if (held !== undefined) return held;
    const raw =
      instrument.kind === 'option'
        ? option(instrument, time)
        : instrument.basePaise * model(instrument.exchangeToken, time);
    return raw * (scale.get(instrument.key) ?? 1);
  }

  function modelPrice(instrument: Instrument, time: number): number {
    const raw =
      instrument.kind === 'option'
        ? option(instrument, time)
        : instrument.basePaise * model(instrument.exchangeToken, time);
    return roundToTick(instrument, raw);
  }

  return {
    free,
    modelPrice,
    pin: (key, paise) => void pinned.set(key, paise),
    isPinned: (key) => pinned.has(key),
    release(instrument, time) {
      const held = pinned.get(instrument.key);
      if (held === undefined) return;
      pinned.delete(instrument.key);
      scale.delete(instrument.key);
      scale.set(instrument.key, held / free(instrument, time));
    },
  };
}

export function createPrices(seed: number, listing: Listing, calendar: Calendar): Prices {
  const { free, isPinned, modelPrice, pin, release } = createQuoted(seed, listing);
  const bandsByDay = new Map<string, Bands>();
  const extremes = new Map<string, { upTo: number; high: number; low: number }>();

  /** No exchange trades outside the day's band; a tester may set any price. */
  function last(instrument: Instrument, at: number): number {
    const price = roundToTick(instrument, free(instrument, calendar.marketTime(at)));
    if (isPinned(instrument.key)) return price;
    const { lower, upper } = bands(instrument, at);
    return Math.min(upper, Math.max(lower, price));
  }

  function volumeBetween(instrument: Instrument, from: number, to: number): number {
    const perMinute = 200_000_000 / instrument.basePaise;
    const chance = 0.5 + hashUnit(seed, instrument.exchangeToken, 77, Math.floor(from / MINUTE_MS));
    return Math.round((perMinute * chance * (to - from)) / MINUTE_MS);
  }

  function bands(instrument: Instrument, at: number): Bands {
    const key = `${instrument.key}@${calendar.dayStart(at)}`;
    const known = bandsByDay.get(key);
    if (known) return known;
    const previousClose = modelPrice(instrument, calendar.previousClose(at));
    const isOption = instrument.kind === 'option';
    const made = {
      previousClose,
      lower: roundToTick(instrument, previousClose * (isOption ? 0.05 : 1 - BAND)),
      upper: roundToTick(
        instrument,
        isOption ? previousClose * 3 + 5_000 : previousClose * (1 + BAND),
      ),
    };
    bandsByDay.set(key, made);
    return made;
  }

  return {
    last,
    bands,
    day(instrument, at) {
      const time = calendar.marketTime(at);
      const start = calendar.dayStart(at);
      const key = `${instrument.key}@${start}`;
      const seen = extremes.get(key) ?? { upTo: start, high: 0, low: Infinity };
      for (; seen.upTo <= time; seen.upTo += MINUTE_MS) {
        const price = modelPrice(instrument, seen.upTo);
        seen.high = Math.max(seen.high, price);
        seen.low = Math.min(seen.low, price);
      }
      extremes.set(key, seen);
      const now = last(instrument, at);
      const { previousClose, lower, upper } = bands(instrument, at);
      return {
        last: now,
        open: modelPrice(instrument, start),
        high: Math.max(seen.high, now),
        low: Math.min(seen.low, now),
        previousClose,
        lowerBand: lower,
        upperBand: upper,
        volume: volumeBetween(instrument, start, time),
      };
    },
    candles(instrument, from, to, widthMs) {
      const candles: Candle[] = [];
      for (let at = from; at < to; at += widthMs) {
        const samples = [0, 0.2, 0.4, 0.6, 0.8, 0.999].map((part) =>
          modelPrice(instrument, at + Math.floor(part * widthMs)),
        );
        candles.push({
          at,
          open: samples[0] ?? 0,
          high: Math.max(...samples),
          low: Math.min(...samples),
          close: samples.at(-1) ?? 0,
          volume: volumeBetween(instrument, at, at + widthMs),
        });
      }
      return candles;
    },
    pin,
    release(key, at) {
      const instrument = listing.byKey(key);
      if (instrument) release(instrument, calendar.marketTime(at));
    },
  };
}
