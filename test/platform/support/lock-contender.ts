import { workerData } from 'node:worker_threads';
import { createDataLock, DataLockError } from '../../../src/platform/data-lock.ts';
import { systemFiles } from '../../../src/platform/files.ts';

/** What contenders for the same directories share. */
export interface Contest {
  readonly directories: readonly string[];
  readonly contenders: number;
  /** How many have come to the next line; of one number, shared. */
  readonly line: Int32Array;
  /** By directory: how many got it; shared. */
  readonly held: Int32Array;
}

const { directories, contenders, line, held } = workerData as Contest;
const lock = createDataLock(systemFiles);

let lines = 0;
/** Waits until every contender is here; awake, so that all go on within a microsecond or so. */
function allHere(): void {
  lines += 1;
  Atomics.add(line, 0, 1);
  while (Atomics.load(line, 0) < lines * contenders);
}

directories.forEach((directory, at) => {
  allHere();
  let mine: { release(): void } | null = null;
  try {
    mine = lock(directory);
    Atomics.add(held, at, 1);
  } catch (error) {
    if (!(error instanceof DataLockError)) throw error;
  }
  // Nobody lets go before everybody has tried.
  allHere();
  mine?.release();
});
