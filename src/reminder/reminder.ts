import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import type { Session, ValidSession } from '../session/session.ts';
import { decideReminder, reminderTimes, type ReminderSettings } from './policy.ts';
import type { ReminderFile } from './reminder-file.ts';
import { deliver, lookOften, settled } from './slots.ts';
import { reminderText } from './wording.ts';
import type { EpochMs } from '../units/branded.ts';

export interface ReminderParts {
  readonly session: Pick<Session, 'check'>;
  readonly messenger: Messenger;
  readonly cron: Cron;
  readonly file: ReminderFile;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: ReminderSettings;
  /** The address of the login for the user's browser. */
  readonly loginUrl: () => string;
  /** The name of the broker with the login, after "the". */
  readonly loginTitle: string;
}

/** How long the broker's answer about the token is used: it is asked at most once a minute. */
const VERIFIED_FOR_MS = 120_000;

function isVerified({ verifiedAt }: ValidSession, now: EpochMs): boolean {
  return verifiedAt !== null && Math.abs(now - verifiedAt) < VERIFIED_FOR_MS;
}

/**
 * Reminds of the daily login while there is no session (docs/reminder.md). Cron gives the times;
 * clock and file decide what is due, so a time that cron missed is made up for within a minute.
 */
export function createReminder(parts: ReminderParts): Disposable {
  const { session, file, clock, log, settings } = parts;

  async function remind(signal: AbortSignal): Promise<void> {
    const given = { now: clock.now(), settings, records: file.records() };
    if (decideReminder({ ...given, needed: true }).kind === 'wait') return;
    // The broker is asked, because a token of the early morning can be dead without having been
    // used.
    const found = await session.check();
    if (signal.aborted) return;
    const needed = found.state !== 'valid';
    // If the broker could not be asked, the next check asks again.
    if (!needed && !isVerified(found, clock.now())) return;
    const decision = decideReminder({ ...given, needed });
    if (decision.kind === 'wait') return;
    if (decision.kind === 'not_needed') {
      file.put(...settled('not_needed', ...decision.keys));
      return;
    }
    const { slot, covers, again } = decision;
    const login = { url: parts.loginUrl(), title: parts.loginTitle };
    const text = reminderText(decision, given.now, login);
    const message = { key: slot.key, covers, again, text, what: 'a reminder' };
    if (await deliver(parts, message, signal)) log.info('reminded of the login', { day: slot.key });
  }

  const times = reminderTimes(settings.at);
  return lookOften({ ...parts, times, what: 'the reminder', look: remind });
}
