import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { FileError, freeBytes, publishFile } from './files.ts';
import type { ChangeStore } from './single-writer.ts';
import { messageOf } from './values.ts';

export type SqlValue = SQLInputValue;
export type Row = Readonly<Record<string, unknown>>;

export interface Statement {
  run(...values: SqlValue[]): { readonly changes: number };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
}

/**
 * An embedded SQL database whose commits are durable when they return (WAL, synchronous=FULL).
 * `commit` is a separate call, so that a simulation can crash the gateway before and after it.
 */
export interface Database {
  readonly path: string;
  exec(sql: string): void;
  prepare(sql: string): Statement;
  begin(): void;
  commit(): void;
  rollback(): void;
  /**
   * Copies the committed content to `path`. The copy is private, and on disk when the call returns.
   * An existing file is kept: the copy then gets the first free name of `path.2`, `path.3`, …
   * Returns the copy's path.
   */
  copyTo(path: string): string;
  close(): void;
}

export type DatabaseOpener = (path: string) => Database;

/** Opens or creates a file. Throws when the file is not a database or cannot be locked. */
export const openDatabase: DatabaseOpener = (path) => open(path, 8_000, false);

/**
 * Like openDatabase, and allocates the write-ahead log beforehand. A commit that only overwrites
 * does not wait for the file system to allocate blocks, which takes as long as the sync itself.
 */
export const openRoomyDatabase: DatabaseOpener = (path) => open(path, LOG_PAGES, true);

/** 16 MB. SQLite copies a full log into the database and starts it again, so it does not grow. */
const LOG_PAGES = 4_000;

function open(path: string, checkpointPages: number, roomy: boolean): Database {
  try {
    return openFile(path, checkpointPages, roomy);
  } catch (error) {
    const reason = messageOf(error);
    throw new FileError(`${path} cannot be used: ${reason}`, { cause: error });
  }
}

function openFile(path: string, checkpointPages: number, roomy: boolean): Database {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA busy_timeout = 2000');
  // Copying the log into the database costs two more syncs, so it is done seldom, for many pages.
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  if (roomy) makeRoom(database, path);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  return {
    path,
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => ({ changes: Number(statement.run(...values).changes) }),
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
      };
    },
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollback() {
      if (database.isTransaction) database.exec('ROLLBACK');
    },
    copyTo: (target) =>
      publishFile(target, (temporary) => {
        database.prepare('VACUUM INTO ?').run(temporary);
      }),
    close: () => database.close(),
  };
}

const LEAVE_FREE_BYTES = 256 * 1_024 * 1_024;

/** Without that much free disk space the gateway starts all the same. */
function makeRoom(database: DatabaseSync, path: string): void {
  // The last megabytes of a disk are kept for the journal's own writes.
  if (freeBytes(path) < LEAVE_FREE_BYTES) return;
  try {
    database.exec('BEGIN IMMEDIATE; CREATE TABLE reserved (bytes BLOB)');
    database.exec(`INSERT INTO reserved VALUES (zeroblob(${LOG_PAGES * 4_096}))`);
    database.exec('DROP TABLE reserved; COMMIT; PRAGMA wal_checkpoint(RESTART)');
  } catch {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}

/**
 * Writes changes to an SQL database, in one transaction for all units. When the database refuses a
 * unit, the units before it are written again without it. That is rare, so no unit has its own
 * savepoint.
 */
export function createSqliteChangeStore<Change>(
  database: Database,
  write: (change: Change) => void,
): ChangeStore<Change> {
  type Units = readonly (readonly Change[])[];

  /** Writes units until the database refuses one; commits nothing. */
  function writeUnits(units: Units): { written: number; refusal: unknown } {
    for (const [written, unit] of units.entries()) {
      try {
        for (const change of unit) write(change);
      } catch (refusal) {
        return { written, refusal };
      }
    }
    return { written: units.length, refusal: null };
  }

  function commitUnits(units: Units): { committed: number; error: unknown } {
    try {
      database.begin();
      const { written, refusal } = writeUnits(units);
      if (refusal === null) {
        database.commit();
        return { committed: written, error: null };
      }
      database.rollback();
      return { committed: commitUnits(units.slice(0, written)).committed, error: refusal };
    } catch (error) {
      rollback(database);
      return { committed: 0, error };
    }
  }

  return { commit: (units) => Promise.resolve(commitUnits(units)) };
}

function rollback(database: Database): void {
  try {
    database.rollback();
  } catch {
    // The error that led here has already ended the transaction.
  }
}
