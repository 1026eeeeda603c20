import { type Database, type DatabaseOpener, openDatabase } from '../../src/platform/database.ts';
import type { DiskSpace } from '../../src/platform/disk-reserve.ts';

/**
 * A database whose disk can become full: then no commit succeeds, until it has space again. Before that,
 * it can become nearly full, so that the database uses its reserve.
 */
export interface FailingDatabase {
  readonly database: Database;
  fail(): void;
  /** Becomes full once one more commit has succeeded. */
  failAfterNext(): void;
  /** The next commit fails at its sync: nobody knows that it is written, and a crash may leave it there. */
  failNextSync(): void;
  /** Can no more be written or read. */
  vanish(): void;
  heal(): void;
  leave(space: DiskSpace): void;
}

export function failingDatabase(real: Database): FailingDatabase {
  let full = false;
  let isSyncLost = false;
  let fillsUp = false;
  let space: DiskSpace = 'ample';
  let isGone = false;
  const mustBeThere = (): void => {
    if (isGone) throw new Error('disk I/O error');
  };
  return {
    database: {
      ...real,
      begin() {
        mustBeThere();
        real.begin();
      },
      prepare(sql) {
        const statement = real.prepare(sql);
        return {
          run: statement.run,
          all(...values) {
            mustBeThere();
            return statement.all(...values);
          },
          get(...values) {
            mustBeThere();
            return statement.get(...values);
          },
        };
      },
      reserve: { look: () => space, release: () => false },
      commit() {
        if (full) throw new Error('database or disk is full');
        real.commit();
        full = fillsUp;
        fillsUp = false;
        if (!isSyncLost) return;
        isSyncLost = false;
        throw new Error('disk I/O error');
      },
    },
    fail() {
      full = true;
    },
    failAfterNext() {
      fillsUp = true;
    },
    failNextSync() {
      isSyncLost = true;
    },
    vanish() {
      isGone = true;
    },
    heal() {
      full = false;
      isGone = false;
    },
    leave(left) {
      space = left;
    },
  };
}

/** Opens every database as it is, but the journal on a disk that can fail. */
export function failingJournal(): {
  readonly openDatabase: DatabaseOpener;
  /** The disk of the journal that the present life has opened. */
  readonly disk: () => FailingDatabase;
} {
  let disk: FailingDatabase | null = null;
  return {
    openDatabase(path) {
      const database = openDatabase(path);
      if (!path.endsWith('journal.db')) return database;
      disk = failingDatabase(database);
      return disk.database;
    },
    disk: () => disk!,
  };
}
