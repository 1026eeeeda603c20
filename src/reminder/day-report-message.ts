import type { DayReport } from '../domain/day-report.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import type { TradingDay } from '../units/branded.ts';
import { dayReportText, dueReport, REPORT_TIMES } from './day-report.ts';
import type { ReminderFile } from './reminder-file.ts';
import { deliver, lookOften, settled } from './slots.ts';

export interface DayReportMessageParts {
  readonly messenger: Messenger;
  readonly cron: Cron;
  readonly file: ReminderFile;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** The exchanges of what was traded or held on the day. */
  readonly exchanges: () => readonly string[];
  /** The report of all accounts. */
  readonly report: (day: TradingDay) => Promise<DayReport>;
}

/** Sends the report of the day once its last session is over, once, also over restarts (docs/reports.md). */
export function createDayReportMessage(parts: DayReportMessageParts): Disposable {
  const { file, clock, log } = parts;

  async function tell(signal: AbortSignal): Promise<void> {
    const given = { now: clock.now(), exchanges: parts.exchanges(), records: file.records() };
    const due = dueReport(given);
    if (due === null) return;
    const { day, key, again } = due;
    const text = dayReportText(await parts.report(day), due);
    if (signal.aborted) return;
    if (text === null) {
      file.put(...settled('not_needed', key));
      return;
    }
    const message = { key, covers: [], again, text, what: 'the report of the day' };
    if (await deliver(parts, message, signal)) log.info('sent the report of the day', { day });
  }

  return lookOften({ ...parts, times: REPORT_TIMES, what: 'the report of the day', look: tell });
}
