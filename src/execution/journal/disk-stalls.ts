import type { Clock } from '../../platform/clock.ts';
import type { ChangeStore } from '../../platform/single-writer.ts';
import { LONG_AGO } from '../../units/branded.ts';

/** A commit that takes longer than this has kept requests waiting. Most take some milliseconds. */
const STALL_MS = 5_000;
/** Requests that waited in their sockets meanwhile have been read by then. */
const READ_WITHIN_MS = 1_000;

/** Knows of commits that hung: this process reads no request while it waits for the disk. */
export interface DiskStalls {
  /** The same store; notes commits that hang. */
  watch<Change>(store: ChangeStore<Change>): ChangeStore<Change>;
  /** Whether a request that is read now may have waited for the disk since long before. */
  mayHaveWaited(): boolean;
}

export function createDiskStalls(clock: Clock): DiskStalls {
  let endedAt = LONG_AGO;
  return {
    watch: (store) => ({
      async commit(units) {
        const begun = clock.elapsed();
        const result = await store.commit(units);
        const ended = clock.elapsed();
        if (ended - begun > STALL_MS) endedAt = ended;
        return result;
      },
    }),
    mayHaveWaited: () => clock.elapsed() - endedAt < READ_WITHIN_MS,
  };
}
