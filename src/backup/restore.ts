import { join } from 'node:path';
import { z } from 'zod';
import { istIso } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { DataLock } from '../platform/data-lock.ts';
import { openForReading } from '../platform/database.ts';
import { copyPrivately, filesOf, moveFiles } from '../platform/directories.ts';
import { FileError, type Files } from '../platform/files.ts';
import { messageOf } from '../platform/values.ts';
import { sizeOf, type Tell } from './backup.ts';
import { DISARMED, type Disarmed } from './disarmed.ts';
import { JOURNAL, lastEventIn, MANIFEST, type Manifest, manifestSchema, MARK } from './manifest.ts';

export interface RestoreParts {
  /** A directory that `makeBackup` has made. */
  readonly source: string;
  readonly dataDirectory: string;
  readonly files: Files;
  readonly lockData: DataLock;
  readonly clock: Clock;
  /** Told before each file that takes long. */
  readonly tell?: Tell;
}

export interface Restored {
  readonly manifest: Manifest;
  /** Where the files went that were there before; null where there were none. */
  readonly keptIn: string | null;
  /**
   * Whether orders can have been placed since the backup: then the next start is refused until a
   * person accepts that (APP_ACCEPT_JOURNAL_AT).
   */
  readonly mayLackOrders: boolean;
}

/**
 * Puts a backup back. What was there before is kept beside it. Throws a FileError, or a DataLockError
 * while a gateway uses the directory; then nothing has been moved or copied.
 */
export function restoreBackup(parts: RestoreParts): Restored {
  const { source, dataDirectory, files, clock, tell } = parts;
  const manifest = checked(source, files, tell);
  files.makePrivateDirectory(dataDirectory);
  const lock = parts.lockData(dataDirectory);
  try {
    const before = readMark(dataDirectory, files)?.lastEvent ?? 0;
    const present = eventsIn(dataDirectory);
    const replaced = (filesOf(dataDirectory) ?? [])
      .map(({ name }) => name)
      .filter((name) => /\.db(-wal|-shm)?$/.test(name) || isIn(manifest, name));
    const stamp = istIso(clock.now()).replaceAll(/[-:]|\.\d+\+05:?30/g, '');
    const keptIn = join(dataDirectory, `before-restore-${stamp}`);
    // Before anything else: whatever becomes of the restore, nothing is sent on what is there now.
    const disarmed = { why: 'restored', at: istIso(clock.now()) } satisfies Disarmed;
    files.replacePrivate(join(dataDirectory, DISARMED), `${JSON.stringify(disarmed)}\n`);
    if (replaced.length > 0) moveFiles([], dataDirectory, keptIn);
    if (replaced.includes(MARK)) copyPrivately(join(dataDirectory, MARK), join(keptIn, MARK));
    // Written first: a gateway that starts on half of a restore finds less than this, and refuses.
    const beyond = Math.max(before, present ?? 0, manifest.lastEvent + 1);
    setMark(parts, beyond);
    if (replaced.length > 0) moveFiles(withoutMark(replaced), dataDirectory, keptIn);
    for (const name of withoutMark(manifest.files.map((file) => file.name))) {
      if (name.endsWith('.db')) tell?.(`putting ${name} back (${sizeOf(manifest.files, name)})`);
      copyPrivately(join(source, name), join(dataDirectory, name));
    }
    // The mark alone would not do, because it is written some seconds after the journal; nor would the journal, which may be
    // the one that an earlier restore has put there.
    const mayLackOrders = present !== manifest.lastEvent || before > manifest.lastEvent;
    setMark(parts, mayLackOrders ? beyond : manifest.lastEvent);
    return { manifest, mayLackOrders, keptIn: replaced.length > 0 ? keptIn : null };
  } finally {
    lock.release();
  }
}

const withoutMark = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name !== MARK);

const isIn = (manifest: Manifest, name: string): boolean =>
  manifest.files.some((file) => file.name === name);

/** The manifest of a backup whose files are all there and whole. */
function checked(source: string, files: Files, tell?: Tell): Manifest {
  const manifest = manifestIn(source, files);
  const found = new Map((filesOf(source) ?? []).map(({ name, bytes }) => [name, bytes]));
  for (const { name, bytes } of manifest.files) {
    const path = join(source, name);
    if (found.get(name) !== bytes) {
      const has = found.has(name) ? `has ${found.get(name)} bytes` : 'is missing';
      throw new FileError(`${path} ${has}, and the backup was made with ${bytes}: use another one`);
    }
    if (!name.endsWith('.db')) continue;
    tell?.(`checking ${name} of the backup (${sizeOf(manifest.files, name)})`);
    const database = openForReading(path);
    const problem = database.check();
    database.close();
    if (problem !== null) throw new FileError(`${path} is damaged: ${problem}; use another backup`);
  }
  return manifest;
}

function manifestIn(source: string, files: Files): Manifest {
  const path = join(source, MANIFEST);
  const text = files.read(path);
  if (text === null) {
    const takes = 'name the directory that `backup` has printed';
    throw new FileError(`${source} is no backup, since it has no ${MANIFEST}: ${takes}`);
  }
  try {
    const manifest = manifestSchema.parse(JSON.parse(text));
    // Earlier versions counted the manifest of a backup that somebody had copied into the data directory.
    return { ...manifest, files: manifest.files.filter(({ name }) => name !== MANIFEST) };
  } catch (error) {
    throw new FileError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** The last event of the journal that is there; null where there is none that can be read. */
function eventsIn(directory: string): number | null {
  try {
    const journal = openForReading(join(directory, JOURNAL));
    try {
      return lastEventIn(journal);
    } finally {
      journal.close();
    }
  } catch {
    return null;
  }
}

const markSchema = z.looseObject({ lastEvent: z.number() });

/** How far the journal in a directory went, as its mark says; null without one that can be read. */
function readMark(directory: string, files: Files): z.output<typeof markSchema> | null {
  try {
    return markSchema.parse(JSON.parse(files.read(join(directory, MARK)) ?? ''));
  } catch {
    return null;
  }
}

/**
 * The mark of the restored journal, with its letters for tags. One beyond the journal refuses the next start
 * until a person has accepted that the orders since the backup, and their keys, are not known.
 */
function setMark({ source, dataDirectory, files }: RestoreParts, lastEvent: number): void {
  const mark = readMark(source, files) ?? readMark(dataDirectory, files);
  files.replacePrivate(join(dataDirectory, MARK), `${JSON.stringify({ ...mark, lastEvent })}\n`);
}
