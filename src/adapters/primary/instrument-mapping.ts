import { instrumentName, type Instrument } from '../../domain/instrument.ts';
import { CsvError, readCsv, type MalformedRows } from '../kit/csv.ts';
import { badPayload } from './envelope.ts';
import { masterRows, type MasterRow } from './master-row.ts';

export type MasterSource = 'equity' | 'index' | 'fno';

type Contract = Pick<Instrument, 'expiry' | 'strike' | 'optionType'>;

/** What was left out of a list that was read to its end. */
export interface LeftOut {
  /** Rows of the right width that do not name an instrument. */
  readonly skipped: number;
  readonly malformed: MalformedRows;
}

/**
 * Maps one CSV of the master list (docs/spec/primary-brokerage.md, "Instrument"), row by row: it
 * never builds a list of lines. Malformed rows, and rows that do not name an instrument, are null and
 * counted. Throws a BrokerError for a text without a known header, without any
 * instrument, or with too many malformed rows (docs/spec/instruments.md, "Malformed rows").
 */
export function* mapInstruments(
  source: MasterSource,
  text: string,
): Generator<Instrument | null, LeftOut> {
  try {
    return yield* mapRows(source, text);
  } catch (error) {
    throw error instanceof CsvError
      ? badPayload(`instrument list ${source}: ${error.message}`)
      : error;
  }
}

function* mapRows(source: MasterSource, text: string): Generator<Instrument | null, LeftOut> {
  const { header, rows, malformed } = readCsv(text);
  const rowOf = masterRows(header);
  if (rowOf === null) throw badPayload(`instrument list ${source} has no known header`);
  let named = 0;
  let count = 0;
  for (const fields of rows) {
    const instrument = fields && mapRow(source, rowOf(fields));
    if (instrument) named += 1;
    count += 1;
    yield instrument;
  }
  if (named === 0) throw badPayload(`instrument list ${source} has no instrument`);
  return { skipped: count - malformed().count - named, malformed: malformed() };
}

function mapRow(source: MasterSource, row: MasterRow): Instrument | null {
  const exchange = row.text('EXCH').toUpperCase();
  const securityId = row.text('SECURITY_ID').replace(/^0+(?=\d+$)/, '');
  if (exchange === '' || !/^\d+$/.test(securityId)) return null;
  if (source === 'index') return mapIndex(exchange, securityId, row);
  return source === 'equity'
    ? mapEquity(exchange, securityId, row)
    : mapDerivative(exchange, securityId, row);
}

const BARE = {
  instrumentToken: null,
  lotSize: 1,
  tickSize: null,
  freezeQuantity: null,
  isin: null,
  expiry: null,
  strike: null,
  optionType: null,
} as const;

/** The file of indices has three columns; the name of the index is in SEGMENT. */
function mapIndex(exchange: string, securityId: string, row: MasterRow): Instrument | null {
  const displayName = row.text('TRADING_SYMBOL') || row.text('SEGMENT');
  if (displayName === '') return null;
  const tradingSymbol = displayName.toUpperCase();
  return {
    ...BARE,
    name: instrumentName(exchange, tradingSymbol),
    exchange,
    tradingSymbol,
    segment: 'INDEX',
    securityId,
    displayName,
  };
}

function mapEquity(exchange: string, securityId: string, row: MasterRow): Instrument | null {
  const symbol = row.text('TRADING_SYMBOL').toUpperCase();
  if (symbol === '') return null;
  const tradingSymbol = exchange === 'NSE' ? withSeries(symbol, row.text('SERIES')) : symbol;
  return {
    ...BARE,
    name: instrumentName(exchange, tradingSymbol),
    exchange,
    tradingSymbol,
    segment: 'EQUITY',
    securityId,
    lotSize: lot(row) ?? 1,
    tickSize: tick(row),
    isin: row.text('ISIN') || null,
    displayName: row.text('SYMBOL_NAME') || row.text('CUSTOM_SYMBOL') || tradingSymbol,
  };
}

function mapDerivative(exchange: string, securityId: string, row: MasterRow): Instrument | null {
  const tradingSymbol = row.text('TRADING_SYMBOL').toUpperCase();
  const lotSize = lot(row);
  if (tradingSymbol === '' || lotSize === null) return null;
  const segmentExchange = { NSE: 'NFO', BSE: 'BFO' }[exchange] ?? exchange;
  const type = row.text('OPTION_TYPE').toUpperCase();
  const optionType = type === 'CE' || type === 'PE' ? type : null;
  const contract: Contract = {
    expiry: row.day('EXPIRY_DATE'),
    strike: optionType === null ? null : row.number('STRIKE_PRICE'),
    optionType,
  };
  return {
    ...BARE,
    // All expiries of a month share this symbol; the directory makes the names unique.
    name: instrumentName(segmentExchange, tradingSymbol),
    exchange: segmentExchange,
    tradingSymbol,
    segment: 'DERIVATIVE',
    securityId,
    lotSize,
    tickSize: tick(row),
    displayName: row.text('CUSTOM_SYMBOL') || contractName(row, contract) || tradingSymbol,
    ...contract,
  };
}

/** What a person would type to find the contract: `NIFTY 2026-08-27 24450 CE`. */
function contractName(row: MasterRow, contract: Contract): string {
  const underlying = row.text('SYMBOL_NAME');
  if (underlying === '') return '';
  const { expiry, strike, optionType } = contract;
  return [underlying, expiry, strike, optionType].filter((word) => word !== null).join(' ');
}

/**
 * One company can have several series on the exchange (a bond beside the share), all with one plain
 * symbol. The canonical name of the ordinary series is the bare symbol; the others get a suffix.
 */
function withSeries(symbol: string, seriesColumn: string): string {
  const series = seriesColumn.toUpperCase();
  if (series === '' || series === 'EQ') return symbol.replace(/-EQ$/, '');
  if (!/^[A-Z][A-Z0-9]$/.test(series) || symbol.endsWith(`-${series}`)) return symbol;
  return `${symbol}-${series}`;
}

function lot(row: MasterRow): number | null {
  const value = row.number('LOT_UNITS');
  return value !== null && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/**
 * The column's unit is not documented. A value below 1 is rupees, since no share has a tick below
 * one paisa. A value from 1 on may be rupees or paise, so no tick is assumed.
 */
function tick(row: MasterRow): number | null {
  const value = row.number('TICK_SIZE');
  return value !== null && value > 0 && value < 1 ? value : null;
}
