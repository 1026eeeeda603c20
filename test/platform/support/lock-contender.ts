import { workerData } from 'node:worker_threads';
import { createDataLock, DataLockError } from '../../../src/platform/data-lock.ts';
import { systemFiles } from '../../../src/platform/files.ts';

/** What the contenders for the same directories share. */
export interface Contest {
  readonly directories: readonly string[];
  readonly contenders: number;
  /** One shared number: how many contenders have reached the next line. */
  readonly line: Int32Array;
  /** Shared: by directory, how many got the lock. */
  readonly held: Int32Array;
}

const { directories, contenders, line, held } = workerData as Contest;
const lock = createDataLock(systemFiles);

let lines = 0;
/**
 * Waits until every contender is here. It waits busily, so that all continue within about a
 * microsecond.
 */
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
  // No contender releases its lock before all have tried.
  allHere();
  mine?.release();
});
