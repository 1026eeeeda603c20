import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  constants,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  accessSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './values.ts';

/** A file cannot be used as it is. The message names the file and says how to correct it. */
export class FileError extends Error {
  override readonly name: string = 'FileError';
}

/** A file that holds a secret can be read by other users: the gateway does not use it. */
export class UnsafeFileError extends FileError {
  override readonly name = 'UnsafeFileError';
}

/** Free bytes for this process on the disk that holds a path; 0 where that is unknown. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Small files that must be whole or absent. All calls throw the errors of the file system. */
export interface Files {
  /** Creates a directory that only its owner may enter (0700), with its parents. */
  makePrivateDirectory(path: string): void;
  /** A new private directory under the host's temporary one. */
  makeTemporaryDirectory(prefix: string): string;
  /** Null when there is no such file. */
  read(path: string): string | null;
  /** Like `read`; throws UnsafeFileError when group or others may read or write the file. */
  readPrivate(path: string): string | null;
  /**
   * Replaces a file in one step, with mode 0600: a kill at any moment leaves the old content or the
   * new one on disk, never a part. (Temporary file beside it, fsync, rename, fsync of the
   * directory.)
   */
  replacePrivate(path: string, content: string): void;
  /**
   * Removes the temporary files that a kill during `replacePrivate` left in a directory: they may
   * hold a secret. Only the one process that writes there may call this.
   */
  removeLeftovers(directory: string): void;
  remove(path: string): void;
}

/**
 * The names of `replacePrivate`'s temporary files: hidden, with process id and eight random digits.
 */
const LEFTOVER = /^\..+\.\d+\.[0-9a-f]{8}\.tmp$/;

export const systemFiles: Files = {
  makePrivateDirectory(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK | constants.R_OK);
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
  },

  makeTemporaryDirectory: (prefix) => mkdtempSync(join(tmpdir(), prefix)),

  read,

  readPrivate(path) {
    const content = read(path);
    if (content === null) return null;
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0) {
      throw new UnsafeFileError(
        `${path} can be read or written by others (mode ${mode.toString(8)}); ` +
          `make it private with: chmod 600 ${path}`,
      );
    }
    return content;
  },

  replacePrivate(path, content) {
    const temporary = join(
      dirname(path),
      `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`,
    );
    try {
      const file = openSync(temporary, 'wx', 0o600);
      try {
        writeFileSync(file, content);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    syncDirectory(dirname(path));
  },

  removeLeftovers(directory) {
    const left = readdirSync(directory).filter((name) => LEFTOVER.test(name));
    for (const name of left) rmSync(join(directory, name), { force: true });
    if (left.length > 0) syncDirectory(directory);
  },

  remove(path) {
    rmSync(path, { force: true });
    syncDirectory(dirname(path));
  },
};

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Lets `write` create a file under a temporary name, makes it private, and renames it once it is on
 * disk. An existing file is kept: the new one then gets the first free name of `path.2`, `path.3`,
 * … Returns its path.
 */
export function publishFile(path: string, write: (temporary: string) => void): string {
  const temporary = `${path}.part`;
  rmSync(temporary, { force: true });
  try {
    write(temporary);
    chmodSync(temporary, 0o600);
    const file = openSync(temporary, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    const name = freeName(path);
    renameSync(temporary, name);
    syncDirectory(dirname(path));
    return name;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function freeName(path: string): string {
  for (let number = 2, name = path; ; number += 1) {
    if (!existsSync(name)) return name;
    name = `${path}.${number}`;
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
