import { instrumentName, type Instrument, type Segment } from '../../domain/instrument.ts';
import { BrokerError } from '../../domain/outcome.ts';
import type { InstrumentSource } from '../../domain/ports.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import { readCsv } from '../kit/csv.ts';
import { logMalformedRows } from '../kit/instrument-list-log.ts';
import type { GuardedCalls } from './calls.ts';
import type { KiteClient } from './client.ts';
import type { RateLimitQueues } from './rate-limits.ts';

export interface InstrumentsParts {
  readonly client: KiteClient;
  readonly guardedCalls: GuardedCalls;
  readonly queues: RateLimitQueues;
  readonly log: Log;
}

/** The broker has one list of all instruments. */
const LIST = 'instruments';

/** The broker's master list (docs/spec/instruments.md): about 100,000 rows. */
export function createAltInstruments(parts: InstrumentsParts): InstrumentSource {
  const { client, guardedCalls, queues, log } = parts;
  return {
    broker: 'alt',
    lists: [
      {
        name: LIST,
        segments: ['EQUITY', 'DERIVATIVE', 'INDEX'],
        read: async () =>
          rowsOf(await guardedCalls.read(queues.instruments, client.instruments, asText), log),
      },
    ],
  };
}

function asText(data: unknown): string {
  if (typeof data !== 'string') throw new Error('the instruments are not text');
  return data;
}

type Column = keyof ReturnType<typeof columnPlaces>;
type Field = (column: Column) => string;

/**
 * Reads the list row by row. Throws when the text is not the list, has no instrument, or has too many
 * malformed rows (docs/spec/instruments.md, "Malformed rows"). Rows that the gateway cannot trade
 * or quote are null: malformed ones, those of an unknown instrument type, and contracts without
 * a readable lot.
 */
function* rowsOf(text: string, log: Log): Generator<Instrument | null> {
  try {
    const { header, rows, malformed } = readCsv(text);
    const places = columnPlaces(header);
    let count = 0;
    for (const row of rows) {
      const instrument = row && toInstrument((column) => row[places[column]] ?? '');
      if (instrument) count += 1;
      yield instrument;
    }
    if (count === 0) throw new Error('the list of instruments is empty');
    logMalformedRows(log, { broker: 'alt', source: LIST }, malformed());
  } catch (error) {
    const message = messageOf(error);
    throw new BrokerError('alt', { kind: 'bad_payload', message }, error);
  }
}

/** Where each column stands in a row. */
function columnPlaces(header: readonly string[]) {
  const place = (column: string): number => {
    const found = header.indexOf(column);
    if (found < 0) throw new Error(`the list of instruments has no column ${column}`);
    return found;
  };
  return {
    instrument_token: place('instrument_token'),
    exchange_token: place('exchange_token'),
    tradingsymbol: place('tradingsymbol'),
    name: place('name'),
    expiry: place('expiry'),
    strike: place('strike'),
    tick_size: place('tick_size'),
    lot_size: place('lot_size'),
    instrument_type: place('instrument_type'),
    segment: place('segment'),
    exchange: place('exchange'),
  };
}

function toInstrument(field: Field): Instrument | null {
  const segment = segmentOf(field);
  const exchange = field('exchange').trim().toUpperCase();
  const tradingSymbol = field('tradingsymbol').trim();
  if (segment === null || exchange === '' || tradingSymbol === '') return null;
  const lotSize = wholeNumber(field('lot_size'));
  // A share without a lot trades in lots of 1. A contract without a known lot must not be ordered.
  if (lotSize === null && segment === 'DERIVATIVE') return null;
  const type = field('instrument_type');
  const optionType = type === 'CE' || type === 'PE' ? type : null;
  const expiry = /^\d{4}-\d{2}-\d{2}$/.test(field('expiry')) ? field('expiry') : null;
  const strike = optionType === null ? null : positiveNumber(field('strike'));
  const exchangeToken = field('exchange_token');
  return {
    name: instrumentName(exchange, tradingSymbol),
    exchange,
    tradingSymbol,
    segment,
    // The number of an index is the broker's own, not the exchange's: it matches no other list.
    securityId: segment === 'INDEX' || !/^\d+$/.test(exchangeToken) ? null : exchangeToken,
    instrumentToken: wholeNumber(field('instrument_token')),
    lotSize: lotSize ?? 1,
    tickSize: positiveNumber(field('tick_size')),
    freezeQuantity: null,
    isin: null,
    displayName: [field('name'), expiry, strike, optionType]
      .filter((part) => part !== null && part !== '')
      .join(' '),
    expiry,
    strike,
    optionType,
  };
}

function segmentOf(field: Field): Segment | null {
  if (field('segment') === 'INDICES') return 'INDEX';
  const type = field('instrument_type');
  if (type === 'EQ') return 'EQUITY';
  return type === 'FUT' || type === 'CE' || type === 'PE' ? 'DERIVATIVE' : null;
}

function wholeNumber(text: string): number | null {
  const value = positiveNumber(text);
  return Number.isSafeInteger(value) ? value : null;
}

function positiveNumber(text: string): number | null {
  const value = text === '' ? NaN : Number(text);
  return Number.isFinite(value) && value > 0 ? value : null;
}
