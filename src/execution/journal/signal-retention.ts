import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { plus } from '../../units/branded.ts';
import { DAY_MS, removeOldRows } from './old-rows.ts';
import type { SignalRows } from './signal-table.ts';

/** How long signals are kept (docs/signals.md, "How long signals are kept"). */
export const SIGNALS_KEPT = { days: 30, atLeast: 10_000, atMost: 50_000 } as const;

export interface SignalRetentionParts {
  readonly journal: Pick<SignalRows, 'removeSignals'>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Removes signals that are old, a few at a time, from now on. The returned function ends that. */
export function removeOldSignals({ journal, clock, ...parts }: SignalRetentionParts): Cancel {
  const { days, atLeast, atMost } = SIGNALS_KEPT;
  const before = () => plus(clock.now(), -days * DAY_MS);
  const remove = (step: number): number =>
    journal.removeSignals({ before: before(), atLeast, atMost }, step);
  return removeOldRows({ ...parts, what: 'signals', remove });
}
