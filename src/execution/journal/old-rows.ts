import type { Cancel, Scheduler } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import type { EpochMs } from '../../units/branded.ts';

/** Which rows of a table go, oldest first. */
export interface Retention {
  /** Epoch ms: older ones go. */
  readonly before: EpochMs;
  /** So many of the newest ones stay, whatever their age: a clock may be wrong. */
  readonly atLeast: number;
  /** No more than so many stay, whatever their age. */
  readonly atMost: number;
}

export const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 3_600_000;
/** Removed at once: that takes some milliseconds, in which no order can be written. */
const STEP = 500;
const NEXT_STEP_MS = 1_000;

/** Runs a statement that removes rows, in one transaction. Throws where the database refuses; nothing has changed then. */
export function removeInOne(
  database: Database,
  remove: () => { readonly changes: number },
): number {
  database.begin();
  try {
    const { changes } = remove();
    database.commit();
    return changes;
  } catch (error) {
    database.rollback();
    throw error;
  }
}

export interface OldRowsParts {
  /** For the log: `events`. */
  readonly what: string;
  /** Removes at most `step` rows, and tells how many went. Throws where the database refuses. */
  readonly remove: (step: number) => number;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Removes rows that are old, a few at a time, from now on. The returned function ends that. */
export function removeOldRows({ what, remove, scheduler, log }: OldRowsParts): Cancel {
  function look(): number {
    try {
      return remove(STEP) === STEP ? NEXT_STEP_MS : LOOK_EVERY_MS;
    } catch (error) {
      const reason = messageOf(error);
      log.error(`old ${what} could not be removed; the gateway will try again`, { reason });
      return LOOK_EVERY_MS;
    }
  }

  let cancel: Cancel = scheduler.after(NEXT_STEP_MS, next);
  function next(): void {
    cancel = scheduler.after(look(), next);
  }
  return () => cancel();
}
