import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { AFTERNOON } from './afternoon.ts';
import { EVENING } from './evening.ts';
import { SIGNALS } from './signals.ts';
import { TRIGGERS } from './triggers.ts';
import { booksOf, createBrokers, replay, type Brokers, type Step } from './brokers.ts';

/** Data directories as older commits left them when they were killed; make.ts says how they were made. */
export const KEPT = fileURLToPath(new URL('./kept/', import.meta.url));

const STARTS = {
  afternoon: AFTERNOON.start,
  evening: EVENING.start,
  triggers: TRIGGERS.start,
  signals: SIGNALS.start,
};
export type OldDirectory = keyof typeof STARTS;
/** Those with a journal of version 1. */
export const OLD_DIRECTORIES: readonly OldDirectory[] = ['afternoon', 'evening'];

/** A copy of a kept directory. Disposing it removes it. */
export interface OldData extends Disposable {
  readonly directory: string;
}

/**
 * Copies a directory of the older version to a temporary place, with the modes that the gateway
 * gives its files: git keeps neither 0600 nor 0700.
 */
export function openOldDataDirectory(name: OldDirectory): OldData {
  const parent = mkdtempSync(join(tmpdir(), 'abg-old-'));
  const directory = join(parent, 'data');
  mkdirSync(directory, { mode: 0o700 });
  const files = join(KEPT, name, 'files');
  for (const file of readdirSync(files)) {
    const bytes = readFileSync(join(files, file));
    const packed = file.endsWith('.gz');
    const path = join(directory, packed ? file.slice(0, -'.gz'.length) : file);
    writeFileSync(path, packed ? gunzipSync(bytes) : bytes, { mode: 0o600 });
  }
  return {
    directory,
    [Symbol.dispose]: () => rmSync(parent, { recursive: true, force: true }),
  };
}

/** The brokers and the clock as they were when the older version was killed. */
export async function replayBrokers(name: OldDirectory): Promise<Brokers> {
  const text = (file: string): string => readFileSync(join(KEPT, name, file), 'utf8');
  const steps = text('brokers.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Step);
  const end = JSON.parse(text('end.json')) as { at: number; books: string[] };
  const brokers = createBrokers(STARTS[name]);
  await replay(brokers, steps);
  await brokers.time.advance(end.at - brokers.time.elapsed());
  const books = booksOf(brokers.sandbox);
  if (books.join('\n') !== end.books.join('\n')) {
    throw new Error(
      `the sandbox no longer comes to the books of "${name}" by the same requests:\n` +
        `${books.join('\n')}\ninstead of\n${end.books.join('\n')}`,
    );
  }
  return brokers;
}
