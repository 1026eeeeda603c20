import { z } from 'zod';
import {
  instrumentName,
  type Instrument,
  type InstrumentRows,
  type Segment,
} from '../domain/instrument.ts';
import { compress, decompress } from '../platform/compression.ts';
import { sha256 } from '../platform/secret.ts';
import type { Chunked } from '../platform/chunks.ts';

/**
 * A list of instruments as compressed text: it takes a hundredth of the memory of objects. Each chunk is
 * a JSON array of rows, short enough to be parsed between two orders.
 */
export interface PackedList {
  readonly chunks: readonly Uint8Array[];
  readonly count: number;
  /** The digest of the text of all chunks: equal lists have equal digests. */
  readonly digest: string;
}

const ROWS_A_CHUNK = 1_000;
const SEGMENTS: readonly Segment[] = ['EQUITY', 'DERIVATIVE', 'INDEX'];

const row = z.tuple([
  z.string(), // exchange
  z.string(), // tradingSymbol
  z.number(), // segment
  z.string().nullable(), // securityId
  z.number().nullable(), // instrumentToken
  z.number(), // lotSize
  z.number().nullable(), // tickSize
  z.number().nullable(), // freezeQuantity
  z.string().nullable(), // isin
  z.string(), // displayName
  z.string().nullable(), // expiry
  z.number().nullable(), // strike
  z.enum(['CE', 'PE']).nullable(), // optionType
]);
const rowsOfChunk = z.array(row);
type Row = z.output<typeof row>;

/**
 * Reads the rows once, in order, and leaves out those that are null. Throws what reading them throws.
 */
export function* packList(rows: InstrumentRows): Chunked<PackedList> {
  const packing = createPacking();
  let chunk: Row[] = [];
  let count = 0;
  let read = 0;
  for (const instrument of rows) {
    read += 1;
    if (instrument) {
      chunk.push(toRow(instrument));
      count += 1;
    }
    if (chunk.length === ROWS_A_CHUNK) {
      packing.add(JSON.stringify(chunk));
      chunk = [];
    }
    if (read % ROWS_A_CHUNK === 0) yield;
  }
  if (chunk.length > 0) packing.add(JSON.stringify(chunk));
  return packing.packed(count);
}

/** A list of the texts of its chunks, as `textsOf` gave them; it does not look into them. */
export function packTexts(texts: Iterable<string>, count: number): PackedList {
  const packing = createPacking();
  for (const text of texts) packing.add(text);
  return packing.packed(count);
}

function createPacking() {
  const chunks: Uint8Array[] = [];
  const digests: string[] = [];
  return {
    add(text: string): void {
      chunks.push(compress(text));
      digests.push(sha256(text));
    },
    packed: (count: number): PackedList => ({ chunks, count, digest: sha256(digests.join('\n')) }),
  };
}

/** The texts of the chunks, without line breaks. */
export function* textsOf({ chunks }: PackedList): Generator<string> {
  for (const chunk of chunks) yield decompress(chunk);
}

/** Calls `take` for each instrument. Throws on text that `packList` did not make. */
export function* unpackList(
  list: PackedList,
  take: (instrument: Instrument) => void,
): Chunked<void> {
  let isFirst = true;
  for (const text of textsOf(list)) {
    if (!isFirst) yield;
    isFirst = false;
    const read = rowsOfChunk.safeParse(JSON.parse(text));
    if (!read.success) throw new Error('a row of the list has another form');
    for (const each of read.data) take(toInstrument(each));
  }
}

function toRow(instrument: Instrument): Row {
  return [
    instrument.exchange,
    instrument.tradingSymbol,
    SEGMENTS.indexOf(instrument.segment),
    instrument.securityId,
    instrument.instrumentToken,
    instrument.lotSize,
    instrument.tickSize,
    instrument.freezeQuantity,
    instrument.isin,
    instrument.displayName,
    instrument.expiry,
    instrument.strike,
    instrument.optionType,
  ];
}

function toInstrument(row: Row): Instrument {
  const segment = SEGMENTS[row[2]];
  if (segment === undefined) throw new Error('a row names no segment');
  return {
    name: instrumentName(row[0], row[1]),
    exchange: row[0],
    tradingSymbol: row[1],
    segment,
    securityId: row[3],
    instrumentToken: row[4],
    lotSize: row[5],
    tickSize: row[6],
    freezeQuantity: row[7],
    isin: row[8],
    displayName: row[9],
    expiry: row[10],
    strike: row[11],
    optionType: row[12],
  };
}
