import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readList } from '../src/adapters/primary/envelope.ts';
import { mapOrderBook } from '../src/adapters/primary/mapping.ts';
import type { InstrumentLookup } from '../src/domain/instrument.ts';
import type { ParseFigures } from './primary-parse.ts';
import { instrumentsJson, instrumentsText, orderBookText } from './primary-text.ts';
import { percentile, printFigures, type Figure } from './statistics.ts';

const INSTRUMENTS = 100_000;
const ORDERS = 500;
const WARM_UP = 100;
const SAMPLES = 400;

/** What it costs to read the primary brokerage: its list of instruments, and a long order book. */
export function benchPrimary(): Promise<boolean> {
  const instruments = benchInstruments();
  return Promise.resolve(benchOrderBook() && instruments);
}

function benchInstruments(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  try {
    const [csv, json] = ['list.csv', 'list.json'].map((name) => join(directory, name));
    writeFileSync(csv!, instrumentsText(INSTRUMENTS));
    writeFileSync(json!, instrumentsJson(INSTRUMENTS));
    return compare(parsed('gateway', csv!), parsed('split', csv!), parsed('json', json!));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function compare(own: ParseFigures, split: ParseFigures, json: ParseFigures): boolean {
  const rows = ({ ms }: ParseFigures): string => `${Math.round(INSTRUMENTS / ms)}k rows/s`;
  const speed = ({ ms, bytes }: ParseFigures): string => `${(bytes / ms / 1_000).toFixed(0)} MB/s`;
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const lines = (name: string, figures: ParseFigures): readonly Figure[] => [
    told(`${name}, rows`, rows(figures)),
    told(`${name}, text`, speed(figures)),
    told(`${name}, thread held at once`, `${figures.longestMs.toFixed(1)} ms`),
    told(`${name}, peak memory above the text`, megabytes(figures.peakRssBytes)),
    told(`${name}, heap kept`, megabytes(figures.keptHeapBytes)),
  ];
  return printFigures(
    `The instrument list, ${INSTRUMENTS} rows of ${megabytes(own.bytes)} (as JSON ${megabytes(json.bytes)}): mapped; ` +
      'split by lines and commas, not mapped; JSON.parse alone. One process each, in the time of its thread',
    [
      ...lines('mapped', own),
      ...lines('plain split', split),
      ...lines('JSON.parse', json),
      bound('time, to JSON.parse', own.ms / json.ms, 4),
      bound('thread held at once, to JSON.parse', own.longestMs / json.longestMs, 0.5),
      bound('peak memory, to a plain split', own.peakRssBytes / split.peakRssBytes, 2),
      bound('heap kept, to a plain split', own.keptHeapBytes / split.keptHeapBytes, 1),
    ],
  );
}

function parsed(way: 'gateway' | 'split' | 'json', path: string): ParseFigures {
  const script = fileURLToPath(new URL('./primary-parse.ts', import.meta.url));
  const given = ['--expose-gc', script, way, path, String(INSTRUMENTS)];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' })) as ParseFigures;
}

function benchOrderBook(): boolean {
  const text = orderBookText(ORDERS);
  const lookup: InstrumentLookup = { byName: () => null, bySecurityId: () => null };
  const read = (): number => {
    const reading = readList(text);
    if (reading.kind !== 'data') throw new Error('the order book could not be read');
    return mapOrderBook(reading.data as readonly unknown[], lookup, []).orders.length;
  };
  const plain = (): number => (JSON.parse(text) as { data: unknown[] }).data.length;
  const [own, json] = [timed(read), timed(plain)];
  const rate = (ms: number): string => `${Math.round(ORDERS / ms)}k rows/s`;
  return printFigures(`An order book of ${ORDERS} rows, ${SAMPLES} times`, [
    told('read and mapped, fastest tenth', `${own.toFixed(2)} ms`),
    told('read and mapped', rate(own)),
    told('JSON.parse alone, fastest tenth', `${json.toFixed(2)} ms`),
    told('JSON.parse alone', rate(json)),
    bound('time, to JSON.parse', own / json, 10),
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

const told = (name: string, value: string): Figure => ({ name, value, bound: '', kept: true });

const bound = (name: string, ratio: number, most: number): Figure => ({
  name,
  value: ratio.toFixed(2),
  bound: `at most ${most}`,
  kept: ratio <= most,
});
