import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Files } from './files.ts';

/** Another process has the data directory. */
export class DataLockError extends Error {
  override readonly name = 'DataLockError';
}

/** Holds a data directory for this process alone, until it is released or the process ends. */
export type DataLock = (directory: string) => { release(): void };

/**
 * The lock is the kernel's, taken through a database file that holds nothing: it is gone the moment
 * its holder is, however that ended. Who holds it stands in a file beside it, for the message only.
 */
export function createDataLock(files: Files): DataLock {
  return (directory) => {
    const holder = join(directory, 'gateway.pid');
    const database = new DatabaseSync(join(directory, 'gateway.lock'));
    try {
      database.exec('PRAGMA busy_timeout = 0');
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      const pid = files.read(holder)?.trim();
      throw new DataLockError(
        `the data directory ${directory} is in use by ${pid ? `process ${pid}` : 'another process'}`,
        { cause: error },
      );
    }
    files.replacePrivate(holder, `${process.pid}\n`);
    return {
      release() {
        files.remove(holder);
        database.exec('ROLLBACK');
        database.close();
      },
    };
  };
}
