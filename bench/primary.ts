import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readList } from '../src/adapters/primary/envelope.ts';
import { createBookMapper } from '../src/adapters/primary/book-mapping.ts';
import type { InstrumentLookup } from '../src/domain/instrument.ts';
import type { ParseFigures } from './primary-parse.ts';
import { instrumentsJson, instrumentsText, orderBookText } from './primary-text.ts';
import { atMost, percentile, printRows, row, type Row } from './results.ts';

const INSTRUMENTS = 100_000;
const ORDERS = 500;
const WARM_UP = 100;
const SAMPLES = 400;

/** What it costs to read the primary brokerage: its list of instruments, and a long order book. */
export function benchPrimary(): Promise<readonly Row[]> {
  return Promise.resolve([...benchInstruments(), ...benchOrderBook()]);
}

function benchInstruments(): readonly Row[] {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  try {
    const csv = join(directory, 'list.csv');
    const json = join(directory, 'list.json');
    writeFileSync(csv, instrumentsText(INSTRUMENTS));
    writeFileSync(json, instrumentsJson(INSTRUMENTS));
    return compare(parsed('gateway', csv), parsed('split', csv), parsed('json', json));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): number => bytes / 1_000_000;

function compare(own: ParseFigures, split: ParseFigures, json: ParseFigures): readonly Row[] {
  const rows = (name: string, figures: ParseFigures): readonly Row[] => [
    row(`${name}, rows`, INSTRUMENTS / figures.ms, 'k rows/s'),
    row(`${name}, text`, megabytes(figures.bytes) / (figures.ms / 1_000), 'MB/s'),
    row(`${name}, thread held at once`, figures.longestMs, 'ms'),
    row(`${name}, peak memory above the text`, megabytes(figures.peakRssBytes), 'MB'),
    row(`${name}, heap kept`, megabytes(figures.keptHeapBytes), 'MB'),
  ];
  const size = (bytes: number): string => `${megabytes(bytes).toFixed(1)} MB`;
  return printRows(
    `The instrument list, ${INSTRUMENTS} rows of ${size(own.bytes)} (as JSON ${size(json.bytes)}): mapped; ` +
      'split by lines and commas, not mapped; JSON.parse alone. One process each, in the time of its thread',
    [
      ...rows('instrument list, mapped', own),
      ...rows('instrument list, plain split', split),
      ...rows('instrument list, JSON.parse', json),
      bounded('instrument list, time, to JSON.parse', own.ms / json.ms, 4),
      bounded(
        'instrument list, thread held at once, to JSON.parse',
        own.longestMs / json.longestMs,
        0.5,
      ),
      bounded(
        'instrument list, peak memory, to a plain split',
        own.peakRssBytes / split.peakRssBytes,
        2,
      ),
      bounded(
        'instrument list, heap kept, to a plain split',
        own.keptHeapBytes / split.keptHeapBytes,
        1,
      ),
    ],
  );
}

function parsed(way: 'gateway' | 'split' | 'json', path: string): ParseFigures {
  const script = fileURLToPath(new URL('./primary-parse.ts', import.meta.url));
  const given = ['--expose-gc', script, way, path, String(INSTRUMENTS)];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })) as ParseFigures;
}

function benchOrderBook(): readonly Row[] {
  const text = orderBookText(ORDERS);
  const lookup: InstrumentLookup = { byName: () => null, bySecurityId: () => null };
  const read = (): number => {
    const reading = readList(text);
    if (reading.kind !== 'data') throw new Error('the order book could not be read');
    return createBookMapper(lookup, []).mapBook(reading.data as readonly unknown[]).orders.length;
  };
  const plain = (): number => (JSON.parse(text) as { data: unknown[] }).data.length;
  const [own, json] = [timed(read), timed(plain)];
  return printRows(`An order book of ${ORDERS} rows, ${SAMPLES} times`, [
    row('order book, read and mapped, fastest tenth', own, 'ms'),
    row('order book, read and mapped', ORDERS / own, 'k rows/s'),
    row('order book, JSON.parse alone, fastest tenth', json, 'ms'),
    row('order book, JSON.parse alone', ORDERS / json, 'k rows/s'),
    bounded('order book, time, to JSON.parse', own / json, 10),
  ]);
}

/** What a call takes when nobody else has the machine: the fastest tenth, ms. */
function timed(run: () => number): number {
  const samples: number[] = [];
  for (let round = 0; round < WARM_UP + SAMPLES; round += 1) {
    const begun = performance.now();
    if (run() !== ORDERS) throw new Error('rows were lost');
    if (round >= WARM_UP) samples.push(performance.now() - begun);
  }
  return percentile(samples, 0.1);
}

const bounded = (name: string, ratio: number, most: number): Row =>
  row(name, ratio, 'times', atMost(most));
