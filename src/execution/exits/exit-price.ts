import type { Instrument } from '../../domain/instrument.ts';
import {
  type Decimal,
  decimal,
  downToTick,
  isBelievableTick,
  isMultipleOf,
  upToTick,
} from '../../domain/money.ts';
import type { Side } from '../../domain/order.ts';
import type { DepthLevel, Quote } from '../../domain/quote.ts';
import type { EpochMs } from '../../units/branded.ts';
import { priceProtection } from './price-protection.ts';

export interface ExitPriceSettings {
  /** Percent of the reference price: 0.3 places a SELL 0.3 % below it. 0 or more. */
  readonly limitOffsetPercent: number;
  /**
   * How much each further attempt adds, as a multiple of the offset: with 1, attempt 2 has twice the
   * offset and attempt 3 three times. 0 or more.
   */
  readonly widening: number;
}

export type ExitPrice =
  | {
      readonly kind: 'limit';
      /** Rupees. */
      readonly price: number;
      /**
       * No order of this side may have a price that fills sooner: it is that of the circuit, or one
       * tick. Such an order stays where it is, because a new one would only lose its place.
       */
      readonly atBand: boolean;
      /**
       * Its price is not as far from the reference as was wanted: it is the edge of the price protection, beyond
       * which the exchange takes no LIMIT order now.
       */
      readonly atProtection?: true;
    }
  /** An option that nobody bids for (of a BUY: that nobody offers). */
  | {
      readonly kind: 'no_bid';
      /** The lowest price that the exchange takes for a SELL (of a BUY: the highest), rupees; null where none is known. */
      readonly edge: number | null;
    }
  | { readonly kind: 'no_price'; readonly reason: string };

export interface AskedExitPrice {
  readonly side: Side;
  /** Shares or units. */
  readonly quantity: number;
  readonly instrument: Instrument;
  /** Null where no broker had one. Its age is for the caller to check. */
  readonly quote: Quote | null;
  /** Epoch ms: a last price that was traded long ago says nothing of the price protection. */
  readonly now: EpochMs;
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly settings: ExitPriceSettings;
}

/**
 * The price of an exit's LIMIT order (docs/spec/exit-prices.md). The reference is the last price, and of an
 * option the level of the far side down to which the book takes the whole quantity. The price is off it by
 * the offset, and a tick at least further with each attempt; it is rounded away from the reference, so that
 * rounding never makes it fill later, and kept inside the circuit and the price protection.
 */
export function exitPrice(asked: AskedExitPrice): ExitPrice {
  const { side, instrument, quote } = asked;
  if (quote === null) {
    return { kind: 'no_price', reason: `no broker has a quote of ${instrument.name}` };
  }
  const isOption = instrument.optionType !== null;
  const bands = bandsOf(asked, quote);
  const reference = isOption
    ? (farSide(side, asked.quantity, quote) ?? lockedAt(side, quote, bands.circuit))
    : quote.lastPrice;
  if (reference === null) return { kind: 'no_bid', edge: edgeOf(asked, bands.band) };
  if (!isUsable(reference)) {
    const reason = `the last price of ${instrument.name} is ${String(reference)}, which is no price`;
    return { kind: 'no_price', reason };
  }
  return limitNear(reference, asked, bands);
}

/**
 * The upper circuit where an option has traded up to it and nobody offers: who has to buy waits in line there.
 * Null elsewhere. At the lower circuit, an option that nobody bids for may just be worth nothing.
 */
function lockedAt(side: Side, { lastPrice }: Quote, { upper }: Band): number | null {
  if (side === 'SELL' || upper === null || !isUsable(lastPrice)) return null;
  return upper.lte(lastPrice) ? upper.toNumber() : null;
}

function limitNear(reference: number, asked: AskedExitPrice, { circuit, band }: Bands): ExitPrice {
  const { side, instrument } = asked;
  const wanted = wantedPrice(decimal(reference), asked);
  const oneTick = decimal(exitTick(instrument.tickSize, wanted.toNumber()));
  const leastOf = ({ lower, upper }: Band): Decimal =>
    lower ?? (upper === null ? oneTick : lowerOf(oneTick, upper));
  const { upper } = band;
  const price = higherOf(upper === null ? wanted : lowerOf(wanted, upper), leastOf(band));
  // The price protection moves with the trades: an order at its edge may have a better price in ten seconds.
  const furthest = side === 'SELL' ? leastOf(circuit) : circuit.upper;
  const atBand = furthest?.eq(price) === true;
  const isHeldBack = side === 'SELL' ? price.gt(wanted) : price.lt(wanted);
  const edge = isHeldBack && !atBand ? { atProtection: true as const } : {};
  return { kind: 'limit', price: price.toNumber(), atBand, ...edge };
}

/** The lowest price of an option. */
const LEAST_TICK = 0.05;

function edgeOf({ side, instrument }: AskedExitPrice, { lower, upper }: Band): number | null {
  if (side === 'BUY') return upper?.toNumber() ?? null;
  return lower?.toNumber() ?? instrument.tickSize ?? LEAST_TICK;
}

