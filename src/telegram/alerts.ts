import { istDay, readableTime } from '../domain/ist.ts';
import type { EventEpochs, EventLog, StoredEvent } from '../events/event-log.ts';
import { type Cancel, type Clock, type Scheduler, sleep, turnOfOthers } from '../platform/clock.ts';
import { deliver } from '../platform/delivery.ts';
import type { Log } from '../platform/log.ts';
import type { Messenger } from '../platform/messenger.ts';
import type { StateFile } from '../platform/state-file.ts';
import { messageOf } from '../platform/values.ts';
import type { AlertFileContent } from './alert-file.ts';
import { nextDue, readClock, readEvents, type Alert, type AlertMemory } from './alert-policy.ts';
import { clockTime, messagesOf } from './words.ts';
import type { EpochMs } from '../units/branded.ts';

export interface AlertsParts {
  readonly events: EventLog & Pick<EventEpochs, 'epochOf'>;
  readonly messenger: Messenger;
  readonly file: StateFile<AlertFileContent>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Waits a moment to read several commits together, so that reading does not slow the commits. */
const READ_AFTER_MS = 500;
const READ_AT_ONCE = 200;
/** How often the position is saved; after a crash, events without an alert may be read again. */
const KEEP_EVERY = 2_000;
const REFUSED_PAUSE_MS = 300_000;
const FAILED_PAUSE_MS = 10_000;

/**
 * Sends a person alerts about events (docs/reminder.md, "Alerts"). The journal is the queue: the
 * next events are read when the last alerts have been accepted, and the position is kept on disk.
 * So no alert is lost while Telegram is away or at a restart; after a crash right after a send,
 * that alert is sent again.
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
        log.error('events could not be read for alerts; the gateway will try again', { reason });
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
      // Events that are not read yet may close an open outcome.
      const caughtUp = found.length < READ_AT_ONCE;
      const whole = caughtUp ? found : wholeCommits(found);
      const { epoch } = whole.at(-1) ?? memory;
      const read = readEvents({ ...memory, ...(epoch === undefined ? {} : { epoch }) }, whole);
      const late = caughtUp ? readClock(read.memory, clock.now()) : { ...read, alerts: [] };
      const alerts = [...read.alerts, ...late.alerts];
      if (alerts.length > 0 && !(await tell(parts, alerts, stop.signal))) return;
      memory = late.memory;
      if (alerts.length > 0 || memory.after - kept >= KEEP_EVERY) keep(memory);
      if (caughtUp) break;
      await turnOfOthers(scheduler);
    }
    planDue(memory);
  }

  /** The start position is on disk before the first event, so that a crash loses no alert. */
  async function begin(): Promise<AlertMemory> {
    const last = await events.lastEvent();
    if (memory !== null && memory.after <= last && (await isOfJournal(events, memory)))
      return memory;
    // A user who sets Telegram up today gets no alerts about last month. A journal that is shorter
    // than the position, or has another epoch there, is another journal, and all of it is new.
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

/** Whether a position is one of this journal; nothing speaks against one whose event is no longer kept. */
async function isOfJournal(
  events: Pick<EventEpochs, 'epochOf'>,
  { after, epoch }: AlertMemory,
): Promise<boolean> {
  const there = epoch === undefined ? undefined : await events.epochOf(after);
  return there === undefined || there === epoch;
}

/** Without the commit that a full batch may end in the middle of: the events of one commit have one time. */
function wholeCommits(found: readonly StoredEvent[]): readonly StoredEvent[] {
  const last = found.findLastIndex(({ at }) => at !== found.at(-1)?.at);
  return last === -1 ? found : found.slice(0, last + 1);
}

/** Sends alerts and retries until all are accepted. False when stopped before. */
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
      log.error('alerts are refused; they are kept, and the gateway will try again', {
        reason: delivered.reason,
      });
      await sleep(scheduler, REFUSED_PAUSE_MS, signal);
    }
  }
  return true;
}

function alertText({ level, at, text }: Alert, now: EpochMs): string {
  const time = istDay(at) === istDay(now) ? clockTime(at) : readableTime(at);
  const mark = { critical: 'CRITICAL. ', warning: 'Warning. ', note: '' }[level];
  return `${time} ${mark}${text}`;
}
