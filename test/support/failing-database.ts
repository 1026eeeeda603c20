import type { Database } from '../../src/platform/database.ts';

/** A database whose disk can become full: then no commit succeeds, until it has space again. */
export interface FailingDatabase {
  readonly database: Database;
  fail(): void;
  heal(): void;
}

export function failingDatabase(real: Database): FailingDatabase {
  let full = false;
  return {
    database: {
      ...real,
      commit() {
        if (full) throw new Error('database or disk is full');
        real.commit();
      },
    },
    fail() {
      full = true;
    },
    heal() {
      full = false;
    },
  };
}
