import { instrumentName, type Instrument } from '../../domain/instrument.ts';
import { CsvError, csvRows } from './csv.ts';
import { badPayload } from './errors.ts';
import { number } from './schemas.ts';

export type MasterSource = 'equity' | 'index' | 'fno';

type Column = (name: string) => string;

/**
 * One CSV of the master (docs/spec/primary-brokerage.md, "Instrument"). Rows that name no instrument
 * are counted, not mapped; a text without a header or without a single instrument is a failure.
 */
export function mapInstruments(
  source: MasterSource,
  text: string,
): { readonly instruments: readonly Instrument[]; readonly skipped: number } {
  const instruments: Instrument[] = [];
  let skipped = 0;
  let columns: ReadonlyMap<string, number> | null = null;
  try {
    for (const row of csvRows(text)) {
      if (columns === null) {
        columns = header(row);
        continue;
      }
      const places = columns;
      const instrument = mapRow(source, (name) => row[places.get(name) ?? -1]?.trim() ?? '');
      if (instrument) instruments.push(instrument);
      else skipped += 1;
    }
  } catch (error) {
    throw error instanceof CsvError
      ? badPayload(`instrument list ${source}: ${error.message}`)
      : error;
  }
  if (instruments.length === 0) throw badPayload(`instrument list ${source} has no instrument`);
  return { instruments, skipped };
}

function header(row: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map(row.map((name, place) => [name.trim().toUpperCase(), place]));
  if (!columns.has('SECURITY_ID') || !columns.has('EXCH')) {
    throw badPayload('the instrument list has no header that is known');
  }
  return columns;
}

function mapRow(source: MasterSource, column: Column): Instrument | null {
  const exchange = column('EXCH').toUpperCase();
  const securityId = column('SECURITY_ID');
  if (exchange === '' || !/^\d+$/.test(securityId)) return null;
  if (source === 'index') return mapIndex(exchange, securityId, column);
  return source === 'equity'
    ? mapEquity(exchange, securityId, column)
    : mapDerivative(exchange, securityId, column);
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

/** The index file has three columns, and the index's name in the one called SEGMENT. */
function mapIndex(exchange: string, securityId: string, column: Column): Instrument | null {
  const displayName = column('TRADING_SYMBOL') || column('SEGMENT');
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

function mapEquity(exchange: string, securityId: string, column: Column): Instrument | null {
  const symbol = column('TRADING_SYMBOL').toUpperCase();
  if (symbol === '') return null;
  const tradingSymbol = exchange === 'NSE' ? withSeries(symbol, column('SERIES')) : symbol;
  return {
    ...BARE,
    name: instrumentName(exchange, tradingSymbol),
    exchange,
    tradingSymbol,
    segment: 'EQUITY',
    securityId,
    lotSize: lot(column) ?? 1,
    tickSize: tick(column),
    isin: column('ISIN') || null,
    displayName: column('SYMBOL_NAME') || column('CUSTOM_SYMBOL') || tradingSymbol,
  };
}

function mapDerivative(exchange: string, securityId: string, column: Column): Instrument | null {
  const tradingSymbol = column('TRADING_SYMBOL').toUpperCase();
  const lotSize = lot(column);
  if (tradingSymbol === '' || lotSize === null) return null;
  const segmentExchange = { NSE: 'NFO', BSE: 'BFO' }[exchange] ?? exchange;
  const type = column('OPTION_TYPE').toUpperCase();
  const optionType = type === 'CE' || type === 'PE' ? type : null;
  return {
    ...BARE,
    name: instrumentName(segmentExchange, tradingSymbol),
    exchange: segmentExchange,
    tradingSymbol,
    segment: 'DERIVATIVE',
    securityId,
    lotSize,
    tickSize: tick(column),
    displayName: column('CUSTOM_SYMBOL') || column('SYMBOL_NAME') || tradingSymbol,
    expiry: expiryDay(column('EXPIRY_DATE')),
    strike: optionType === null ? null : number(column('STRIKE_PRICE')),
    optionType,
  };
}

/**
 * One company can have several series on the exchange (a bond beside the share), all under one plain
 * symbol. The canonical name tells them apart: the ordinary series bare, others with a suffix.
 */
function withSeries(symbol: string, seriesColumn: string): string {
  const series = seriesColumn.toUpperCase();
  if (series === '' || series === 'EQ') return symbol.replace(/-EQ$/, '');
  if (!/^[A-Z][A-Z0-9]$/.test(series) || symbol.endsWith(`-${series}`)) return symbol;
  return `${symbol}-${series}`;
}

function lot(column: Column): number | null {
  const value = number(column('LOT_UNITS'));
  return value !== null && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/**
 * The column's unit is not documented. Below 1 it is read as rupees, as no share has a tick finer
 * than a paisa; from 1 on it may be rupees or paise, and then no tick is believed.
 */
function tick(column: Column): number | null {
  const value = number(column('TICK_SIZE'));
  return value !== null && value > 0 && value < 1 ? value : null;
}

/** `YYYY-MM-DD…`, or `MM/DD/YYYY…` as positions have it. */
function expiryDay(text: string): string | null {
  const iso = /^\d{4}-\d{2}-\d{2}/.exec(text);
  if (iso) return iso[0];
  const american = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(text);
  return american ? `${american[3]}-${american[1]}-${american[2]}` : null;
}
