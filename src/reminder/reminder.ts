import type { Clock } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import { messageOf } from '../platform/thrown.ts';
import type { Session, ValidSession } from '../session/session.ts';
import { decideReminder, reminderTimes, type ReminderSettings, type SlotRecord } from './policy.ts';
import type { ReminderFile } from './reminder-file.ts';
import { reminderText } from './wording.ts';

export interface ReminderParts {
  readonly session: Pick<Session, 'check'>;
  readonly messenger: Messenger;
  readonly cron: Cron;
  readonly file: ReminderFile;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: ReminderSettings;
  /** Where the login begins, as the user's browser reaches it. */
  readonly loginUrl: () => string;
  /** What people call the broker with the login, after "the". */
  readonly loginTitle: string;
}

/** How often it is looked whether one is owed: after a sleep, a set clock, or a service away. */
const LOOK_EVERY_MS = 60_000;

/** What the broker has said of the token holds for this long: it is asked once a minute at most. */
const VERIFIED_FOR_MS = 120_000;

function isVerified({ verifiedAt }: ValidSession, now: number): boolean {
  return verifiedAt !== null && Math.abs(now - verifiedAt) < VERIFIED_FOR_MS;
}

/**
 * Reminds of the daily login while there is no session (docs/reminder.md). Cron says when; what is
 * due then is decided from clock and file, so a time that cron missed is made good within a minute.
 */
export function createReminder(parts: ReminderParts): Disposable {
  const { session, messenger, cron, file, clock, scheduler, log, settings } = parts;
  const stop = new AbortController();
  const tasks: Cancel[] = reminderTimes(settings.at).map((time) => cron.daily(time, look));
  let nextLook: Cancel = () => undefined;
  let looking = false;

  /** One at a time: cron and the look of the minute can come together. */
  function look(): void {
    if (looking) return;
    looking = true;
    void remind()
      .catch((error: unknown) => {
        const reason = messageOf(error);
        log.error('the reminder failed; it is tried again', { reason });
      })
      .finally(() => {
        looking = false;
      });
  }

  async function remind(): Promise<void> {
    const given = { now: clock.now(), settings, records: file.records() };
    if (decideReminder({ ...given, needed: true }).kind === 'wait') return;
    // Asked of the broker: a token of the early morning can have died with nobody using it.
    const found = await session.check();
    if (stop.signal.aborted) return;
    const needed = found.state !== 'valid';
    // Where it could not be asked, nothing is known: the next look asks again.
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
        // Stopped in the middle: it may have left, which is what `sending` says.
        if (stop.signal.aborted) return;
        file.put(...settle('owed', slot.key));
        log.warn('a reminder could not be sent; it is tried again', { reason: result.reason });
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
