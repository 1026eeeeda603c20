import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  constants,
  fstatSync,
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
  type Stats,
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

/** A file could not be written: it is as it was, or there is none. */
export class FileWriteError extends FileError {
  override readonly name = 'FileWriteError';

  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${path} cannot be written (${reason}): check the disk and the rights of its directory`, {
      cause,
    });
  }
}

/** Free bytes for this process on the disk that holds a file; null where the file system does not say. */
export function freeBytes(path: string): number | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(dirname(path));
    return blocks === 0 ? null : bavail * bsize;
  } catch {
    return null;
  }
}

/** From now on, what this process creates is for its user only, also where a library creates it. */
export function keepNewFilesPrivate(): void {
  process.umask(0o077);
}

/** The mode, in octal, of a file that group or others may read or write; null where it is private. */
export function modeOpenToOthers(path: string): string | null {
  const mode = statSync(path).mode & 0o777;
  return isOpenToOthers(mode) ? mode.toString(8) : null;
}

/** The number of the user that a file belongs to; null where that cannot be told. */
export function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
  }
}

export interface NamedFile {
  readonly content: string;
  /** False when group or others may read or write it. */
  readonly isPrivate: boolean;
}

/** Small files that must be whole or absent. All calls throw the errors of the file system. */
export interface Files {
  /** Creates a directory that only its owner may enter (0700), with its parents. */
  makePrivateDirectory(path: string): void;
  /** A new private directory under the host's temporary one. */
  makeTemporaryDirectory(prefix: string): string;
  /**
   * Throws UnsafeFileError when the directory holds a symbolic link, a pipe, a socket or a device: one
   * opens a file of another place, and the others can block whoever opens them.
   */
  checkDirectory(path: string): void;
  /**
   * Null when there is no such file. Throws UnsafeFileError for anything that `checkDirectory` refuses,
   * and does not wait for it.
   */
  read(path: string): string | null;
  /** Like `read`; throws UnsafeFileError when group or others may read or write the file. */
  readPrivate(path: string): string | null;
  /** A file that the user names, which may be a link or a pipe; null when there is none. */
  readNamed(path: string): NamedFile | null;
  /**
   * Replaces a file in one step, with mode 0600: a kill at any moment leaves the old content or the
   * new one on disk, never a part. (Temporary file beside it, fsync, rename, fsync of the
   * directory.) Throws FileWriteError where the file is as it was.
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
    makeDirectories(path);
    accessSync(path, constants.W_OK | constants.X_OK | constants.R_OK);
    const mode = statSync(path).mode & 0o777;
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
  },

  makeTemporaryDirectory: (prefix) => mkdtempSync(join(tmpdir(), prefix)),

  checkDirectory(path) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (!entry.isFile() && !entry.isDirectory()) throw notAFile(join(path, entry.name));
    }
  },

  read: (path) => readOwn(path)?.content ?? null,

  readPrivate(path) {
    const found = readOwn(path);
    if (found === null) return null;
    if (isOpenToOthers(found.mode)) {
      throw new UnsafeFileError(
        `${path} can be read or written by others (mode ${found.mode.toString(8)}); ` +
          `make it private with: chmod 600 ${path}`,
      );
    }
    return found.content;
  },

  readNamed(path) {
    const found = readOpened(() => openSync(path, 'r'));
    return found && { content: found.content, isPrivate: !isOpenToOthers(found.mode) };
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
      throw new FileWriteError(path, error);
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

/**
 * One directory after the other: Node's own recursive call never returns where the file system answers
 * "no such file or directory" to every attempt, as /proc does.
 */
function makeDirectories(path: string): void {
  const make = (): unknown => mkdirSync(path, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && statSync(path).isDirectory()) return;
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeDirectories(dirname(path));
    make();
  }
}

/** Content and permission bits of a file of ours; null when there is none. */
function readOwn(path: string): { content: string; mode: number } | null {
  // Opening a link fails, and opening a pipe does not wait for somebody to write into it.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return readOpened(
      () => openSync(path, flags),
      (stat) => {
        if (!stat.isFile() && !stat.isDirectory()) throw notAFile(path);
      },
    );
  } catch (error) {
    // ELOOP: a link; ENXIO: a socket.
    if (['ELOOP', 'ENXIO'].includes(codeOf(error) ?? '')) throw notAFile(path);
    throw error;
  }
}

function readOpened(open: () => number, check: (stat: Stats) => void = () => undefined) {
  let file: number | null = null;
  try {
    file = open();
    const stat = fstatSync(file);
    check(stat);
    return { content: readFileSync(file, 'utf8'), mode: stat.mode & 0o777 };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function isOpenToOthers(mode: number): boolean {
  return (mode & 0o077) !== 0;
}

function notAFile(path: string): UnsafeFileError {
  return new UnsafeFileError(
    `${path} is a symbolic link, a pipe, a socket or a device, and only files may be there: ` +
      'remove it, or put the file itself in its place (APP_DATA_DIR itself may be a link)',
  );
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

/** Names of files that were made, renamed or removed are on disk when the call returns. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
