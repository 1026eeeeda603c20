import { Big } from 'big.js';

/**
 * The only place where money is added, divided and rounded. All amounts are rupees.
 *
 * A `Decimal` is exact; it is for ledgers, sums and averages. Ports and replies use numbers: a
 * broker's own, or the one nearest to a decimal. Where a number is the result of arithmetic, it is
 * rounded by `toPaisa` (amounts) or `toFourDecimals` (prices: finer than any tick), so that no
 * error of binary fractions is shown.
 */
export type Decimal = Big;

/** Our own constructor, so that no other user of the library can change how we divide. */
const Constructor = Big();
Constructor.DP = 20;
Constructor.RM = 1;

/** From a decimal text, or from a number in its shortest decimal form. Throws for any other. */
export function decimal(value: string | number): Decimal {
  return new Constructor(value);
}

export const ZERO = decimal(0);

/** Plain digits, never an exponent, as stored in the database. */
export function textOf(value: Decimal): string {
  return value.toFixed();
}

/** Rupees for `quantity` shares or units at `price`. */
export function worth(price: number, quantity: number): Decimal {
  return decimal(price).times(quantity);
}

/** The exact sum, as the nearest number; 0 for an empty list. */
export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total.plus(amount), ZERO).toNumber();
}

/** The exact difference, as the nearest number. */
export function difference(amount: number, less: number): number {
  return decimal(amount).minus(less).toNumber();
}

/** Rupees for each unit, to 20 decimals; null for a quantity of 0. */
export function average(total: Decimal, quantity: number): number | null {
  return quantity === 0 ? null : total.div(quantity).toNumber();
}

export interface PricedQuantity {
  readonly quantity: number;
  readonly price: number;
}

/** The average price by quantity, to four decimals; null where nothing was filled. */
export function weightedAverage(fills: readonly PricedQuantity[]): number | null {
  const value = fills.reduce((total, fill) => total.plus(worth(fill.price, fill.quantity)), ZERO);
  const quantity = fills.reduce((total, fill) => total + fill.quantity, 0);
  return quantity === 0 ? null : value.div(quantity).round(4).toNumber();
}

/** The plain average of prices, to four decimals; null where there are none. */
export function plainAverage(prices: readonly number[]): number | null {
  return weightedAverage(prices.map((price) => ({ price, quantity: 1 })));
}

/** To two decimals. A number that is not finite stays what it is. */
export function toPaisa(rupees: number): number {
  return Math.round(rupees * 100) / 100;
}

/** To four decimals, a hundredth of a paisa. A number that is not finite stays what it is. */
export function toFourDecimals(rupees: number): number {
  return Math.round(rupees * 10_000) / 10_000;
}

/** The change of a price, to four decimals. Fast, because it is computed for each tick. */
export function changeOf(price: number, from: number): number {
  return toFourDecimals(price - from);
}

/** A change in percent of the first price, to four decimals; null where that was 0. */
export function percentOf(change: number, from: number): number | null {
  return from === 0 ? null : toFourDecimals((change / from) * 100);
}

/**
 * The part of a tick by which a price may be off: far more than the error of binary fractions, far
 * less than a paisa.
 */
const BLUR = 1e-6;

/** A tick size above this part of a price is not believed: its unit may be another (the spec's rule). */
const LARGEST_TICK_PERCENT = 0.2;

/** Whether the tick size of a list can be that of a price, rupees both. */
export function isBelievableTick(tickSize: number, price: number): boolean {
  if (!Number.isFinite(tickSize) || tickSize <= 0 || !Number.isFinite(price)) return false;
  return decimal(tickSize).times(100).lte(decimal(price).times(LARGEST_TICK_PERCENT));
}

/** Whether a price is a multiple of a tick above 0, both in rupees. */
export function isMultipleOf(price: number, tick: number): boolean {
  const steps = price / tick;
  return Math.abs(steps - Math.round(steps)) < BLUR;
}

/** `Big.RM` values: towards zero, and away from it. Prices are above 0. */
const DOWN = 0;
const UP = 3;

/** The highest multiple of a tick that is not above the price. Both are above 0. */
export function downToTick(price: Decimal, tick: number): Decimal {
  return price.div(tick).round(0, DOWN).times(tick);
}

/** The lowest multiple of a tick that is not below the price. Both are above 0. */
export function upToTick(price: Decimal, tick: number): Decimal {
  return price.div(tick).round(0, UP).times(tick);
}

/** The multiples of a step next to a value that is none: below, if that is above 0, and above. */
export function nearestMultiples(value: number, step: number): readonly number[] {
  if (!Number.isFinite(value)) return [];
  const below = decimal(value).div(step).round(0, 0).times(step);
  return [below, below.plus(step)].map((each) => each.toNumber()).filter((each) => each > 0);
}
