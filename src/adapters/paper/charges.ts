import { ZERO, type Decimal } from '../../domain/money.ts';

/**
 * A flat amount for each order that filled, due with its first fill whatever comes after
 * (docs/spec/derived-fills.md, "Brokerage").
 */
export function brokerageDue(filledBefore: number, flat: Decimal): Decimal {
  return filledBefore > 0 ? ZERO : flat;
}
