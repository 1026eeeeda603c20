import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { publishFile, syncDirectory } from './files.ts';

/** Whole directories of files, for backups. All calls throw the errors of the file system. */

export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
}

/** The plain files of a directory, by name; null where there is no such directory. */
export function filesOf(directory: string): readonly ListedFile[] | null {
  if (!existsSync(directory)) return null;
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, bytes: statSync(join(directory, name)).size }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Copies a file; the copy is private, and on disk when the call returns. Never replaces a file. */
export function copyPrivately(from: string, to: string): void {
  if (existsSync(to)) throw new Error(`${to} exists`);
  publishFile(to, (temporary) => copyFileSync(from, temporary));
}

/**
 * Lets `write` fill a private directory under a temporary name, and renames it once it is whole: a
 * kill leaves a directory whose name ends with `.part`, or a whole one. Throws where `path` exists.
 */
export function publishDirectory<T>(path: string, write: (temporary: string) => T): T {
  if (existsSync(path)) throw new Error(`${path} exists already`);
  const temporary = `${path}.part`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  try {
    const result = write(temporary);
    syncDirectory(temporary);
    renameSync(temporary, path);
    syncDirectory(dirname(path));
    return result;
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/** Lets `use` work in a private directory with a name of its own, which is removed afterwards. */
export async function inTemporaryDirectory<T>(
  prefix: string,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(prefix);
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Moves files of one directory into another one of the same disk, which is made, private. */
export function moveFiles(names: readonly string[], from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) renameSync(join(from, name), join(to, name));
  syncDirectory(to);
  syncDirectory(from);
}

/** What tells a file from a copy of it. */
export interface FileIdentity {
  /** Its number in the file system: a rename keeps it, and a mount under another path too. */
  readonly inode: string;
  /** When the file system made it, ns since 1970, or what it has in place of that. */
  readonly born: string;
}

export type Identify = (path: string) => FileIdentity | null;

/** Null where there is no such file. */
export const identifyFile: Identify = (path) => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : { inode: String(found.ino), born: String(found.birthtimeNs) };
};
