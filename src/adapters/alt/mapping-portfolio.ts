import { difference, sum, toPaisa } from '../../domain/money.ts';
import type {
  Funds,
  Holding,
  Position,
  Profile,
  Turnover,
  UnreadPortfolioRow,
} from '../../domain/portfolio.ts';
import { fieldOf } from '../../platform/values.ts';
import { otherQuantities } from '../kit/other-quantities.ts';
import { isTooLong } from '../kit/row-texts.ts';
import { instrumentOfRow, plainWord } from '../kit/row-words.ts';
import { positive, restOfRow, toProduct } from './mapping.ts';
import {
  holdingDetailsOf,
  positionDetailsOf,
  profileDetails,
  segmentFunds,
} from './mapping-account-details.ts';
import { parseAs } from './schemas.ts';
import {
  allMargins,
  holdingRow,
  margins,
  positionRow,
  type HoldingRow,
  type KiteProfile,
  type Margins,
  positionQuantities,
  type PositionQuantities,
  type PositionRow,
} from './schemas-portfolio.ts';

/** Throws on a row that is no whole position. */
export const readPosition = (row: unknown): Position => toPosition(parseAs(positionRow, row));

/** The same with all that the row tells. */
export const readWholePosition = (row: unknown): Position => ({
  ...readPosition(row),
  details: positionDetailsOf(row),
});

/** Throws on a row that is no whole holding. */
export const readHolding = (row: unknown): Holding => toHolding(parseAs(holdingRow, row));

/** The same with all that the row tells. */
export const readWholeHolding = (row: unknown): Holding => ({
  ...readHolding(row),
  details: holdingDetailsOf(row),
});

/** What can be read of a row that is no whole position. */
export function restOfPosition(row: unknown): Omit<UnreadPortfolioRow, 'reason'> {
  const [product, quantity] = [fieldOf(row, 'product'), fieldOf(row, 'quantity')];
  return {
    list: 'positions',
    instrument: restOfRow(row).instrument,
    product:
      typeof product === 'string' && product && !isTooLong(product) ? toProduct(product) : null,
    quantity: typeof quantity === 'number' ? quantity : null,
    ...quantitiesOf(row),
  };
}

/** What a row tells of its quantities where its prices or amounts cannot be read; nothing unless all can be. */
function quantitiesOf(row: unknown): Pick<UnreadPortfolioRow, 'traded' | 'otherQuantities'> {
  const read = positionQuantities.safeParse(row).data;
  if (!read) return {};
  const { buy_quantity, sell_quantity, day_buy_quantity, day_sell_quantity } = read;
  const sums = { buyQuantity: buy_quantity, sellQuantity: sell_quantity };
  if (typeof day_buy_quantity !== 'number' || typeof day_sell_quantity !== 'number') {
    return { traded: sums, ...contradictions(read) };
  }
  const day = { buyQuantity: day_buy_quantity, sellQuantity: day_sell_quantity };
  const carried = {
    buyQuantity: buy_quantity - day_buy_quantity,
    sellQuantity: sell_quantity - day_sell_quantity,
  };
  return { traded: { ...sums, day, carried }, ...contradictions(read) };
}

/** What can be read of a row that is no whole holding. Its quantity needs several fields. */
export function restOfHolding(row: unknown): Omit<UnreadPortfolioRow, 'reason'> {
  const { instrument } = restOfRow(row);
  return { list: 'holdings', instrument, product: null, quantity: null };
}

/** Portfolio and funds (docs/spec/kite-payloads.md). */
export function toPosition(row: PositionRow): Position {
  // The broker leaves the profit of a closed position under `unrealised`.
  const closed = row.quantity === 0 && typeof row.pnl === 'number';
  return {
    instrument: instrumentOfRow(row.exchange, row.tradingsymbol),
    product: toProduct(row.product),
    quantity: row.quantity,
    averagePrice: positive(row.average_price),
    lastPrice: positive(row.last_price),
    realisedPnl: closed ? (row.pnl ?? null) : (row.realised ?? null),
    unrealisedPnl: closed ? 0 : (row.unrealised ?? null),
    buyQuantity: row.buy_quantity,
    sellQuantity: row.sell_quantity,
    ...(row.multiplier && row.multiplier !== 1 ? { multiplier: row.multiplier } : {}),
    ...turnovers(row),
    ...contradictions(row),
  };
}

