import {
  instrumentName,
  type Instrument,
  type InstrumentName,
  type Segment,
} from '../domain/instrument.ts';
import { createNumberColumn, createRecurringColumn, createTextColumn } from './columns.ts';

/** Instruments by row, from 0. What asks for one column only does not make the instrument. */
export interface Instruments extends Iterable<Instrument> {
  readonly length: number;
  /** A new object at each call. Throws for a row that the table does not have. */
  at(row: number): Instrument;
  nameAt(row: number): InstrumentName;
  exchangeAt(row: number): string;
  tradingSymbolAt(row: number): string;
  segmentAt(row: number): Segment;
  securityIdAt(row: number): string | null;
  displayNameAt(row: number): string;
  expiryAt(row: number): string | null;
  strikeAt(row: number): number | null;
  optionTypeAt(row: number): 'CE' | 'PE' | null;
}

export interface InstrumentTable extends Instruments {
  /** The row that it has now. */
  add(instrument: Instrument): number;
  replace(row: number, instrument: Instrument): void;
}

/**
 * An empty table: about a hundred bytes a row, nearly all of them outside the heap. `expected`: how
 * many rows it can hold before it has to grow.
 */
export function createInstrumentTable(expected = 0): InstrumentTable {
  const exchanges = createRecurringColumn<string>(expected);
  const symbols = createTextColumn(expected);
  const segments = createRecurringColumn<Segment>(expected);
  const securityIds = createTextColumn(expected);
  const tokens = createNumberColumn(expected);
  const lots = createRecurringColumn<number>(expected);
  const ticks = createRecurringColumn<number | null>(expected);
  const freezes = createRecurringColumn<number | null>(expected);
  const isins = createTextColumn(expected);
  const displayNames = createTextColumn(expected);
  const expiries = createRecurringColumn<string | null>(expected);
  const strikes = createRecurringColumn<number | null>(expected);
  const optionTypes = createRecurringColumn<'CE' | 'PE' | null>(expected);
  /** Names that do not follow from exchange and symbol. */
  const otherNames = new Map<number, InstrumentName>();
  let length = 0;

  function set(row: number, instrument: Instrument): void {
    const { name, exchange, tradingSymbol } = instrument;
    exchanges.set(row, exchange);
    symbols.set(row, tradingSymbol);
    segments.set(row, instrument.segment);
    securityIds.set(row, instrument.securityId);
    tokens.set(row, instrument.instrumentToken);
    lots.set(row, instrument.lotSize);
    ticks.set(row, instrument.tickSize);
    freezes.set(row, instrument.freezeQuantity);
    isins.set(row, instrument.isin);
    displayNames.set(row, instrument.displayName);
    expiries.set(row, instrument.expiry);
    strikes.set(row, instrument.strike);
    optionTypes.set(row, instrument.optionType);
    if (name === instrumentName(exchange, tradingSymbol)) otherNames.delete(row);
    else otherNames.set(row, name);
  }

  const symbolAt = (row: number): string => symbols.at(row) ?? '';
  const nameAt = (row: number): InstrumentName =>
    otherNames.get(row) ?? instrumentName(exchanges.at(row), symbolAt(row));

  function at(row: number): Instrument {
    if (!(row >= 0 && row < length)) throw new Error(`the table has ${length} rows, and no ${row}`);
    const exchange = exchanges.at(row);
    const tradingSymbol = symbolAt(row);
    return {
      name: otherNames.get(row) ?? instrumentName(exchange, tradingSymbol),
      exchange,
      tradingSymbol,
      segment: segments.at(row),
      securityId: securityIds.at(row),
      instrumentToken: tokens.at(row),
      lotSize: lots.at(row),
      tickSize: ticks.at(row),
      freezeQuantity: freezes.at(row),
      isin: isins.at(row),
      displayName: displayNames.at(row) ?? '',
      expiry: expiries.at(row),
      strike: strikes.at(row),
      optionType: optionTypes.at(row),
    };
  }

  return {
    get length() {
      return length;
    },
    add(instrument) {
      set(length, instrument);
      length += 1;
      return length - 1;
    },
    replace: set,
    at,
    nameAt,
    exchangeAt: exchanges.at,
    tradingSymbolAt: symbolAt,
    segmentAt: segments.at,
    securityIdAt: securityIds.at,
    displayNameAt: (row) => displayNames.at(row) ?? '',
    expiryAt: expiries.at,
    strikeAt: strikes.at,
    optionTypeAt: optionTypes.at,
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row += 1) yield at(row);
    },
  };
}

/** The rows of a table that are named, numbered anew from 0 in this order. */
export function selectRows(table: Instruments, rows: Uint32Array): Instruments {
  const rowOf = (row: number): number => rows[row] ?? NaN;
  return {
    length: rows.length,
    at: (row) => table.at(rowOf(row)),
    nameAt: (row) => table.nameAt(rowOf(row)),
    exchangeAt: (row) => table.exchangeAt(rowOf(row)),
    tradingSymbolAt: (row) => table.tradingSymbolAt(rowOf(row)),
    segmentAt: (row) => table.segmentAt(rowOf(row)),
    securityIdAt: (row) => table.securityIdAt(rowOf(row)),
    displayNameAt: (row) => table.displayNameAt(rowOf(row)),
    expiryAt: (row) => table.expiryAt(rowOf(row)),
    strikeAt: (row) => table.strikeAt(rowOf(row)),
    optionTypeAt: (row) => table.optionTypeAt(rowOf(row)),
    *[Symbol.iterator]() {
      for (const row of rows) yield table.at(row);
    },
  };
}
