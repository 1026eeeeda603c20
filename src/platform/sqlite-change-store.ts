import type { Database } from './database.ts';
import type { ChangeStore } from './single-writer.ts';

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
