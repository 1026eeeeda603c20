import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { plus } from '../../units/branded.ts';
import type { EventRows } from './event-rows.ts';
import { DAY_MS, removeOldRows } from './old-rows.ts';

/** How long events are kept (docs/events.md, "How long events are kept"). */
export const EVENTS_KEPT = { days: 30, atLeast: 10_000, atMost: 300_000 } as const;

export interface EventRetentionParts {
  readonly journal: Pick<EventRows, 'removeEvents'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Removes events that are old, a few at a time, from now on. The returned function ends that. */
export function removeOldEvents({ journal, clock, ...parts }: EventRetentionParts): Cancel {
  const { days, atLeast, atMost } = EVENTS_KEPT;
  const before = () => plus(clock.now(), -days * DAY_MS);
  const remove = (step: number): number =>
    journal.removeEvents({ before: before(), atLeast, atMost }, step);
  return removeOldRows({ ...parts, what: 'events', remove });
}
