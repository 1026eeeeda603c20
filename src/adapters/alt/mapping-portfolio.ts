import { instrumentName } from '../../domain/instrument.ts';
import type { Funds, Holding, Position, Profile } from '../../domain/portfolio.ts';
import { positive, toProduct } from './mapping.ts';
import type { HoldingRow, KiteProfile, Margins, PositionRow } from './schemas.ts';

/** Portfolio and funds (docs/spec/kite-payloads.md). */
export function toPosition(row: PositionRow): Position {
  // The broker leaves the profit of a position that is closed under `unrealised`.
  const closed = row.quantity === 0 && typeof row.pnl === 'number';
  return {
    instrument: instrumentName(row.exchange, row.tradingsymbol),
    product: toProduct(row.product),
    quantity: row.quantity,
    averagePrice: positive(row.average_price),
    lastPrice: positive(row.last_price),
    realisedPnl: closed ? (row.pnl ?? null) : (row.realised ?? null),
    unrealisedPnl: closed ? 0 : (row.unrealised ?? null),
    buyQuantity: row.buy_quantity,
    sellQuantity: row.sell_quantity,
  };
}

/** The broker's `quantity` leaves out what is still to be delivered; ours has all shares. */
export function toHolding(row: HoldingRow): Holding {
  const t1Quantity = row.t1_quantity ?? 0;
  return {
    instrument: instrumentName(row.exchange, row.tradingsymbol),
    isin: row.isin || null,
    quantity: row.quantity + t1Quantity,
    usedQuantity: row.used_quantity ?? 0,
    t1Quantity,
    averagePrice: positive(row.average_price),
    lastPrice: positive(row.last_price),
  };
}

/** `net` is what can be traded with: cash and collateral, less what is used. */
export function toFunds(row: Margins): Funds {
  const available = toPaisa(row.net);
  const debits = row.utilised?.debits ?? null;
  const used = debits === null ? null : toPaisa(debits);
  return {
    available,
    used,
    total: used === null ? null : toPaisa(available + used),
    byProduct: {},
  };
}

export function toProfile(row: KiteProfile): Profile {
  return { userId: row.user_id, name: row.user_name || null, email: row.email || null };
}

/** The broker's sums carry the noise of binary fractions. */
function toPaisa(rupees: number): number {
  return Math.round(rupees * 100) / 100;
}
