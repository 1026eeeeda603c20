import type { Cancel, Clock, Scheduler } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { messageOf } from '../platform/values.ts';
import type { Session, ValidSession } from '../session/session.ts';
import { decideReminder, reminderTimes, type ReminderSettings, type SlotRecord } from './policy.ts';
import type { ReminderFile } from './reminder-file.ts';
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

/**
 * How often the gateway checks whether a reminder is due, in case it slept, the clock was set, or
 * the service was away.
 */
const LOOK_EVERY_MS = 60_000;

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
  const { session, messenger, cron, file, clock, scheduler, log, settings } = parts;
  const stop = new AbortController();
  const tasks: Cancel[] = reminderTimes(settings.at).map((time) => cron.daily(time, look));
  let nextLook: Cancel = () => undefined;
  let looking = false;

  /** One check at a time: cron and the check of the minute can coincide. */
  function look(): void {
    if (looking) return;
    looking = true;
    void remind()
      .catch((error: unknown) => {
        const reason = messageOf(error);
        log.error('the reminder failed; the gateway will try again', { reason });
      })
      .finally(() => {
        looking = false;
      });
  }

  async function remind(): Promise<void> {
    const given = { now: clock.now(), settings, records: file.records() };
    if (decideReminder({ ...given, needed: true }).kind === 'wait') return;
    // The broker is asked, because a token of the early morning can be dead without having been
    // used.
    const found = await session.check();
    if (stop.signal.aborted) return;
    const needed = found.state !== 'valid';
    // If the broker could not be asked, the next check asks again.
    if (!needed && !isVerified(found, clock.now())) return;
    const decision = decideReminder({ ...given, needed });
    if (decision.kind === 'wait') return;
    const settle = (state: SlotRecord['state'], ...keys: readonly string[]): SlotRecord[] =>
      keys.map((key) => ({ key, state, again: false }));
    if (decision.kind === 'not_needed') return file.put(...settle('not_needed', ...decision.keys));
    const { slot, covers, again } = decision;
    file.put({ key: slot.key, state: 'sending', again });
    const text = reminderText(decision, given.now, {
      url: parts.loginUrl(),
      title: parts.loginTitle,
    });
    const result = await messenger.send(text, { signal: stop.signal });
    switch (result.kind) {
      case 'sent':
        file.put(...settle('covered', ...covers), ...settle('sent', slot.key));
        log.info('reminded of the login', { day: slot.key });
        return;
      case 'refused':
        file.put(...settle('covered', ...covers), ...settle('refused', slot.key));
        log.error('a reminder was refused', { day: slot.key, reason: result.reason });
        return;
      case 'away':
        // Stopped during the send: the message may have left, which `sending` records.
        if (stop.signal.aborted) return;
        file.put(...settle('owed', slot.key));
        log.warn('a reminder could not be sent; the gateway will try again', {
          reason: result.reason,
        });
        return;
    }
  }

  function everyMinute(): void {
    look();
    nextLook = scheduler.after(LOOK_EVERY_MS, everyMinute);
  }

  everyMinute();
  return {
    [Symbol.dispose]() {
      stop.abort();
      nextLook();
      for (const end of tasks) end();
    },
  };
}
