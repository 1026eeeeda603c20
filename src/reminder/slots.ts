import type { Cancel, Scheduler } from '../platform/clock.ts';
import type { Cron } from '../platform/cron.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { messageOf } from '../platform/values.ts';
import type { SlotRecord } from './policy.ts';
import type { ReminderFile } from './reminder-file.ts';

/**
 * How often the gateway checks whether a message is due, in case it slept, the clock was set, or
 * the service was away.
 */
const LOOK_EVERY_MS = 60_000;

/** Looks at the given times of day and each minute, never twice at once. Disposing it stops it. */
export function lookOften(parts: {
  readonly cron: Cron;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** `HH:MM` IST. */
  readonly times: readonly string[];
  /** What fails, for the log: "the reminder". */
  readonly what: string;
  look(signal: AbortSignal): Promise<void>;
}): Disposable {
  const { cron, scheduler, log, what } = parts;
  const stop = new AbortController();
  const tasks: Cancel[] = parts.times.map((time) => cron.daily(time, look));
  let nextLook: Cancel = () => undefined;
  let looking = false;

  /** One check at a time: cron and the check of the minute can coincide. */
  function look(): void {
    if (looking) return;
    looking = true;
    void parts
      .look(stop.signal)
      .catch((error: unknown) => {
        const reason = messageOf(error);
        log.error(`${what} failed; the gateway will try again`, { reason });
      })
      .finally(() => {
        looking = false;
      });
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

export interface SlotMessage {
  readonly key: string;
  /** Earlier slots that this message covers. */
  readonly covers: readonly string[];
  /** A message for this slot may have been sent before the process ended. */
  readonly again: boolean;
  readonly text: string;
  /** For the log: "a reminder". */
  readonly what: string;
}

/** What was found out about slots that need no more messages. */
export const settled = (
  state: SlotRecord['state'],
  ...keys: readonly string[]
): readonly SlotRecord[] => keys.map((key) => ({ key, state, again: false }));

/** Sends the message of a slot: on disk before it leaves, and its result afterwards. Answers whether it was sent. */
export async function deliver(
  parts: { readonly messenger: Messenger; readonly file: ReminderFile; readonly log: Log },
  { key, covers, again, text, what }: SlotMessage,
  signal: AbortSignal,
): Promise<boolean> {
  const { messenger, file, log } = parts;
  file.put({ key, state: 'sending', again });
  const result = await messenger.send(text, { signal });
  switch (result.kind) {
    case 'sent':
      file.put(...settled('covered', ...covers), ...settled('sent', key));
      return true;
    case 'refused':
      file.put(...settled('covered', ...covers), ...settled('refused', key));
      log.error(`${what} was refused`, { day: key, reason: result.reason });
      return false;
    case 'away':
      // Stopped during the send: the message may have left, which `sending` records.
      if (signal.aborted) return false;
      file.put(...settled('owed', key));
      log.warn(`${what} could not be sent; the gateway will try again`, { reason: result.reason });
      return false;
  }
}
