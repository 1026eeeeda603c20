import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlantedBug } from './planted.ts';

/** What a run of seeds with a planted bug came to. */
export interface PlantedRun {
  /** The first seed that broke one of the properties that the bug has to break; null without one. */
  readonly seed: number | null;
  /** What it broke there, in words. */
  readonly found: readonly string[];
  /** All that was broken, `seed property text`: also what has nothing to do with the bug. */
  readonly all: readonly string[];
  /** What was printed, where the run did not end as runs do. */
  readonly failure: string | null;
}

const PARTS = ['src', 'sandbox', 'test/simulation', 'test/support', 'package.json'];

/**
 * Of this process. Each copy has the same path in it, so that what was compiled for one serves the next: nearly
 * all files of two copies are the same.
 */
const OWN_DIRECTORY = mkdtempSync(join(tmpdir(), 'abg-planted-'));
const COMPILED = join(OWN_DIRECTORY, 'compiled');
process.once('exit', () => rmSync(OWN_DIRECTORY, { recursive: true, force: true }));

/** A copy of the sources with a bug in it; disposing it removes it. Throws where a place is gone. */
export function plant(bug: PlantedBug): Disposable & { readonly directory: string } {
  const directory = join(OWN_DIRECTORY, 'sources');
  mkdirSync(directory);
  for (const part of PARTS) cpSync(part, join(directory, part), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
  for (const { file, find, replace } of bug.edits) {
    const path = join(directory, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(find).length !== 2) {
      throw new Error(`${bug.name}: ${file} does not hold this text once: ${find}`);
    }
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
  }
  return {
    directory,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Plays seeds with a bug planted, in the order given, until one breaks one of `properties`. */
export async function playPlanted(
  bug: PlantedBug,
  properties: readonly string[],
  seeds: readonly number[],
  workers = 1,
): Promise<PlantedRun> {
  using planted = plant(bug);
  const options = [
    ...['--only-seeds', seeds.join(','), '--day', bug.day ?? 'session'],
    ...['--workers', String(workers), '--plain'],
    ...(properties.length > 0 ? ['--until', properties.join(',')] : []),
  ];
  const { code, output } = await run(planted.directory, ['test/simulation/main.ts', ...options]);
  const all = output.split('\n').filter((line) => /^\d+ [SL]\d+ /.test(line));
  const isExpected = (line: string): boolean => properties.includes(line.split(' ')[1] ?? '');
  const first = seeds.find((seed) =>
    all.some((line) => line.startsWith(`${seed} `) && isExpected(line)),
  );
  const found = all.filter((line) => line.startsWith(`${first} `) && isExpected(line));
  const failure = code === 0 || code === 1 ? null : output.slice(-2_000);
  return { seed: first ?? null, found, all, failure };
}

function run(
  directory: string,
  command: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
    const child = spawn(process.execPath, command, { cwd: directory, env });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => resolve({ code, output }));
  });
}
