import { openDatabase } from '../../src/platform/database.ts';
import { failingDatabase, type FailingDatabase } from '../support/failing-database.ts';
import type { Rig } from '../support/rig.ts';
import { loggedInRig } from './walk.ts';

/** A rig whose journal is on a disk that can be full. */
export interface RigWithDisk extends AsyncDisposable {
  readonly rig: Rig;
  /** The journal's, as the present life has it. */
  readonly disk: () => FailingDatabase;
}

export async function rigWithDisk(
  environment: Readonly<Record<string, string>> = {},
): Promise<RigWithDisk> {
  let disk: FailingDatabase | null = null;
  const rig = await loggedInRig({
    environment,
    overrides: {
      openDatabase(path) {
        const database = openDatabase(path);
        if (!path.endsWith('journal.db')) return database;
        disk = failingDatabase(database);
        return disk.database;
      },
    },
  });
  return { rig, disk: () => disk!, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}
