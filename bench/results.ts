import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

/** One measured figure. */
export interface Row {
  readonly name: string;
  readonly value: number;
  /** `ms`, `times`, `/s` and the like. */
  readonly unit: string;
  /** `at most 2`; null for a figure that only informs. */
  readonly bound: string | null;
  /** Whether the bound was met; null without one. */
  readonly met: boolean | null;
}

interface Bound {
  readonly text: string;
  readonly allows: (value: number) => boolean;
}

export const atMost = (most: number): Bound => ({
  text: `at most ${most}`,
  allows: (value) => value <= most,
});

export const atLeast = (least: number): Bound => ({
  text: `at least ${least}`,
  allows: (value) => value >= least,
});

/** A figure that is no number meets no bound. */
export function row(name: string, value: number, unit: string, bound?: Bound): Row {
  if (!bound) return { name, value, unit, bound: null, met: null };
  return { name, value, unit, bound: bound.text, met: bound.allows(value) };
}

export function printRows(title: string, rows: readonly Row[]): readonly Row[] {
  process.stdout.write(`\n${title}\n`);
  for (const { name, value, unit, bound, met } of rows) {
    const verdict = bound === null ? '' : `  ${met ? 'met' : 'NOT MET'}: ${bound}`;
    process.stdout.write(
      `  ${name.padEnd(64)} ${`${shown(value)} ${unit}`.padStart(16)}${verdict}\n`,
    );
  }
  return rows;
}

/** What holds up everybody at once, of one bench: `what` is that bench. */
export const pauseRows = (
  what: string,
  { p99Ms, longestMs }: { readonly p99Ms: number; readonly longestMs: number },
): readonly Row[] => [
  row(`${what}: pauses of the event loop, p99`, p99Ms, 'ms', atMost(10)),
  row(`${what}: longest pause of the event loop`, longestMs, 'ms'),
];

const shown = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 2 : 0);

const RESULTS = fileURLToPath(new URL('./results.json', import.meta.url));

/** A row of bench/results.json. */
export interface KeptRow extends Row {
  /** The bench that measured it: `market`. */
  readonly bench: string;
  /** The day on which it was measured. */
  readonly day: string;
  /** Whether other programs were at work when the bench began: then its times mean little. */
  readonly busy: boolean;
}

/** The rows that were measured last; none where there is no file. */
export function readResults(): readonly KeptRow[] {
  if (!existsSync(RESULTS)) return [];
  const { rows } = JSON.parse(readFileSync(RESULTS, 'utf8')) as { rows: readonly KeptRow[] };
  return rows.filter(({ bench }) => bench !== undefined);
}

/**
 * Puts the rows of one bench in the place of its former ones. The file is beside the benches and not committed,
 * since figures are of one machine and one run.
 */
export function writeResults(bench: string, rows: readonly Row[], busy: boolean): void {
  const day = new Date().toISOString().slice(0, 10);
  const others = readResults().filter((row) => row.bench !== bench);
  const all = [...others, ...rows.map((row): KeptRow => ({ ...row, bench, day, busy }))];
  writeFileSync(RESULTS, `${JSON.stringify({ rows: all }, null, 2)}\n`);
}

/** Whether, over the last minute, more than a third of the processors had work. */
export const isMachineBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() / 3;

/** The value below which a share of the samples lies; `share` in [0, 1]. NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
