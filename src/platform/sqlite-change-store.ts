import type { Database } from './database.ts';
import type { ChangeStore } from './single-writer.ts';

/**
 * Changes written to an SQL database: one transaction for all units, a savepoint for each, so that
 * a unit that the database refuses takes none of the others with it.
 */
export function createSqliteChangeStore<Change>(
  database: Database,
  write: (change: Change) => void,
): ChangeStore<Change> {
  const savepoint = database.prepare('SAVEPOINT unit');
  const release = database.prepare('RELEASE unit');

  function writeUnit(unit: readonly Change[]): void {
    savepoint.run();
    try {
      for (const change of unit) write(change);
    } catch (error) {
      database.exec('ROLLBACK TO unit');
      database.exec('RELEASE unit');
      throw error;
    }
    release.run();
  }

  function commitUnits(units: readonly (readonly Change[])[]): {
    committed: number;
    error: unknown;
  } {
    let written = 0;
    let refusal: unknown = null;
    try {
      database.begin();
      for (const unit of units) {
        try {
          writeUnit(unit);
        } catch (error) {
          refusal = error;
          break;
        }
        written += 1;
      }
      database.commit();
      return { committed: written, error: refusal };
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
    // The transaction is already gone with the error that brought us here.
  }
}
