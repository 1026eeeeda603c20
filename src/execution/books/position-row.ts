import { type Decimal, toFourDecimals, toPaisa } from '../../domain/money.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import type { Position, PositionDetails, Turnover } from '../../domain/portfolio.ts';
import type { ExecutionState } from '../journal/execution-state.ts';
import type { KeyPosition } from './key-books.ts';
import { NOTHING_CARRIED, positionOf, type SideSums, unrealisedOf } from './sums.ts';

/** Where a quantity is in shares or units; elsewhere it is in lots, and the broker says how large they are. */
const IN_UNITS: ReadonlySet<string> = new Set(['NSE', 'BSE', 'NFO', 'BFO']);

/** Units of one of a quantity; null where only the broker could say it, and has not. */
export function multiplierOf(
  { portfolios }: Pick<ExecutionState, 'portfolios'>,
  { instrument, broker }: KeyPosition['line'],
): number | null {
  if (IN_UNITS.has(exchangeOf(instrument))) return 1;
  const rows = portfolios.get(broker)?.positions ?? [];
  return rows.find((row) => row.instrument === instrument)?.multiplier ?? null;
}

/**
 * A position of a key in the form of a broker's: at the average cost of the day, as Kite Connect computes it, and
 * without charges. What needs a price that is not known is null. `multiplier`: units of one of the quantity.
 */
export function positionRow(
  position: KeyPosition,
  lastPrice: number | null,
  multiplier: number | null,
): Position {
  const { line, quantity, cost, carried, today } = position;
  const before = carried.quantity;
  const rupees = (amount: Decimal | null): number | null =>
    amount === null || multiplier === null ? null : toPaisa(amount.times(multiplier).toNumber());
  const realisedPnl = rupees(position.realised);
  const unrealisedPnl = rupees(openProfit(position, lastPrice));
  const day = turnoverOf(today, multiplier);
  return {
    instrument: line.instrument,
    product: line.product,
    quantity,
    averagePrice:
      cost === null || quantity === 0
        ? null
        : toFourDecimals(cost.div(Math.abs(quantity)).toNumber()),
    ...{ lastPrice, realisedPnl, unrealisedPnl },
    buyQuantity: today.bought.quantity + Math.max(0, before),
    sellQuantity: today.sold.quantity + Math.max(0, -before),
    ...(multiplier === null ? {} : { multiplier }),
    ...(day === null ? {} : { day }),
    details: {
      ...UNTOLD,
      ...{ multiplier, overnightQuantity: before, pnl: sumOf([realisedPnl, unrealisedPnl]) },
      ...{ dayBuyPrice: priceOf(today.bought), daySellPrice: priceOf(today.sold) },
    },
  };
}

function openProfit(position: KeyPosition, lastPrice: number | null): Decimal | null {
  if (position.quantity === 0) return NOTHING_CARRIED.cost;
  return lastPrice === null ? null : unrealisedOf(position, lastPrice);
}

/** The sum in rupees; null where one of them is not known. */
export function sumOf(amounts: readonly (number | null)[]): number | null {
  let total = 0;
  for (const amount of amounts) {
    if (amount === null) return null;
    total += amount;
  }
  return toPaisa(total);
}

/** The part of a position that was traded today. */
export const tradedToday = (position: KeyPosition): KeyPosition => ({
  ...position,
  ...{ carried: NOTHING_CARRIED, ...positionOf(NOTHING_CARRIED, position.today) },
});

export const isTraded = ({ today }: KeyPosition): boolean =>
  today.bought.quantity > 0 || today.sold.quantity > 0;

/** Null where a price of it is not known. */
function turnoverOf(
  { bought, sold }: KeyPosition['today'],
  multiplier: number | null,
): Turnover | null {
  if (bought.unpriced > 0 || sold.unpriced > 0 || multiplier === null) return null;
  return {
    buyQuantity: bought.quantity,
    buyValue: toPaisa(bought.value.times(multiplier).toNumber()),
    sellQuantity: sold.quantity,
    sellValue: toPaisa(sold.value.times(multiplier).toNumber()),
  };
}

const priceOf = ({ quantity, unpriced, value }: SideSums): number | null =>
  quantity === 0 || unpriced > 0 ? null : toFourDecimals(value.div(quantity).toNumber());

const UNTOLD_SIDE = { price: null, value: null, m2m: null };
const UNTOLD: PositionDetails = {
  ...{ isin: null, multiplier: null, overnightQuantity: null, closePrice: null },
  ...{ value: null, pnl: null, m2m: null, bought: UNTOLD_SIDE, sold: UNTOLD_SIDE },
  ...{ dayBuyPrice: null, daySellPrice: null },
};
