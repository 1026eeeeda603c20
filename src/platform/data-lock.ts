import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fieldOf, messageOf } from './values.ts';
import { type Files, ownerOf as ownerOfFile } from './files.ts';

/** This process cannot get exclusive use of the data directory. */
export class DataLockError extends Error {
  override readonly name = 'DataLockError';
  /** Whether another process holds it; false where it cannot be taken for another reason. */
  readonly isHeld: boolean;

  constructor(message: string, options?: ErrorOptions & { readonly isHeld?: boolean }) {
    super(message, options);
    this.isHeld = options?.isHeld ?? false;
  }
}

/**
 * Reserves a data directory for this process until it is released or the process ends. Throws
 * DataLockError when another process holds the lock, or when the lock cannot be taken.
 */
export type DataLock = (directory: string) => { release(): void };

/** SQLite's code for a lock that another process holds. Any other code is another failure. */
const SQLITE_BUSY = 5;

/**
 * The operating system holds the lock, on an empty database file: it is released when its process
 * ends, however it ends. A file beside it names the holder, for the message only.
 */
export function createDataLock(files: Files, ownerOf: OwnerOf = ownerOfFile): DataLock {
  return (directory) => {
    const holder = join(directory, 'gateway.pid');
    const database = take(directory, () => files.read(holder)?.trim() || null);
    try {
      // No other process writes here now: a half-written file is left over from one that has ended.
      files.removeLeftovers(directory);
    } catch (error) {
      database.close();
      throw error;
    }
    nameHolder(files, holder);
    const release = (): void => {
      files.remove(holder);
      database.exec('ROLLBACK');
      database.close();
    };
    try {
      refuseOtherUser(directory, holder, ownerOf);
    } catch (error) {
      release();
      throw error;
    }
    return { release };
  };
}

/** The number of the user that a file belongs to; null where that cannot be told. */
export type OwnerOf = (path: string) => number | null;

/**
 * Root may write everywhere, and what it replaces here is root's alone: the next start of the gateway, as the user of
 * before, could not read its own keys. The lock file is made once and never replaced, and `holder` was made by this
 * process just now, so that this also holds where a file system gives its files owners of its own.
 */
function refuseOtherUser(directory: string, holder: string, ownerOf: OwnerOf): void {
  const [owner, own] = [ownerOf(join(directory, 'gateway.lock')), ownerOf(holder)];
  if (owner === null || own === null || owner === own) return;
  throw new DataLockError(
    `the gateway of the data directory ${directory} is run by user ${owner}, and this is user ${own}: that one could not read ` +
      `what is written now. Run this as user ${owner}, such as with sudo -u '#${owner}', or give ${directory} and all in it to user ${own}`,
  );
}

/** On a full disk the holder has no name: the lock holds all the same, and orders wait for this start. */
function nameHolder(files: Files, path: string): void {
  try {
    files.replacePrivate(path, `${process.pid}\n`);
  } catch {
    files.remove(path);
  }
}

function take(directory: string, holder: () => string | null): DatabaseSync {
  const path = join(directory, 'gateway.lock');
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA busy_timeout = 0');
    // Not EXCLUSIVE, which is taken in steps and fails while there are readers: two processes that
    // start at the same moment could each block the other, and neither would get the lock.
    database.exec('BEGIN IMMEDIATE');
    return database;
  } catch (error) {
    database?.close();
    const errcode = fieldOf(error, 'errcode');
    // The lowest byte is the primary result code; the other bytes refine it.
    if (typeof errcode !== 'number' || (errcode & 0xff) !== SQLITE_BUSY) {
      throw new DataLockError(
        `the lock ${path} cannot be taken: ${messageOf(error)}; ` +
          'check the permissions of the file and its disk',
        { cause: error },
      );
    }
    const pid = holder();
    const who = pid === null ? 'another process' : `process ${pid}`;
    throw new DataLockError(
      `the data directory ${directory} is in use by ${who}: stop it, or set APP_DATA_DIR to another one`,
      { cause: error, isHeld: true },
    );
  }
}
