import { readFileSync } from 'node:fs';
import { packList } from '../src/instruments/packed-list.ts';
import { mapInstruments } from '../src/adapters/primary/instrument-mapping.ts';

/**
 * One way of parsing, in a process of its own, so that its memory is nobody else's. Prints its
 * figures as JSON. Started by primary.ts with the name of the way, the file, and the number of rows.
 */
export interface ParseFigures {
  readonly bytes: number;
  /** Of the thread's own time, so that neighbours count little: the best of the rounds. */
  readonly ms: number;
  /** The longest that the thread was held at once, in its own time: the best of the rounds. */
  readonly longestMs: number;
  /** Above what the process had with the text in memory. */
  readonly peakRssBytes: number;
  readonly keptHeapBytes: number;
}

const ROUNDS = 8;

const [way = '', path = '', rowText = ''] = process.argv.slice(2);
const rows = Number(rowText);

function* parse(text: string): Generator<undefined, unknown, undefined> {
  if (way === 'gateway') return [yield* packList(mapInstruments('fno', text))];
  if (way === 'split') return text.split('\n').map((line) => line.split(','));
  return JSON.parse(text) as unknown;
}

/** The gateway keeps one packed list; the others keep an array of rows. */
function countOf(kept: unknown): number {
  if (!Array.isArray(kept)) return 0;
  const [first] = kept as readonly { readonly count?: number }[];
  return way === 'gateway' ? (first?.count ?? 0) : kept.length;
}

const text = readFileSync(path, 'utf8');
/** What this thread has used, ms. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const collect = (): void => globalThis.gc?.();

function round(): { kept: unknown; ms: number; longestMs: number } {
  const begun = used();
  const reading = parse(text);
  let longestMs = 0;
  for (;;) {
    const sliceBegun = used();
    const step = reading.next();
    const now = used();
    longestMs = Math.max(longestMs, now - sliceBegun);
    if (step.done) return { kept: step.value, ms: now - begun, longestMs };
  }
}

collect();
const before = process.memoryUsage();
const first = round();
const peakRss = process.resourceUsage().maxRSS * 1024;
collect();
const keptHeapBytes = process.memoryUsage().heapUsed - before.heapUsed;
if (countOf(first.kept) < rows) throw new Error(`${way} lost rows`);
first.kept = null;

const rounds = Array.from({ length: ROUNDS }, () => {
  collect();
  const { ms, longestMs } = round();
  return { ms, longestMs };
});
const figures: ParseFigures = {
  bytes: Buffer.byteLength(text),
  ms: Math.min(...rounds.map(({ ms }) => ms)),
  longestMs: Math.min(...rounds.map(({ longestMs }) => longestMs)),
  peakRssBytes: Math.max(0, peakRss - before.rss),
  keptHeapBytes,
};
process.stdout.write(JSON.stringify(figures));