/** Before the band is looked at; 0 or less where the offset is larger than the price. */
function wantedPrice(
  reference: Decimal,
  { side, instrument: { tickSize }, attempt, settings }: AskedExitPrice,
): Decimal {
  const isSell = side === 'SELL';
  const away = (price: Decimal, by: Decimal | number): Decimal =>
    isSell ? price.minus(by) : price.plus(by);
  const tickOf = (price: Decimal): number => exitTick(tickSize, price.toNumber());
  const offset = reference.times(settings.limitOffsetPercent).div(100);
  let wanted: Decimal | null = null;
  for (let each = 0; each < attempt; each += 1) {
    const exact = away(reference, offset.times(decimal(settings.widening).times(each).plus(1)));
    const rounded = (isSell ? downToTick : upToTick)(exact, tickOf(exact));
    // Of a cheap instrument, the offsets of all attempts can be the same tick.
    const further: Decimal = wanted === null ? rounded : away(wanted, tickOf(wanted));
    wanted = (isSell ? lowerOf : higherOf)(rounded, further);
  }
  return wanted ?? reference;
}

const lowerOf = (one: Decimal, other: Decimal): Decimal => (other.lt(one) ? other : one);
const higherOf = (one: Decimal, other: Decimal): Decimal => (other.gt(one) ? other : one);

/** The prices that the exchange accepts, at a tick; null where there is no limit on that side. */
interface Band {
  readonly lower: Decimal | null;
  readonly upper: Decimal | null;
}

interface Bands {
  readonly circuit: Band;
  /** The tighter one of the circuit and the price protection, as far as they are known. */
  readonly band: Band;
}

function bandsOf({ instrument, now }: AskedExitPrice, quote: Quote): Bands {
  const { tickSize } = instrument;
  const circuit = bandOf(quote, tickSize);
  const range = priceProtection(instrument, quote, now);
  if (range === null) return { circuit, band: circuit };
  const low = upToTick(range.lower, exitTick(tickSize, range.lower.toNumber()));
  const high = downToTick(range.upper, exitTick(tickSize, range.upper.toNumber()));
  const lower = low.lte(0) ? circuit.lower : higherOf(low, circuit.lower ?? low);
  const upper = lowerOf(high, circuit.upper ?? high);
  // A range beside the circuit is of a last price that no longer counts.
  return { circuit, band: lower?.gt(upper) === true ? circuit : { lower, upper } };
}

/**
 * The circuit, rounded inwards unless it is at the list's own tick. Where a coarse tick leaves nothing inside, the
 * circuit as it is: it is a price of the exchange. A broker writes 0 where it has none, and figures that contradict each other are
 * none either.
 */
function bandOf({ lowerCircuit, upperCircuit }: Quote, tickSize: number | null): Band {
  const low = lowerCircuit !== null && isUsable(lowerCircuit) ? lowerCircuit : null;
  const high = upperCircuit !== null && isUsable(upperCircuit) ? upperCircuit : null;
  if (low !== null && high !== null && low > high) return { lower: null, upper: null };
  const least = low === null ? null : upToTick(decimal(low), circuitTick(tickSize, low));
  const most = high === null ? null : downToTick(decimal(high), circuitTick(tickSize, high));
  const isEmpty = most !== null && (most.lte(0) || least?.gt(most) === true);
  if (!isEmpty) return { lower: least, upper: most };
  return { lower: low === null ? null : decimal(low), upper: high === null ? null : decimal(high) };
}

/** Beside a circuit, others wait in line at the circuit itself, and an order at another price meets nobody. */
function circuitTick(tickSize: number | null, circuit: number): number {
  const isOwn = tickSize !== null && tickSize > 0 && isMultipleOf(circuit, tickSize);
  return isOwn ? tickSize : exitTick(tickSize, circuit);
}

/**
 * The price down to which the far side of the book takes the whole quantity: bids for a SELL, offers for a
 * BUY. Of a book that is not deep enough the last level that is shown; without levels the best bid or offer.
 * Null where there is none.
 */
function farSide(side: Side, quantity: number, { depth, bid, ask }: Quote): number | null {
  const isSell = side === 'SELL';
  const levels = ((isSell ? depth?.buy : depth?.sell) ?? [])
    .filter((level) => isUsable(level.price) && level.quantity > 0)
    .toSorted((one, other) => (isSell ? other.price - one.price : one.price - other.price));
  const best = isSell ? bid : ask;
  return deepEnough(levels, quantity) ?? (best !== null && isUsable(best) ? best : null);
}

/** Of levels from the best on. */
function deepEnough(levels: readonly DepthLevel[], quantity: number): number | null {
  let missing = quantity;
  for (const { price, quantity: offered } of levels) {
    missing -= offered;
    if (missing <= 0) return price;
  }
  return levels.at(-1)?.price ?? null;
}

const isUsable = (price: number): boolean => Number.isFinite(price) && price > 0;

/**
 * The tick of a price that the gateway makes, rupees (the spec's rule for protective exits): the list's tick
 * size where it is above 0 and at most 0.2 % of the price, otherwise one that is valid in every price band. Where the
 * list's is coarser than that one, and its prices are valid as well, it is taken after all (decision 0107).
 */
export function exitTick(tickSize: number | null, price: number): number {
  if (tickSize !== null && isBelievableTick(tickSize, price)) return tickSize;
  const coarse = coarseTick(price);
  const isSafe = tickSize !== null && tickSize > 0 && tickSize < 1 && tickSize <= price;
  return isSafe && isMultipleOf(tickSize, coarse) ? tickSize : coarse;
}

/** A multiple of it is valid in every price band. */
function coarseTick(price: number): number {
  if (price < 1_000) return 0.05;
  return price < 20_000 ? 1 : 5;
}