/** Kite's `quantity` is what was carried over and what was traded today, and the difference of the sums as well. */
function contradictions(row: PositionQuantities): Pick<Position, 'otherQuantities'> {
  const { quantity, overnight_quantity, day_buy_quantity, day_sell_quantity } = row;
  const isDayTold = typeof day_buy_quantity === 'number' && typeof day_sell_quantity === 'number';
  return otherQuantities({
    quantity,
    sums: { buyQuantity: row.buy_quantity, sellQuantity: row.sell_quantity },
    day: isDayTold ? { buyQuantity: day_buy_quantity, sellQuantity: day_sell_quantity } : null,
    carried: overnight_quantity ?? null,
  });
}

/** The row's sums include what was carried over; the figures of the day stand beside them. */
function turnovers(row: PositionRow): Pick<Position, 'day' | 'carried'> {
  const { day_buy_quantity, day_buy_value, day_sell_quantity, day_sell_value } = row;
  if (typeof day_buy_quantity !== 'number' || typeof day_buy_value !== 'number') return {};
  if (typeof day_sell_quantity !== 'number' || typeof day_sell_value !== 'number') return {};
  const day: Turnover = {
    buyQuantity: day_buy_quantity,
    buyValue: toPaisa(day_buy_value),
    sellQuantity: day_sell_quantity,
    sellValue: toPaisa(day_sell_value),
  };
  if (typeof row.buy_value !== 'number' || typeof row.sell_value !== 'number') return { day };
  const carried: Turnover = {
    buyQuantity: row.buy_quantity - day.buyQuantity,
    buyValue: toPaisa(difference(row.buy_value, day_buy_value)),
    sellQuantity: row.sell_quantity - day.sellQuantity,
    sellValue: toPaisa(difference(row.sell_value, day_sell_value)),
  };
  return { day, carried };
}

/**
 * All shares of a holding. The documentation counts undelivered shares in `quantity`; users saw
 * rows without them. Delivered plus undelivered gives the same sum in both cases.
 */
export function toHolding(row: HoldingRow): Holding {
  const t1Quantity = row.t1_quantity ?? 0;
  const delivered = row.realised_quantity ?? null;
  const mtfQuantity = unsellable(fieldOf(row.mtf, 'quantity') ?? wrongShape(row.mtf));
  const pledgedQuantity = unsellable(row.collateral_quantity);
  return {
    instrument: instrumentOfRow(row.exchange, row.tradingsymbol),
    isin: plainWord(row.isin ?? '') || null,
    quantity: delivered === null ? row.quantity : delivered + t1Quantity,
    usedQuantity: row.used_quantity ?? 0,
    ...(row.used_quantity ? { soldToday: row.used_quantity } : {}),
    t1Quantity,
    ...(mtfQuantity === undefined ? {} : { mtfQuantity }),
    ...(pledgedQuantity === undefined ? {} : { pledgedQuantity }),
    averagePrice: positive(row.average_price),
    lastPrice: positive(row.last_price),
  };
}

/** Undefined for none; null for a figure that cannot be read, which does not make the row unread. */
function unsellable(given: unknown): number | null | undefined {
  if (given === undefined || given === null || given === 0) return undefined;
  return typeof given === 'number' ? given : null;
}

/** What stands where an object may be: null and an object are no figure. */
const wrongShape = (given: unknown): unknown => (typeof given === 'object' ? undefined : given);

/** `net` is the buying power: cash and collateral, less what is used. */
export function toFunds(row: Margins): Funds {
  const available = toPaisa(row.net);
  const debits = row.utilised?.debits ?? null;
  const used = debits === null ? null : toPaisa(debits);
  return {
    available,
    used,
    total: used === null ? null : sum([available, used]),
    byProduct: {},
  };
}

/** Of the whole account. Without the buying power of its equity segment there is no answer. */
export function toAccountFunds(data: unknown): Funds {
  const { equity, commodity } = parseAs(allMargins, data);
  const [own, other] = [segmentFunds(equity), segmentFunds(commodity)];
  return {
    ...toFunds(parseAs(margins, equity)),
    ...(own ? { details: own.details } : {}),
    ...(other ? { commodity: other } : {}),
  };
}

export function toProfile(row: KiteProfile): Profile {
  const { user_id: userId, user_name: name, email } = row;
  return { userId, name: name || null, email: email || null, details: profileDetails(row) };
}
