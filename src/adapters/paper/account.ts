import type { InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Account } from '../../domain/ports.ts';
import type {
  Funds,
  Holding,
  HoldingDetails,
  Position,
  PositionDetails,
} from '../../domain/portfolio.ts';
import { average, type Decimal, sum, worth } from '../../domain/money.ts';
import type { Ledger } from './open-ledger.ts';
import type { Prices } from './prices.ts';
import {
  availableCash,
  positionKey,
  type LedgerState,
  type PaperHolding,
  type PaperPosition,
} from './state.ts';

export interface AccountParts {
  readonly ledger: Ledger;
  readonly prices: Prices;
  readonly instruments: InstrumentLookup;
  /** Rupees for each order that fills. */
  readonly brokerage: Decimal;
}

/**
 * The paper account's portfolio (docs/spec/paper.md). Where no price is available, prices and the
 * figures that depend on them are null, and the rest is answered.
 *
 * The gateway does not square off INTRADAY positions: it carries them into the next day like MARGIN
 * positions.
 */
export function createPaperAccount(parts: AccountParts): Account {
  const { ledger, prices, instruments } = parts;
  const brokerage = parts.brokerage.toNumber();
  async function lastPricesOf(names: readonly InstrumentName[]) {
    const known = names.flatMap((name) => instruments.byName(name) ?? []);
    const found = await prices.lastPrices(known);
    return (name: InstrumentName): number | null => found.get(name)?.lastPrice ?? null;
  }

  return {
    broker: 'paper',
    async positions(reader) {
      const rows = await ledger.read((state) =>
        [...state.positions.values()].map((row) => ({
          row,
          overnight: reader === 'caller' ? row.quantity - tradedToday(state, row) : 0,
        })),
      );
      const names = new Set(rows.map(({ row }) => row.instrument));
      const lastPrice = await lastPricesOf([...names]);
      return rows.map(({ row, overnight }) => {
        const position = positionRow(row, lastPrice(row.instrument));
        return reader === 'caller' ? withDetails(position, overnight, instruments) : position;
      });
    },
    async holdings(reader) {
      const rows = await ledger.read((state) =>
        [...state.holdings.values()].map((holding) => ({
          holding,
          sold: soldToday(state, holding),
        })),
      );
      const lastPrice = await lastPricesOf(rows.map((row) => row.holding.instrument));
      return rows.map(({ holding, sold }) => {
        const last = lastPrice(holding.instrument);
        return {
          ...holdingRow(holding, sold),
          isin: instruments.byName(holding.instrument)?.isin ?? null,
          lastPrice: last,
          ...(reader === 'caller' ? { details: holdingDetails(holding, last) } : {}),
        };
      });
    },
    funds: () => ledger.read(fundsOf),
    profile: () => ledger.read(() => ({ userId: 'paper', name: 'Paper account', email: null })),
    // The ledger books brokerage alone, at the rate of the settings.
    charges: async (orders) => orders.map(() => ({ ...NOT_BOOKED, brokerage, total: brokerage })),
  };
}

const NOT_BOOKED = {
  ...{ transactionTax: null, transactionTaxType: null, exchangeTurnover: null },
  ...{ sebiTurnover: null, stampDuty: null, gst: null },
};

function positionRow(position: PaperPosition, lastPrice: number | null): Position {
  const { quantity, cost } = position;
  const signedCost = quantity < 0 ? cost.times(-1) : cost;
  const unrealised = lastPrice === null ? null : worth(lastPrice, quantity).minus(signedCost);
  return {
    instrument: position.instrument,
    product: position.product,
    quantity,
    averagePrice: average(cost, Math.abs(quantity)),
    lastPrice,
    realisedPnl: position.realised.toNumber(),
    unrealisedPnl: quantity === 0 ? 0 : (unrealised?.toNumber() ?? null),
    buyQuantity: position.buyQuantity,
    sellQuantity: position.sellQuantity,
  };
}

/** What was bought today less what was sold: the orders of the day are in the book until it is over. */
function tradedToday(
  { account, orders, fills }: LedgerState,
  { instrument, product }: PaperPosition,
): number {
  let traded = 0;
  for (const order of orders.values()) {
    if (order.instrument !== instrument || order.product !== product) continue;
    for (const fill of fills.get(order.id) ?? []) {
      if (tradingDay(fill.at) !== account.day) continue;
      traded += order.side === 'BUY' ? fill.quantity : -fill.quantity;
    }
  }
  return traded;
}

/** What the ledger knows besides: it keeps no closing prices. */
function withDetails(
  position: Position,
  overnightQuantity: number,
  instruments: InstrumentLookup,
): Position {
  const { realisedPnl, unrealisedPnl } = position;
  const nothing = { price: null, value: null, m2m: null };
  const details: PositionDetails = {
    isin: instruments.byName(position.instrument)?.isin ?? null,
    multiplier: 1,
    overnightQuantity,
    closePrice: null,
    value: null,
    pnl: realisedPnl === null || unrealisedPnl === null ? null : sum([realisedPnl, unrealisedPnl]),
    m2m: null,
    ...{ bought: nothing, sold: nothing, dayBuyPrice: null, daySellPrice: null },
  };
  return { ...position, details };
}

function holdingDetails({ quantity, cost }: PaperHolding, last: number | null): HoldingDetails {
  return {
    product: 'CNC',
    t1AveragePrice: null,
    deliveredQuantity: quantity,
    deliveredAveragePrice: average(cost, quantity),
    openingQuantity: quantity,
    ...{ shortQuantity: null, authorisedQuantity: null, authorisedAt: null },
    ...{ collateralQuantity: null, collateralType: null, discrepancy: null, closePrice: null },
    pnl: last === null ? null : worth(last, quantity).minus(cost).toNumber(),
    ...{ dayChange: null, dayChangePercent: null, mtf: null },
  };
}

/** Sales show as a negative CNC position until 06:00 IST; `quantity` does not change until then. */
function holdingRow(holding: PaperHolding, sold: number): Omit<Holding, 'isin' | 'lastPrice'> {
  return {
    instrument: holding.instrument,
    quantity: holding.quantity,
    usedQuantity: sold,
    // All purchases settle at 06:00 IST, in whole.
    t1Quantity: 0,
    averagePrice: average(holding.cost, holding.quantity),
  };
}

function soldToday(state: LedgerState, { instrument }: PaperHolding): number {
  const today = state.positions.get(positionKey({ instrument, product: 'CNC' }));
  return Math.max(0, -(today?.quantity ?? 0));
}

/**
 * `total` is the opening cash plus realised profit less brokerage. `used` is the part that is not
 * available: blocked by resting orders and short positions, or invested in holdings. Sold holdings
 * count as realised from 06:00 IST; their proceeds are available at once.
 */
function fundsOf(state: LedgerState): Funds {
  const { openingCash, realised, brokerage } = state.account;
  const available = availableCash(state);
  const total = openingCash.plus(realised).minus(brokerage);
  const buyingPower = available.toNumber();
  return {
    available: buyingPower,
    used: total.minus(available).toNumber(),
    total: total.toNumber(),
    byProduct: { CNC: buyingPower, INTRADAY: buyingPower, MARGIN: buyingPower },
  };
}
