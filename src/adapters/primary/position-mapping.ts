import {
  instrumentName,
  type InstrumentLookup,
  type InstrumentName,
  type Segment,
} from '../../domain/instrument.ts';
import type { ListedDerivative, Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Reader } from '../../domain/ports.ts';
import { otherQuantities } from '../kit/other-quantities.ts';
import { readEach, type RowsRead } from '../kit/unread-rows.ts';
import { positionDetailsOf } from './account-details.ts';
import { badPayload } from './envelope.ts';
import { candidates, EXCHANGES, figure, instrumentOf, orNull, segmentOf } from './mapping.ts';
import {
  agrees,
  contractOf,
  positionFigures,
  positionQuantities,
  type Contract,
} from './position-figures.ts';
import { namesInstrument, positionRow, type PositionRow } from './schemas.ts';

/** As the broker writes them in a query. */
export const EQUITY = 'equity';
export const DERIVATIVE = 'derivative';

/** Which list a row is of: one segment and product, or the older form, which has all. */
export type PositionQuery = { readonly segment: string; readonly product: string } | null;

/**
 * Each row by itself. Its product is that of the query, since rows only repeat it; in the older form, each row's
 * own counts.
 */
export function mapPositions(
  rows: readonly unknown[],
  query: PositionQuery,
  lookup: InstrumentLookup,
  reader: Reader = 'watch',
): RowsRead<Position, UnreadPortfolioRow> {
  return readEach(
    rows,
    (row) => {
      const position = mapPosition(row, query, lookup);
      return reader === 'watch' ? position : { ...position, details: positionDetailsOf(row) };
    },
    (row) => restOfPosition(row, query, lookup),
  );
}

function mapPosition(row: unknown, query: PositionQuery, lookup: InstrumentLookup): Position {
  const parsed = positionRow.safeParse(row);
  const figures = positionFigures.safeParse(row);
  if (!parsed.success || !figures.success) throw badPayload('a position is not an object');
  const position = parsed.data;
  const { day, carried, contract, isUntold, told } = figures.data;
  if (position.netQuantity === null) throw badPayload('a position has no quantity');
  if (position.tooLong !== null) {
    throw badPayload(`a position has a text that is too long: ${position.tooLong}`);
  }
  const instrument = positionInstrument(position, query, { contract, lookup });
  const product = productOf(position, query) ?? '';
  return {
    instrument,
    product,
    quantity: figure(position.netQuantity),
    averagePrice: position.averagePrice === null ? null : figure(position.averagePrice),
    lastPrice: position.lastPrice,
    realisedPnl: position.realisedPnl === null ? null : figure(position.realisedPnl),
    unrealisedPnl: null,
    buyQuantity: figure(position.buyQuantity),
    sellQuantity: figure(position.sellQuantity),
    ...(day && isDayTold({ isUntold }, product) ? { day } : {}),
    ...(carried ? { carried } : {}),
    ...otherQuantities({ ...told, quantity: figure(position.netQuantity) }),
    ...derivativeField(query, position, { contract, instrument, lookup }),
  };
}

/** Without figures of the day the sums count: they are of the day where nothing of the product is carried over. */
const isDayTold = (row: { readonly isUntold: boolean }, product: string): boolean =>
  !row.isUntold || (product !== 'INTRADAY' && product !== 'CNC');

const productOf = (
  row: Pick<PositionRow, 'product'> | undefined,
  query: PositionQuery,
): string | null => query?.product ?? row?.product?.toUpperCase() ?? null;

/** Whether a row is of a derivative, and when it expires. */
function derivativeField(
  query: PositionQuery,
  { segment }: Pick<PositionRow, 'segment'>,
  of: {
    readonly contract: Contract;
    readonly instrument: InstrumentName | null;
    readonly lookup: InstrumentLookup;
  },
): { readonly derivative?: ListedDerivative } {
  const { contract, instrument, lookup } = of;
  const listed = instrument === null ? null : lookup.byName(instrument);
  const isOne =
    query?.segment === DERIVATIVE ||
    segmentOf(segment) === 'DERIVATIVE' ||
    listed?.segment === 'DERIVATIVE' ||
    contract.expiry !== null;
  if (!isOne) return {};
  const expiry = contract.expiry ?? listed?.expiry ?? null;
  return { derivative: query === null ? { expiry, inOlderForm: true } : { expiry } };
}

