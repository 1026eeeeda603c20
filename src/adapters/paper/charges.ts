import { ZERO, type Decimal } from '../../domain/money.ts';

/**
 * The brokerage due: a flat amount for each order that fills, charged with its first fill
 * (docs/spec/derived-fills.md, "Brokerage").
 */
export function brokerageDue(filledBefore: number, flat: Decimal): Decimal {
  return filledBefore > 0 ? ZERO : flat;
}
