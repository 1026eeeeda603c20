import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import type { ReminderFile } from './reminder-file.ts';
import { deliver, lookOften } from './slots.ts';
import {
  type AccountPositions,
  dueSquareOffs,
  squareOffText,
  squareOffTimes,
  type SquareOffSettings,
} from './square-off.ts';

export interface SquareOffReminderParts {
  readonly messenger: Messenger;
  readonly cron: Cron;
  readonly file: ReminderFile;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: SquareOffSettings;
  /** Reads what the live accounts hold. Never rejects: what cannot be read says so. */
  readonly accounts: () => Promise<readonly AccountPositions[]>;
}

/**
 * Reminds of intraday positions some minutes before the broker closes them (docs/reminder.md), once for
 * each such time. Without any it looks again each minute until then: one may be opened.
 */
export function createSquareOffReminder(parts: SquareOffReminderParts): Disposable {
  const { file, clock, log, settings } = parts;

  async function remind(signal: AbortSignal): Promise<void> {
    const dueNow = () => dueSquareOffs({ now: clock.now(), settings, records: file.records() });
    if (dueNow().length === 0) return;
    const accounts = await parts.accounts();
    if (signal.aborted) return;
    // The reads may have taken until after one of the times.
    for (const due of dueNow()) {
      const text = squareOffText(due, accounts, clock.now());
      if (text === null) continue;
      const { key, again } = due;
      const message = { key, covers: [], again, text, what: 'a square-off reminder' };
      if (await deliver(parts, message, signal)) {
        log.info('reminded of intraday positions', { day: key });
      }
    }
  }

  const times = squareOffTimes(settings);
  return lookOften({ ...parts, times, what: 'the square-off reminder', look: remind });
}