/** What can be read of a row that is no whole position. */
function restOfPosition(
  row: unknown,
  query: PositionQuery,
  lookup: InstrumentLookup,
): Omit<UnreadPortfolioRow, 'reason'> {
  const position = positionRow.safeParse(row).data;
  const contract = contractOf(row);
  const quantity = position?.netQuantity;
  const instrument =
    position && namesInstrument(position)
      ? (orNull(() => positionInstrument(position, query, { contract, lookup })) ??
        onlyShareOf(position, query, lookup))
      : null;
  return {
    list: 'positions',
    instrument,
    product: productOf(position, query),
    quantity: typeof quantity === 'number' ? quantity : null,
    ...(position && typeof quantity === 'number'
      ? quantitiesOf(row, { ...position, quantity }, productOf(position, query) ?? '')
      : {}),
    ...derivativeField(query, position ?? { segment: null }, { contract, instrument, lookup }),
  };
}

/** What a row tells of its quantities where its prices or amounts cannot be read; nothing unless all can be. */
function quantitiesOf(
  row: unknown,
  position: Pick<PositionRow, 'buyQuantity' | 'sellQuantity'> & { readonly quantity: number },
  product: string,
): Pick<UnreadPortfolioRow, 'traded' | 'otherQuantities'> {
  return (
    orNull(() => {
      const { day, carried, isUntold, told } = positionQuantities.parse(row);
      const { quantity } = position;
      const sums = {
        buyQuantity: figure(position.buyQuantity),
        sellQuantity: figure(position.sellQuantity),
      };
      const ofDay = day && isDayTold({ isUntold }, product) ? { day } : {};
      return {
        traded: { ...sums, ...ofDay, ...(carried ? { carried } : {}) },
        ...otherQuantities({ ...told, quantity }),
      };
    }) ?? {}
  );
}

/**
 * Rows of derivative positions can lack the exchange. The instrument is then the one contract with
 * that id, on any exchange, that agrees with the row: one id names different contracts on two
 * exchanges. Throws where it is not known for certain: under a name that is nobody's, the position would be
 * one that no exit finds.
 */
function positionInstrument(
  row: PositionRow,
  query: PositionQuery,
  { contract, lookup }: { readonly contract: Contract; readonly lookup: InstrumentLookup },
): InstrumentName {
  const { exchange, securityId, symbol } = row;
  // Only a contract expires: no share has its number then.
  const own = segmentOf(row.segment) ?? (contract.expiry === null ? undefined : 'DERIVATIVE');
  // The list that a row is in does not count here: a broker that ignores the query shows its shares in all of them.
  if (exchange !== null && securityId !== null) {
    return instrumentOf(lookup, exchange, securityId, own);
  }
  // The symbol of a contract is not written here as the lists write it.
  if (exchange !== null && symbol !== null && own !== 'DERIVATIVE') {
    return instrumentName(exchange, symbol.toUpperCase());
  }
  if (securityId !== null) {
    const segment = own ?? segmentBeside(query, contract);
    const known = candidates(lookup, securityId, segment).filter((each) => agrees(each, contract));
    const [first, ...others] = known;
    if (first && others.length === 0) return first.name;
    // No list has the contract, so that nothing else is called like it.
    if (!first && symbol !== null && segment === 'DERIVATIVE') return symbol;
  }
  throw badPayload('a position does not name its instrument');
}

/** The segment of a row that does not say it: that of the list it is in, or what only a contract has. */
function segmentBeside(query: PositionQuery, { expiry }: Contract): Segment | undefined {
  if (query !== null) return segmentOf(query.segment);
  return expiry === null ? undefined : 'DERIVATIVE';
}

/** What a row may be that has the symbol of a share and no exchange; null where that can be several, or none. */
function onlyShareOf(
  { exchange, symbol, segment }: PositionRow,
  query: PositionQuery,
  lookup: InstrumentLookup,
): InstrumentName | null {
  const isShare = query?.segment === EQUITY || segmentOf(segment) === 'EQUITY';
  if (exchange !== null || symbol === null || !isShare) return null;
  const listed = EXCHANGES.map((each) => instrumentName(each, symbol.toUpperCase())).filter(
    (name) => lookup.byName(name) !== null,
  );
  return listed.length === 1 ? (listed[0] ?? null) : null;
}
