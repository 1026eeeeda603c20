import { hashUnit } from '../kernel/ports.ts';
import type { Instrument, Side } from './instrument.ts';
import { tickOf } from './instrument.ts';
import { type Prices, roundToTick } from './prices.ts';
import { BUCKET_MS } from './price-model.ts';

export interface Level {
  /** Paise. */
  price: number;
  quantity: number;
  orders: number;
}

export interface Depth {
  bids: Level[];
  asks: Level[];
}

/** The book with five levels. Orders reduce it; the next bucket of time restores it. */
export interface DepthBook {
  depth(instrument: Instrument, at: number): Depth;
  /** What an order of this side can trade against, best price first. */
  takeable(instrument: Instrument, side: Side, at: number): Level[];
  /** The best price on the other side, whether or not any quantity is left there. */
  touch(instrument: Instrument, side: Side, at: number): number;
  take(instrument: Instrument, side: Side, price: number, quantity: number, at: number): void;
  /** Fixes the quantity of every level; null restores the seeded quantities. */
  fix(key: string, quantityPerLevel: number | null): void;
  /** Bids and offers are a share of the last price away from it, 0.5 for half of it; null restores the seeded book. */
  part(key: string, share: number | null): void;
}

const LEVELS = 5;
/** The average value of a level, paise: a few shares fill at once, lakhs do not. */
const LEVEL_WORTH = 30_000_000;

export function createDepthBook(seed: number, prices: Prices): DepthBook {
  const fixed = new Map<string, number>();
  const parted = new Map<string, number>();

  /** The price from which the levels of a side are counted: the last one, unless the book is parted. */
  function middle(instrument: Instrument, taken: Side, at: number): number {
    const last = prices.last(instrument, at);
    const share = parted.get(instrument.key);
    if (share === undefined) return last;
    return roundToTick(instrument, last * (taken === 'BUY' ? 1 + share : 1 - share));
  }
  const eaten = new Map<string, { bucket: number; byPrice: Map<string, number> }>();

  /** Reading adds no entry: reading the next bucket must not restore what this one has lost. */
  function eatenOf(key: string, at: number): Map<string, number> {
    const bucket = Math.floor(at / BUCKET_MS);
    const known = eaten.get(key);
    return known?.bucket === bucket ? known.byPrice : new Map<string, number>();
  }

  function side(instrument: Instrument, taken: Side, at: number): Level[] {
    const last = middle(instrument, taken, at);
    const { lower, upper } = prices.bands(instrument, at);
    const tick = tickOf(instrument, last);
    const lot = Math.max(1, instrument.lot);
    const usual = Math.max(1, Math.round(LEVEL_WORTH / last / lot));
    const gone = eatenOf(instrument.key, at);
    const levels: Level[] = [];
    for (let step = 1; step <= LEVELS; step += 1) {
      const price = last + (taken === 'BUY' ? step : -step) * tick;
      if (price <= 0 || price > upper || price < lower) continue;
      const chance = hashUnit(
        seed,
        instrument.exchangeToken * 2 + (taken === 'BUY' ? 1 : 0),
        step,
        Math.floor(at / BUCKET_MS),
      );
      const whole = fixed.get(instrument.key) ?? Math.ceil(usual * (0.15 + 1.2 * chance)) * lot;
      const quantity = Math.max(0, whole - (gone.get(`${taken}${price}`) ?? 0));
      levels.push({ price, quantity, orders: Math.min(quantity, 1 + Math.floor(chance * 9)) });
    }
    return levels;
  }

  return {
    depth: (instrument, at) => ({
      bids: side(instrument, 'SELL', at),
      asks: side(instrument, 'BUY', at),
    }),
    takeable: side,
    touch(instrument, taken, at) {
      const last = middle(instrument, taken, at);
      return last + (taken === 'BUY' ? 1 : -1) * tickOf(instrument, last);
    },
    take(instrument, taken, price, quantity, at) {
      const byPrice = eatenOf(instrument.key, at);
      const name = `${taken}${price}`;
      byPrice.set(name, (byPrice.get(name) ?? 0) + quantity);
      eaten.set(instrument.key, { bucket: Math.floor(at / BUCKET_MS), byPrice });
    },
    fix(key, quantity) {
      if (quantity === null) fixed.delete(key);
      else fixed.set(key, quantity);
    },
    part(key, share) {
      if (share === null) parted.delete(key);
      else parted.set(key, share);
    },
  };
}
