import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fieldOf } from './fields.ts';
import type { Files } from './files.ts';
import { messageOf } from './thrown.ts';

/** The data directory cannot be had for this process alone. */
export class DataLockError extends Error {
  override readonly name = 'DataLockError';
}

/**
 * Holds a data directory for this process alone, until it is released or the process ends. Throws
 * DataLockError when another process has it, or when the lock cannot be taken at all.
 */
export type DataLock = (directory: string) => { release(): void };

/** SQLite's own number for "somebody else has it"; any other failure is none of another process. */
const SQLITE_BUSY = 5;

/**
 * The lock is the kernel's, taken through a database file that holds nothing: it is gone the moment
 * its holder is, however that ended. Who holds it stands in a file beside it, for the message only.
 */
export function createDataLock(files: Files): DataLock {
  return (directory) => {
    const holder = join(directory, 'gateway.pid');
    const database = take(directory, () => files.read(holder)?.trim() || null);
    try {
      // Nobody else writes here now, so what is half written was left by a process that is gone.
      files.removeLeftovers(directory);
      files.replacePrivate(holder, `${process.pid}\n`);
    } catch (error) {
      database.close();
      throw error;
    }
    return {
      release() {
        files.remove(holder);
        database.exec('ROLLBACK');
        database.close();
      },
    };
  };
}

function take(directory: string, holder: () => string | null): DatabaseSync {
  const path = join(directory, 'gateway.lock');
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    database.exec('PRAGMA busy_timeout = 0');
    // Not EXCLUSIVE, which is taken in steps and needs every reader gone: of two that start in the
    // same instant, each can find the other half-way, and then nobody gets it.
    database.exec('BEGIN IMMEDIATE');
    return database;
  } catch (error) {
    database?.close();
    const errcode = fieldOf(error, 'errcode');
    // The lowest byte is the kind; the others say more of the same.
    if (typeof errcode !== 'number' || (errcode & 0xff) !== SQLITE_BUSY) {
      throw new DataLockError(`the lock ${path} cannot be taken: ${messageOf(error)}`, {
        cause: error,
      });
    }
    const pid = holder();
    const who = pid === null ? 'another process' : `process ${pid}`;
    throw new DataLockError(`the data directory ${directory} is in use by ${who}`, {
      cause: error,
    });
  }
}
