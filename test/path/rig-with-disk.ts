import { type FailingDatabase, failingJournal } from '../support/failing-database.ts';
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
  const journal = failingJournal();
  const rig = await loggedInRig({
    environment,
    overrides: { openDatabase: journal.openDatabase },
  });
  return { rig, disk: journal.disk, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}
