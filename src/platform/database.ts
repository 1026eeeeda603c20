import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type DiskReserve, keepReserve, type Room } from './disk-reserve.ts';
import { FileError, publishFile } from './files.ts';
import type { ChangeStore } from './single-writer.ts';
import { fieldOf, messageOf } from './values.ts';

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
  /** The room that it keeps for a disk that is full; null for one that keeps none. */
  readonly reserve: DiskReserve | null;
  close(): void;
}

export type DatabaseOpener = (path: string, room: Room) => Database;

/** Opens or creates a file. Throws when the file is not a database or cannot be locked. */
export const openDatabase = (path: string): Database => open(path, null);

/** Like openDatabase, and keeps room on the disk (disk-reserve.ts). */
export const openRoomyDatabase: DatabaseOpener = (path, room) => open(path, room);

/** A database that another process may be using, for a copy of it. */
export interface DatabaseReader extends Pick<Database, 'copyTo' | 'close'> {
  prepare(sql: string): Pick<Statement, 'get' | 'all'>;
  /** What is wrong with the file; null when nothing is. */
  check(): string | null;
}

/** Opens an existing file for reading alone. No commit of another process waits for it. */
export function openForReading(path: string): DatabaseReader {
  const database = new DatabaseSync(path, { readOnly: true });
  return {
    prepare: (sql) => database.prepare(sql),
    check() {
      try {
        const found = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
        return found === 'ok' ? null : String(found);
      } catch (error) {
        return messageOf(error);
      }
    },
    copyTo: (target) => copyTo(database, target),
    close: () => database.close(),
  };
}

const copyTo = (database: DatabaseSync, target: string): string =>
  publishFile(target, (temporary) => {
    database.prepare('VACUUM INTO ?').run(temporary);
  });

/** How long the opening waits for another process that uses the file, such as a gateway that is ending. */
const OPENING_WAIT_MS = 2_000;
/** A commit waits for another process, such as a backup, in this thread: everything else stands still. */
const COMMIT_WAIT_MS = 200;

/** Without room of its own, the log is copied into the database when it has so many pages. */
const PLAIN_LOG_PAGES = 8_000;

function open(path: string, room: Room | null): Database {
  try {
    return openFile(path, room);
  } catch (error) {
    const reason = messageOf(error);
    throw new FileError(`${path} cannot be used: ${reason}`, { cause: error });
  }
}

function openFile(path: string, room: Room | null): Database {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec(`PRAGMA busy_timeout = ${OPENING_WAIT_MS}`);
  // Copying the log into the database costs two more syncs, so it is done seldom, for many pages.
  database.exec(`PRAGMA wal_autocheckpoint = ${PLAIN_LOG_PAGES}`);
  const reserve = room && keepReserve(database, path, room);
  database.exec(`PRAGMA busy_timeout = ${COMMIT_WAIT_MS}`);
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
    copyTo: (target) => copyTo(database, target),
    reserve,
    close: () => database.close(),
  };
}

/**
 * Writes changes to an SQL database, in one transaction for all units. When the database refuses a
 * unit, the units before it are written again without it. That is rare, so no unit has its own
 * savepoint. Where the disk is full, the reserve is freed and the units are written once more.
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

  function commitWithReserve(units: Units): { committed: number; error: unknown } {
    database.reserve?.look();
    const first = commitUnits(units);
    if (!isFull(first.error) || database.reserve?.release() !== true) return first;
    const { committed, error } = commitUnits(units.slice(first.committed));
    return { committed: first.committed + committed, error };
  }

  return { commit: (units) => Promise.resolve(commitWithReserve(units)) };
}

const SQLITE_FULL = 13;
const isFull = (error: unknown): boolean => fieldOf(error, 'errcode') === SQLITE_FULL;

function rollback(database: Database): void {
  try {
    database.rollback();
  } catch {
    // The error that led here has already ended the transaction.
  }
}
