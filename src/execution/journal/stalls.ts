import {
  ageOf,
  type Cancel,
  type Clock,
  type Moment,
  momentOf,
  type Scheduler,
} from '../../platform/clock.ts';
import type { ChangeStore } from '../../platform/single-writer.ts';
import { LONG_AGO } from '../../units/branded.ts';

/** What takes longer than this has kept requests waiting. */
const STALL_MS = 5_000;
/** How often it is looked whether the process has stood still: one that stands still does not look. */
const LOOK_MS = 3_000;
/** Requests that waited in their sockets meanwhile have been read by then. */
const READ_WITHIN_MS = 1_000;

/**
 * Knows of times in which this process read no request: a commit that hung, a process that was stopped, a
 * computer that slept.
 */
export interface Stalls {
  /** The same store; notes commits that hang. */
  watch<Change>(store: ChangeStore<Change>): ChangeStore<Change>;
  /** Whether a request that is read now may have waited since long before. */
  mayHaveWaited(): boolean;
  /** Begins to look; not before the journal has been read. */
  start(): void;
  stop(): void;
}

export function createStalls({
  clock,
  scheduler,
}: {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}): Stalls {
  let endedAt = LONG_AGO;
  let looked: Moment = momentOf(clock);
  let cancel: Cancel = () => undefined;

  /** By both clocks: while the computer sleeps, the running one stands still. */
  function look(): void {
    if (ageOf(clock, looked) > LOOK_MS + STALL_MS) endedAt = clock.elapsed();
    looked = momentOf(clock);
  }

  function lookLater(): void {
    cancel = scheduler.after(LOOK_MS, () => {
      look();
      lookLater();
    });
  }

  return {
    start() {
      looked = momentOf(clock);
      lookLater();
    },
    watch: (store) => ({
      async commit(units) {
        const begun = momentOf(clock);
        const result = await store.commit(units);
        if (ageOf(clock, begun) > STALL_MS) endedAt = clock.elapsed();
        return result;
      },
    }),
    mayHaveWaited() {
      // Sockets can be read before the timer fires.
      look();
      return clock.elapsed() - endedAt < READ_WITHIN_MS;
    },
    stop: () => cancel(),
  };
}
