import { basename, join } from 'node:path';
import { istIso } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import { openForReading } from '../platform/database.ts';
import { copyPrivately, filesOf, publishDirectory } from '../platform/directories.ts';
import { FileError, type Files } from '../platform/files.ts';
import { messageOf } from '../platform/values.ts';
import { DISARMED, HOME } from './disarmed.ts';
import { JOURNAL, lastEventIn, MANIFEST, type Manifest, MARK } from './manifest.ts';

export interface BackupParts {
  readonly dataDirectory: string;
  /** The directory in which each backup gets one of its own. */
  readonly target: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly version: string;
  /** Told before each file that takes long, since a large journal takes minutes. */
  readonly tell?: Tell;
}

/** Takes a line about what is being done. */
export type Tell = (line: string) => void;

export interface MadeBackup {
  readonly path: string;
  readonly manifest: Manifest;
}

/**
 * Copies a data directory, also while a gateway uses it: each database as of one moment, by a reader
 * that no commit waits for (docs/operations.md, "Backups"). The copy has no token and no admin key.
 * Throws a FileError; then there is no new directory.
 */
export function makeBackup(parts: BackupParts): MadeBackup {
  const { dataDirectory, target, clock } = parts;
  const found = filesOf(dataDirectory) ?? [];
  if (!found.some(({ name }) => name === JOURNAL)) {
    throw new FileError(
      `there is nothing to back up: ${join(dataDirectory, JOURNAL)} does not exist; ` +
        'APP_DATA_DIR names the data directory',
    );
  }
  const madeAt = istIso(clock.now());
  const path = join(target, `altbroker-${madeAt.replaceAll(/[-:]|\.\d+\+05:?30/g, '')}`);
  try {
    const manifest = publishDirectory(path, (temporary) =>
      fill({ ...parts, found, madeAt }, temporary),
    );
    return { path, manifest };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`no backup was made at ${path}: ${messageOf(error)}`, { cause: error });
  }
}

/** The mark first, the journal last: a journal that ends before its mark would look like a damaged one. */
function inOrder(names: readonly string[]): readonly string[] {
  const rank = (name: string): number =>
    name === MARK ? 0 : name === JOURNAL ? 3 : isDatabase(name) ? 2 : 1;
  return names.toSorted((one, other) => rank(one) - rank(other));
}

function fill(
  parts: BackupParts & { readonly found: readonly FileSize[]; readonly madeAt: string },
  directory: string,
): Manifest {
  const { dataDirectory, files, version, madeAt, found, tell } = parts;
  const all = found.map(({ name }) => name);
  const names = inOrder(all.filter((name) => isDatabase(name) || isState(name)));
  let lastEvent = 0;
  for (const name of names) {
    const from = join(dataDirectory, name);
    const to = join(directory, name);
    if (!isDatabase(name)) {
      copyPrivately(from, to);
      continue;
    }
    tell?.(`copying and checking ${name} (${sizeOf(found, name)})`);
    lastEvent = Math.max(lastEvent, copyDatabase(from, to));
  }
  const manifest = { version, madeAt, lastEvent, files: [...(filesOf(directory) ?? [])] };
  files.replacePrivate(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

interface FileSize {
  readonly name: string;
  readonly bytes: number;
}

/** In MB of 1,000,000 bytes, as disks and copying programs count. */
export const sizeOf = (files: readonly FileSize[], name: string): string => {
  const bytes = files.find((file) => file.name === name)?.bytes ?? 0;
  return `${(bytes / 1e6).toFixed(1)} MB`;
};

/** Copies one, and checks the copy. The last event of a journal; 0 for any other. */
function copyDatabase(from: string, to: string): number {
  const source = openForReading(from);
  try {
    source.copyTo(to);
  } finally {
    source.close();
  }
  const copy = openForReading(to);
  try {
    const problem = copy.check();
    if (problem !== null) throw new FileError(`the copy of ${from} is damaged: ${problem}`);
    if (basename(from) !== JOURNAL) return 0;
    return lastEventIn(copy);
  } finally {
    copy.close();
  }
}

const isDatabase = (name: string): boolean => name.endsWith('.db');
/**
 * A token is a secret that ends with the day, and a sign-in is of this machine; a copy is another directory than this one.
 * The manifest of an earlier backup is there where somebody has copied that by hand: this one gets its own.
 */
const isState = (name: string): boolean =>
  name.endsWith('.json') && !name.startsWith('token') && !OF_HERE.includes(name);
const OF_HERE = ['sign-ins.json', DISARMED, HOME, MANIFEST];
