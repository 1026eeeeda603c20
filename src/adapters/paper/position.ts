import type { InstrumentName } from '../../domain/instrument.ts';
import type { Product, Side } from '../../domain/order.ts';
import { ZERO, worth, type Decimal } from '../../domain/money.ts';
import type { PaperHolding, PaperPosition } from './state.ts';

export function flatPosition(instrument: InstrumentName, product: Product): PaperPosition {
  return {
    instrument,
    product,
    quantity: 0,
    cost: ZERO,
    realised: ZERO,
    buyQuantity: 0,
    sellQuantity: 0,
  };
}

/** The part of a trade that would close the open position. */
export function closableBy(side: Side, position: PaperPosition | undefined): number {
  const quantity = position?.quantity ?? 0;
  return Math.max(0, side === 'BUY' ? -quantity : quantity);
}

/**
 * The cost of a part of the open quantity, at its average price. Rounded to the paisa; the rest
 * keeps the difference, so that the parts always add up to the whole.
 */
function costOfPart(cost: Decimal, part: number, whole: number): Decimal {
  return part === whole ? cost : cost.times(part).div(whole).round(2);
}

/** Books one execution at average cost: the closing part is realised, the rest opens. */
export function bookTrade(
  position: PaperPosition,
  side: Side,
  price: number,
  quantity: number,
): PaperPosition {
  const sign = side === 'BUY' ? 1 : -1;
  const closed = Math.min(quantity, closableBy(side, position));
  const open = Math.abs(position.quantity);
  const costOut = closed === 0 ? ZERO : costOfPart(position.cost, closed, open);
  const proceeds = worth(price, closed);
  return {
    ...position,
    quantity: position.quantity + sign * quantity,
    cost: position.cost.minus(costOut).plus(worth(price, quantity - closed)),
    realised: position.realised.plus(
      side === 'SELL' ? proceeds.minus(costOut) : costOut.minus(proceeds),
    ),
    buyQuantity: position.buyQuantity + (side === 'BUY' ? quantity : 0),
    sellQuantity: position.sellQuantity + (side === 'SELL' ? quantity : 0),
  };
}

/**
 * Turns a CNC position into a holding, or reduces one. Returns the holding (null when none is left)
 * and the profit on holdings sold, which is known only here.
 */
export function settleDelivery(
  holding: PaperHolding | undefined,
  position: PaperPosition,
): { readonly holding: PaperHolding | null; readonly realised: Decimal } {
  const before = holding ?? { instrument: position.instrument, quantity: 0, cost: ZERO };
  const quantity = before.quantity + position.quantity;
  if (position.quantity >= 0) {
    return {
      holding: { ...before, quantity, cost: before.cost.plus(position.cost) },
      realised: ZERO,
    };
  }
  const costOut = costOfPart(before.cost, -position.quantity, before.quantity);
  return {
    holding: quantity === 0 ? null : { ...before, quantity, cost: before.cost.minus(costOut) },
    realised: position.cost.minus(costOut),
  };
}

/**
 * A position carried into a new day: the open quantity counts as bought or sold before that day.
 */
export function carryOver(position: PaperPosition): PaperPosition {
  return {
    ...position,
    realised: ZERO,
    buyQuantity: Math.max(0, position.quantity),
    sellQuantity: Math.max(0, -position.quantity),
  };
}
