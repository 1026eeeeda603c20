import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import { plus } from '../../units/branded.ts';
import type { EventRows } from './event-rows.ts';

/** How long events are kept (docs/events.md, "How long events are kept"). */
export const EVENTS_KEPT = { days: 30, atLeast: 10_000, atMost: 300_000 } as const;

const LOOK_EVERY_MS = 3_600_000;
/** Removed at once: that takes some milliseconds, in which no order can be written. */
const STEP = 500;
const NEXT_STEP_MS = 1_000;
const DAY_MS = 86_400_000;

export interface EventRetentionParts {
  readonly journal: Pick<EventRows, 'removeEvents'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Removes events that are old, a few at a time, from now on. The returned function ends that. */
export function removeOldEvents({ journal, clock, scheduler, log }: EventRetentionParts): Cancel {
  const { days, atLeast, atMost } = EVENTS_KEPT;

  function look(): number {
    const before = plus(clock.now(), -days * DAY_MS);
    try {
      const removed = journal.removeEvents({ before, atLeast, atMost }, STEP);
      return removed === STEP ? NEXT_STEP_MS : LOOK_EVERY_MS;
    } catch (error) {
      const reason = messageOf(error);
      log.error('old events could not be removed; the gateway will try again', { reason });
      return LOOK_EVERY_MS;
    }
  }

  let cancel: Cancel = scheduler.after(NEXT_STEP_MS, next);
  function next(): void {
    cancel = scheduler.after(look(), next);
  }
  return () => cancel();
}
