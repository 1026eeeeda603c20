import {
  instrumentName,
  type Instrument,
  type InstrumentLookup,
  type InstrumentName,
} from '../../domain/instrument.ts';
import type {
  Funds,
  Holding,
  Position,
  Profile,
  UnreadPortfolioRow,
} from '../../domain/portfolio.ts';
import type { Reader } from '../../domain/ports.ts';
import { readEach, type RowsRead } from '../kit/unread-rows.ts';
import {
  fundsDetailsOf,
  holdingDetailsOf,
  positionDetailsOf,
  profileDetailsOf,
} from './account-details.ts';
import { badPayload, isObject } from './envelope.ts';
import { instrumentOf, segmentOf } from './mapping.ts';
import {
  agrees as agreesWith,
  contractOf,
  positionFigures,
  type Contract,
} from './position-figures.ts';
import {
  fundsData,
  holdingRow,
  namesInstrument,
  positionRow,
  profileData,
  type HoldingRow,
  type NumberReading,
  type PositionRow,
} from './schemas.ts';

const EXCHANGES = ['NSE', 'BSE'] as const;

/**
 * The list inside a positions reply: a flat one, or the older object, whose net list is the
 * account's state. Null in a successful envelope means no positions; a null list in the older
 * object proves nothing.
 */
export function positionList(data: unknown): readonly unknown[] {
  if (data === null) return [];
  if (Array.isArray(data)) return data;
  if (isObject(data)) {
    const wrapped = data.net_positions !== undefined ? data.net_positions : data.day_positions;
    if (Array.isArray(wrapped)) return wrapped;
  }
  throw badPayload('the positions are not a list');
}

/**
 * Each row by itself. `product` is that of the query, since rows only repeat it; with null, each row's
 * own product counts.
 */
export function mapPositions(
  rows: readonly unknown[],
  product: string | null,
  lookup: InstrumentLookup,
  reader: Reader = 'watch',
): RowsRead<Position, UnreadPortfolioRow> {
  return readEach(
    rows,
    (row) => {
      const position = mapPosition(row, product, lookup);
      return reader === 'watch' ? position : { ...position, details: positionDetailsOf(row) };
    },
    (row) => restOfPosition(row, product, lookup),
  );
}

function mapPosition(row: unknown, product: string | null, lookup: InstrumentLookup): Position {
  const parsed = positionRow.safeParse(row);
  const figures = positionFigures.safeParse(row);
  if (!parsed.success || !figures.success) throw badPayload('a position is not an object');
  const position = parsed.data;
  const { day, carried, contract } = figures.data;
  if (position.netQuantity === null) throw badPayload('a position has no quantity');
  if (position.tooLong !== null) {
    throw badPayload(`a position has a text that is too long: ${position.tooLong}`);
  }
  return {
    instrument: positionInstrument(position, contract, lookup),
    product: product ?? position.product?.toUpperCase() ?? '',
    quantity: figure(position.netQuantity),
    averagePrice: position.averagePrice === null ? null : figure(position.averagePrice),
    lastPrice: position.lastPrice,
    realisedPnl: position.realisedPnl === null ? null : figure(position.realisedPnl),
    unrealisedPnl: null,
    buyQuantity: figure(position.buyQuantity),
    sellQuantity: figure(position.sellQuantity),
    ...(day ? { day } : {}),
    ...(carried ? { carried } : {}),
  };
}

/** What can be read of a row that is no whole position. */
function restOfPosition(
  row: unknown,
  product: string | null,
  lookup: InstrumentLookup,
): Omit<UnreadPortfolioRow, 'reason'> {
  const position = positionRow.safeParse(row).data;
  const quantity = position?.netQuantity;
  return {
    list: 'positions',
    instrument: orNull(() =>
      position && namesInstrument(position)
        ? positionInstrument(position, contractOf(row), lookup)
        : null,
    ),
    product: product ?? position?.product?.toUpperCase() ?? null,
    quantity: typeof quantity === 'number' ? quantity : null,
  };
}

/** Each row by itself. `used_qty` is kept apart: shares sold today already show as a negative position. */
export function mapHoldings(
  rows: readonly unknown[],
  lookup: InstrumentLookup,
  reader: Reader = 'watch',
): RowsRead<Holding, UnreadPortfolioRow> {
  return readEach(
    rows,
    (row) => {
      const holding = mapHolding(row, lookup);
      return reader === 'watch' ? holding : { ...holding, details: holdingDetailsOf(row) };
    },
    (row): Omit<UnreadPortfolioRow, 'reason'> => {
      const holding = holdingRow.safeParse(row).data;
      const instrument = orNull(() =>
        holding && namesInstrument(holding) ? holdingInstrument(holding, lookup) : null,
      );
      const quantity = holding?.totalQuantity;
      return {
        list: 'holdings',
        instrument,
        product: null,
        quantity: typeof quantity === 'number' ? quantity : null,
      };
    },
  );
}

