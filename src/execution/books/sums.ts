import { type Decimal, decimal, worth, ZERO } from '../../domain/money.ts';
import type { Side } from '../../domain/order.ts';

/**
 * What was bought and sold of an instrument, as sums: they are the same in whatever order fills are seen,
 * and a fill that turns out to be another one is taken out as exactly as it was added (docs/keys.md).
 */
export interface Sums {
  readonly bought: SideSums;
  readonly sold: SideSums;
}

export interface SideSums {
  /** Shares or units. */
  readonly quantity: number;
  /** Of `quantity`, that of which no price is known. */
  readonly unpriced: number;
  /** Rupees of all that has a price; exact. */
  readonly value: Decimal;
}

export const NO_SIDE: SideSums = { quantity: 0, unpriced: 0, value: ZERO };
export const NO_SUMS: Sums = { bought: NO_SIDE, sold: NO_SIDE };

/** What one order has filled. `value` null: its price is not known. */
export function sumsOf(side: Side, quantity: number, value: Decimal | null): Sums {
  const of: SideSums = {
    quantity,
    unpriced: value === null ? quantity : 0,
    value: value ?? ZERO,
  };
  return side === 'BUY' ? { bought: of, sold: NO_SIDE } : { bought: NO_SIDE, sold: of };
}

const plusSide = (one: SideSums, other: SideSums, sign: 1 | -1): SideSums => ({
  quantity: one.quantity + sign * other.quantity,
  unpriced: one.unpriced + sign * other.unpriced,
  value: sign === 1 ? one.value.plus(other.value) : one.value.minus(other.value),
});

export const plusSums = (one: Sums, other: Sums): Sums => ({
  bought: plusSide(one.bought, other.bought, 1),
  sold: plusSide(one.sold, other.sold, 1),
});

export const minusSums = (one: Sums, other: Sums): Sums => ({
  bought: plusSide(one.bought, other.bought, -1),
  sold: plusSide(one.sold, other.sold, -1),
});

const isNoSide = ({ quantity, unpriced, value }: SideSums): boolean =>
  quantity === 0 && unpriced === 0 && value.eq(0);

export const isNothing = ({ bought, sold }: Sums): boolean => isNoSide(bought) && isNoSide(sold);

/** What is open at the end of a day, and goes on into the next one. */
export interface Carried {
  /** Negative when short. */
  readonly quantity: number;
  /** What it was bought (long) or sold (short) for, rupees, never negative; null where a price is not known. */
  readonly cost: Decimal | null;
}

export const NOTHING_CARRIED: Carried = { quantity: 0, cost: ZERO };

/** A position at the end of what is known of a day. */
export interface DayPosition extends Carried {
  /** What that day's closed part has made, rupees; null where a price that it needs is not known. */
  readonly realised: Decimal | null;
}

/**
 * The position that what was carried over and the sums of a day make, at the average cost of the day: all that
 * was bought, with what was carried over, at one average, and all that was sold likewise. Kite Connect's
 * positions are computed so.
 */
export function positionOf(carried: Carried, { bought, sold }: Sums): DayPosition {
  const buys = withCarried(bought, carried, 1);
  const sells = withCarried(sold, carried, -1);
  const quantity = buys.quantity - sells.quantity;
  const open = quantity >= 0 ? buys : sells;
  const cost = openCost(open, Math.abs(quantity));
  const isClosing = Math.min(buys.quantity, sells.quantity) > 0;
  if (!isClosing) return { quantity, cost, realised: ZERO };
  // The rest of a division stays with what is closed, so that both parts always add up to what was paid.
  if (cost === null || !isPriced(buys) || !isPriced(sells))
    return { quantity, cost, realised: null };
  const signed = quantity >= 0 ? cost : cost.times(-1);
  return { quantity, cost, realised: sells.value.minus(buys.value).plus(signed) };
}

const isPriced = ({ unpriced }: SideSums): boolean => unpriced === 0;

function withCarried(side: SideSums, { quantity, cost }: Carried, sign: 1 | -1): SideSums {
  const before = Math.max(0, sign * quantity);
  if (before === 0) return side;
  const unpriced = cost === null ? before : 0;
  return plusSide(side, { quantity: before, unpriced, value: cost ?? ZERO }, 1);
}

function openCost(side: SideSums, quantity: number): Decimal | null {
  if (quantity === 0) return ZERO;
  if (!isPriced(side)) return null;
  if (quantity === side.quantity) return side.value;
  return side.value.times(quantity).div(side.quantity);
}

/** Rupees that an open quantity has made at a price, since it was opened; null where its cost is not known. */
export function unrealisedOf({ quantity, cost }: Carried, price: number): Decimal | null {
  if (cost === null) return null;
  return quantity >= 0 ? worth(price, quantity).minus(cost) : cost.plus(worth(price, quantity));
}

/** Sums as the journal keeps them: quantities, and values in plain digits. */
export interface StoredSums {
  readonly bought: StoredSide;
  readonly sold: StoredSide;
}

interface StoredSide {
  readonly quantity: number;
  readonly unpriced: number;
  readonly value: string;
}

const storedSide = ({ quantity, unpriced, value }: SideSums): StoredSide => ({
  ...{ quantity, unpriced },
  value: value.toFixed(),
});

export const storedSums = ({ bought, sold }: Sums): StoredSums => ({
  bought: storedSide(bought),
  sold: storedSide(sold),
});

const readSide = ({ quantity, unpriced, value }: StoredSide): SideSums => ({
  ...{ quantity, unpriced },
  value: decimal(value),
});

export const readSums = ({ bought, sold }: StoredSums): Sums => ({
  bought: readSide(bought),
  sold: readSide(sold),
});
