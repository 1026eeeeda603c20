import {
  instrumentName,
  type Instrument,
  type InstrumentLookup,
  type InstrumentName,
} from '../../domain/instrument.ts';
import type { Funds, Holding, Profile, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Reader } from '../../domain/ports.ts';
import { readEach, type RowsRead } from '../kit/unread-rows.ts';
import { fundsDetailsOf, holdingDetailsOf, profileDetailsOf } from './account-details.ts';
import { badPayload, isObject } from './envelope.ts';
import { candidates, EXCHANGES, figure, instrumentOf, orNull } from './mapping.ts';
import { fundsData, holdingRow, namesInstrument, profileData, type HoldingRow } from './schemas.ts';

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
