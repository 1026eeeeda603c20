import { Big } from 'big.js';

/**
 * Rupees in the ledger: decimal, never a float. A constructor of our own, so that no other user of
 * the library can change how the ledger divides.
 */
const Constructor = Big();
Constructor.DP = 20;
Constructor.RM = 1;

export type Decimal = Big;

/** From a decimal text, or from a price as brokers give it: the number's shortest decimal form. */
export function decimal(value: string | number): Decimal {
  return new Constructor(value);
}

export const ZERO = decimal(0);

export function worth(price: number, quantity: number): Decimal {
  return decimal(price).times(quantity);
}

/** For answers, whose prices and money are numbers. */
export function average(total: Decimal, quantity: number): number | null {
  return quantity === 0 ? null : total.div(quantity).toNumber();
}

/** As a column has it: plain digits, never an exponent. */
export function textOf(value: Decimal): string {
  return value.toFixed();
}