function mapHolding(row: unknown, lookup: InstrumentLookup): Holding {
  const parsed = holdingRow.safeParse(row);
  if (!parsed.success) throw badPayload('a holding is not an object');
  const holding = parsed.data;
  if (typeof holding.totalQuantity !== 'number') throw badPayload('a holding has no quantity');
  if (holding.tooLong !== null) {
    throw badPayload(`a holding has a text that is too long: ${holding.tooLong}`);
  }
  return {
    instrument: holdingInstrument(holding, lookup),
    isin: holding.isin,
    quantity: holding.totalQuantity,
    usedQuantity: figure(holding.usedQuantity),
    t1Quantity: figure(holding.t1Quantity),
    averagePrice: holding.averagePrice,
    lastPrice: holding.lastPrice,
  };
}

/** Null where a row does not say it readably. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export function mapFunds(data: unknown): Funds {
  const parsed = fundsData.safeParse(data);
  if (!parsed.success || parsed.data.cnc === null) {
    throw badPayload('the funds have no buying power for CNC');
  }
  const { cnc, intraday, marginTrading, future, optionBuy, optionSell } = parsed.data;
  const { commodityOptionBuy } = parsed.data;
  const byProduct = {
    CNC: cnc,
    INTRADAY: intraday,
    MTF: marginTrading,
    FUTURE: future,
    OPTION_BUY: optionBuy,
    OPTION_SELL: optionSell,
    COMMODITY_OPTION_BUY: commodityOptionBuy,
  };
  return {
    available: cnc,
    used: null,
    total: null,
    byProduct: Object.fromEntries(
      Object.entries(byProduct).filter((entry): entry is [string, number] => entry[1] !== null),
    ),
    details: fundsDetailsOf(data),
  };
}

/** The account that a profile is of: by one field alone, so that two replies are comparable. */
export function accountOf(data: unknown): string {
  const accountId = profileData.safeParse(data).data?.accountId ?? null;
  if (accountId === null) throw badPayload('the profile has no user_id');
  return accountId;
}

export function mapProfile(data: unknown): Profile {
  const parsed = profileData.safeParse(data);
  if (!parsed.success || parsed.data.userId === null) {
    throw badPayload('the profile does not name its user');
  }
  const { userId, names, name, email } = parsed.data;
  const full = names.filter((part) => part !== null).join(' ') || name;
  return { userId, name: full, email, details: profileDetailsOf(data) };
}

/**
 * Rows of derivative positions can lack the exchange. The instrument is then the one contract with
 * that id, on any exchange, that agrees with the row: one id names different contracts on two
 * exchanges.
 */
function positionInstrument(
  row: PositionRow,
  contract: Contract,
  lookup: InstrumentLookup,
): InstrumentName {
  const { exchange, securityId, symbol } = row;
  const segment = segmentOf(row.segment);
  if (securityId !== null) {
    if (exchange !== null) return instrumentOf(lookup, exchange, securityId, segment);
    const known = candidates(lookup, securityId, segment);
    const [first, ...others] = known.filter((each) => agreesWith(each, contract));
    if (first && others.length === 0) return first.name;
  }
  if (symbol !== null) return exchange === null ? symbol : instrumentName(exchange, symbol);
  throw badPayload('a position does not name its instrument');
}

/**
 * Rows of holdings have no exchange, and one id names different shares on two exchanges. An
 * instrument counts only if its symbol or its ISIN agrees.
 */
function holdingInstrument(row: HoldingRow, lookup: InstrumentLookup): InstrumentName {
  const { exchange, securityId, symbol, isin } = row;
  if (exchange !== null && securityId !== null) {
    return instrumentOf(lookup, exchange, securityId, 'EQUITY');
  }
  const plain = symbol?.toUpperCase();
  // Canonical names of other series than the ordinary one have a suffix: `NAME-BE`.
  const agrees = (found: Instrument): boolean =>
    (isin !== null && found.isin === isin) ||
    found.tradingSymbol === plain ||
    (plain !== undefined && found.tradingSymbol.startsWith(`${plain}-`));
  const byId = securityId === null ? [] : candidates(lookup, securityId, 'EQUITY').filter(agrees);
  if (byId[0]) return byId[0].name;
  if (symbol === null) throw badPayload('a holding does not name its instrument');
  const byName = EXCHANGES.map((each) => instrumentName(each, symbol.toUpperCase()));
  return (
    byName.find((name) => lookup.byName(name) !== null) ??
    instrumentName(EXCHANGES[0], symbol.toUpperCase())
  );
}

function candidates(
  lookup: InstrumentLookup,
  securityId: string,
  segment: Instrument['segment'] | undefined,
): readonly Instrument[] {
  return EXCHANGES.map((exchange) => lookup.bySecurityId(exchange, securityId, segment)).filter(
    (found) => found !== null,
  );
}

/** Null counts as 0; a value that is not a number throws. */
function figure(value: NumberReading): number {
  if (value === 'unreadable') throw badPayload('the portfolio has a figure that is not a number');
  return value ?? 0;
}
