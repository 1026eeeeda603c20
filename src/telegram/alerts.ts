import type { EventLog } from '../events/event-log.ts';
import type { Clock } from '../platform/clock.ts';
import { deliver } from '../platform/delivery.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import { sleep, type Cancel, type Scheduler } from '../platform/scheduler.ts';
import type { StateFile } from '../platform/state-file.ts';
import { messageOf } from '../platform/thrown.ts';
import type { AlertFileContent } from './alert-file.ts';
import { nextDue, readClock, readEvents, type Alert, type AlertMemory } from './alert-policy.ts';
import { clockTime, dayAndTime, messagesOf } from './words.ts';
import { istDay } from '../domain/ist.ts';

export interface AlertsParts {
  readonly events: EventLog;
  readonly messenger: Messenger;
  readonly file: StateFile<AlertFileContent>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Commits of one moment are read together: following events must not slow those who make them. */
const READ_AFTER_MS = 500;
const READ_AT_ONCE = 200;
/** Events without an alert may be read again after a crash: the place is kept this often. */
const KEEP_EVERY = 2_000;
const REFUSED_PAUSE_MS = 300_000;
const FAILED_PAUSE_MS = 10_000;

/**
 * Tells a person of what the events say (docs/reminder.md, "Alerts"). The journal is the queue: the
 * next events are read when the last alerts have been taken, and the place is kept on disk. So
 * nothing is lost while Telegram is away or over a restart; a crash right after a send repeats it.
 */
export function createAlerts(parts: AlertsParts): AsyncDisposable {
  const { events, file, clock, scheduler, log } = parts;
  const stop = new AbortController();
  let memory: AlertMemory | null = file.content();
  let kept = memory?.after ?? 0;
  let cancelRead: Cancel | null = null;
  let cancelDue: Cancel = () => undefined;
  let running: Promise<void> | null = null;
  let readAgain = false;
  let begun = false;

  function soon(): void {
    if (cancelRead !== null || stop.signal.aborted) return;
    cancelRead = scheduler.after(READ_AFTER_MS, () => {
      cancelRead = null;
      wake();
    });
  }

  function wake(): void {
    readAgain = true;
    if (stop.signal.aborted) return;
    running ??= follow().finally(() => {
      running = null;
    });
  }

  async function follow(): Promise<void> {
    while (readAgain && !stop.signal.aborted) {
      readAgain = false;
      try {
        await readOn();
      } catch (error) {
        const reason = messageOf(error);
        log.error('events could not be read for alerts; it is tried again', { reason });
        await sleep(scheduler, FAILED_PAUSE_MS, stop.signal);
        readAgain = true;
      }
    }
  }

  async function readOn(): Promise<void> {
    memory = begun && memory !== null ? memory : await begin();
    begun = true;
    for (;;) {
      const found = await events.eventsAfter(memory.after, READ_AT_ONCE);
      if (stop.signal.aborted) return;
      const read = readEvents(memory, found);
      // What is open can be settled by events that are yet to be read.
      const caughtUp = found.length < READ_AT_ONCE;
      const late = caughtUp ? readClock(read.memory, clock.now()) : { ...read, alerts: [] };
      const alerts = [...read.alerts, ...late.alerts];
      if (alerts.length > 0 && !(await tell(parts, alerts, stop.signal))) return;
      memory = late.memory;
      if (alerts.length > 0 || memory.after - kept >= KEEP_EVERY) keep(memory);
      if (caughtUp) break;
    }
    planDue(memory);
  }

  /** Where to begin, on disk before the first event: a crash then loses no alert. */
  async function begin(): Promise<AlertMemory> {
    const last = await events.lastEvent();
    if (memory !== null && memory.after <= last) return memory;
    // Whoever sets Telegram up today is not told of last month. A journal that is behind the place
    // is another one, and all of it is new.
    const first = { after: memory === null ? last : 0, open: [], told: [] };
    keep(first);
    return first;
  }

  function planDue(current: AlertMemory): void {
    cancelDue();
    const wait = nextDue(current, clock.now());
    if (wait !== null) cancelDue = scheduler.after(wait, wake);
  }

  function keep(current: AlertMemory): void {
    kept = current.after;
    file.write({ version: 1, ...current });
  }

  const unsubscribe = events.onAppended(soon);
  wake();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      unsubscribe();
      cancelRead?.();
      cancelDue();
      await running;
      cancelDue();
      if (memory !== null && memory.after > kept) keep(memory);
    },
  };
}

/** Sends alerts, for as long as it takes. False when stopped before all of them were taken. */
async function tell(
  parts: AlertsParts,
  alerts: readonly Alert[],
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, scheduler, log } = parts;
  const paragraphs = alerts.map((alert) => alertText(alert, clock.now()));
  for (const message of messagesOf(paragraphs)) {
    for (;;) {
      const delivered = await deliver(parts, message, { signal });
      if (delivered.kind === 'sent') break;
      if (delivered.kind !== 'refused') return false;
      log.error('alerts are refused; they are kept, and tried again', {
        reason: delivered.reason,
      });
      await sleep(scheduler, REFUSED_PAUSE_MS, signal);
    }
  }
  return true;
}

function alertText({ level, at, text }: Alert, now: number): string {
  const time = istDay(at) === istDay(now) ? clockTime(at) : dayAndTime(at);
  const mark = { critical: 'CRITICAL. ', warning: 'Warning. ', note: '' }[level];
  return `${time} ${mark}${text}`;
}
