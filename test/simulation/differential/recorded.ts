import { readFileSync, writeFileSync } from 'node:fs';
import { DAY_KINDS, type DayKind } from '../hours.ts';
import type { DayDigests } from './play.ts';

/** One seed as a version of the gateway played it. */
export interface RecordedSeed extends DayDigests {
  readonly kind: DayKind;
  readonly seed: number;
  /** Why it is not as the commit of the header played it: a later commit, and what it changed. */
  readonly since?: string | undefined;
}

const FILE = new URL('./recorded.txt', import.meta.url);
const LINE =
  /^(?<kind>[a-z]+) (?<seed>\d+) (?<requests>[0-9a-f]{12}) (?<orders>[0-9a-f]{12})(?: (?<since>.+))?$/;

/** What is recorded: a header that names the commit, then a line for each seed. */
export function readRecorded(): { readonly header: string; readonly seeds: RecordedSeed[] } {
  const [header = '', ...lines] = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return { header, seeds: lines.map(readLine) };
}

function readLine(text: string, index: number): RecordedSeed {
  const { kind, seed, requests, orders, since } = LINE.exec(text)?.groups ?? {};
  const known = DAY_KINDS.find((each) => each === kind);
  if (known && seed && requests && orders) {
    return { kind: known, seed: Number(seed), requests, orders, since };
  }
  throw new Error(
    `recorded.txt, line ${index + 2}: "${text}" is not "<day> <seed> <12 hex> <12 hex>"`,
  );
}

/** Replaces the recording. The header says which version the seeds without a `since` were played by. */
export function writeRecorded(header: string, seeds: readonly RecordedSeed[]): void {
  const order = (each: RecordedSeed): number => DAY_KINDS.indexOf(each.kind) * 1e9 + each.seed;
  const lines = [...seeds]
    .sort((left, right) => order(left) - order(right))
    .map(({ kind, seed, requests, orders, since }) =>
      [kind, seed, requests, orders, ...(since === undefined ? [] : [since])].join(' '),
    );
  writeFileSync(FILE, `${[header, ...lines].join('\n')}\n`);
}

/** The first line of a recording of `version`, as `commit b78c87b`. */
export const headerOf = (version: string): string =>
  `Digests as of ${version}. Each line: day, seed, requests, orders with fills.`;
