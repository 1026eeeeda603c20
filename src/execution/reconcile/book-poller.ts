import type { InstrumentLookup } from '../../domain/instrument.ts';
import { BrokerError, lacksSession } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { MarketHours } from '../order/order-day.ts';
import { unrecognisedSinceOf, type OrderRecord } from '../order/order.ts';
import { isKeptCancelDue } from '../submit/kept-cancels.ts';
import type { BookRead } from './book-read.ts';
import { createBookReader } from './book-reader.ts';
import { createUnrecognisedWatch, type UnrecognisedParts } from './unrecognised-watch.ts';
import { createReadHints } from './read-hints.ts';
import { nextReadAt } from './read-schedule.ts';
import { createUnreadBookReport, type UnreadBook } from './unread-book.ts';
import { decideDayOver } from './recovery.ts';
import { type ElapsedMs, type EpochMs, type OrderId, plus } from '../../units/branded.ts';

export interface PollerSettings {
  readonly pollMs: number;
  readonly absentAfterMs: number;
  readonly unrecognisedMs: number;
  readonly marketHours: MarketHours;
  /** What every tag has that this data directory has made; '' where they have nothing of their own. */
  readonly tagMark: string;
}

/** Reads a broker's order book when it is due. Watching, resolving and baselines share its reads. */
export interface BookPoller {
  readonly trading: Trading;
  /** True until the first complete read since the start has been reconciled. */
  recovering(): boolean;
  /** A read begun at `since` (elapsed ms) or later; rejects with a BrokerError. */
  read(since: ElapsedMs): Promise<BookRead>;
  /** For cancels alone: see BookReader. */
  readUnwritten(since: ElapsedMs): Promise<BookRead>;
  /** The time at the broker (epoch ms), as BrokerClock has it. */
  now(): EpochMs;
  /** The last read that succeeded in this process; null before one. */
  lastRead(): BookRead | null;
  /** Since when the book cannot be read although orders in it are open; null where it can. */
  unread(): UnreadBook | null;
  /** The next read that begins: at once, or after the one under way. Rejects with a BrokerError. */
  nextRead(): Promise<BookRead>;
  /** A hint that something happened: the book is read soon. */
  wake(): void;
  /** The broker has told that something happened: the book is read at once. */
  told(): void;
  /** Like wake(), delayed by 250 ms so that a basket is sent before its book is read. */
  wakeSoon(): void;
  /** To be called when orders have changed: sets the next read's time. */
  schedule(): void;
  stop(): void;
}

export interface PollerParts {
  readonly trading: Trading;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: PollerSettings;
  /** Sends a cancel that was kept until the order was bound. */
  readonly sendKeptCancel: (orderId: OrderId) => void;
  /** Awaited before a book is read: its rows are named by the instrument lists. */
  readonly beforeRead: () => Promise<void>;
  /** Called after every read that was taken in. */
  readonly onRead: (read: BookRead) => void;
  /** See UnrecognisedParts. */
  readonly readAccount: UnrecognisedParts['readAccount'];
}

/** A broker has an order in its book by then. Fills are announced by postbacks or the order stream. */
const SOON_MS = 250;

export function createBookPoller(parts: PollerParts): BookPoller {
  const { trading, writer, clock, settings } = parts;
  const { state } = writer;
  const [broker, begun] = [trading.broker, clock.elapsed()];
  const hints = createReadHints(clock);
  /** Elapsed ms at which an order was first seen uncertain. */
  const uncertainSince = new Map<OrderId, ElapsedMs>();
  const unrecognised = createUnrecognisedWatch(parts);
  const reader = createBookReader({
    ...parts,
    onBegun: hints.begun,
    onOver: () => timer.schedule(),
  });
  const unreadBook = createUnreadBookReport({ broker, writer, clock });
  const timer = createReadTimer(parts, () => (reader.reading() ? null : dueAt()), look);

  /** Elapsed ms of the next look; null when there is nothing to look for. */
  function dueAt(): ElapsedMs | null {
    const watched = reader.readFor();
    const hasSession = !lacksSession(trading.blocked());
    if (hasSession) noteUncertain(uncertainSince, watched, clock.elapsed());
    return nextReadAt({
      watched,
      uncertainSince,
      hasSession,
      recovering: reader.recovering(),
      ...reader.waits(),
      lastBegun: reader.lastBegun(),
      failures: reader.failures(),
      ...hints.open(),
      startedAt: begun,
      now: clock.now(),
      elapsed: clock.elapsed(),
      pollMs: settings.pollMs,
      marketHours: settings.marketHours,
    });
  }

  function want(from: ElapsedMs): void {
    hints.want(from);
    timer.schedule();
  }

  async function look(): Promise<void> {
    // What cannot be done now keeps nothing else from being done, and is tried at the next look.
    await attempt(parts, 'a day that is over could not be closed', closeDays);
    await attempt(parts, 'the order book could not be read', readWhatIsDue);
    await attempt(parts, 'an alert could not be written', noteAttempts);
    sendKeptCancels(parts, reader.watched());
    forgetSettled();
    timer.schedule();
  }

  async function readWhatIsDue(): Promise<void> {
    // A caller may have had the book read since the timer was set.
    const isDue = hints.mayBegin({ failures: reader.failures(), lastBegun: reader.lastBegun() });
    const isWanted = hints.open().wantedFrom !== null || reader.wantsBook();
    if (isDue && isWanted && !lacksSession(trading.blocked())) await reader.read(clock.elapsed());
    if (reader.watched().some((order) => unrecognisedSinceOf(order) !== null)) {
      await unrecognised.look();
    }
  }

  function noteAttempts(): Promise<void> {
    const hasSession = !lacksSession(trading.blocked());
    const attempts = { failures: reader.failures(), watched: reader.watched() };
    return unreadBook.note({ hasSession, ...attempts });
  }

  async function closeDays(): Promise<void> {
    const today = reader.day(!lacksSession(trading.blocked()));
    if (today === null || !reader.watched().some((order) => order.day < today)) return;
    await reader.readEarlier(today);
    await writer.submit((current) => decideDayOver(current, { broker, today, at: clock.now() }));
  }

  function forgetSettled(): void {
    reader.forgetSettled();
    for (const id of uncertainSince.keys()) {
      if (!state.watched.has(id)) uncertainSince.delete(id);
    }
  }

  return {
    trading,
    ...{ recovering: reader.recovering, read: reader.read, nextRead: reader.nextRead },
    readUnwritten: reader.readUnwritten,
    lastRead: reader.lastRead,
    unread: () => unreadBook.now(reader.watched()),
    now: reader.now,
    wake: () => want(clock.elapsed()),
    told() {
      hints.tell();
      timer.schedule();
    },
    wakeSoon: () => want(plus(clock.elapsed(), SOON_MS)),
    schedule: timer.schedule,
    stop: timer.stop,
  };
}

/** Calls `look` when it is due. `dueAt` gives elapsed ms, or null for nothing to look for. */
function createReadTimer(
  { clock, scheduler }: Pick<PollerParts, 'clock' | 'scheduler'>,
  dueAt: () => ElapsedMs | null,
  look: () => Promise<void>,
): { schedule(): void; stop(): void } {
  let stopped = false;
  let planning = false;
  let timer: { readonly at: ElapsedMs; readonly cancel: Cancel } | null = null;

  /** Many orders change in one turn: the next look is planned once, when it is done. */
  function schedule(): void {
    if (stopped || planning) return;
    planning = true;
    scheduler.endOfTurn(() => {
      planning = false;
      plan();
    });
  }

  function plan(): void {
    if (stopped) return;
    const due = dueAt();
    if (due === null) {
      timer?.cancel();
      timer = null;
      return;
    }
    if (timer && timer.at <= due) return;
    timer?.cancel();
    lookAt(due);
  }

  function lookAt(at: ElapsedMs, leastMs = 0): void {
    const cancel = scheduler.after(Math.max(leastMs, at - clock.elapsed()), () => {
      timer = null;
      // A timer may fire a millisecond early, and a hint asks for a read at its time or later. What is
      // left can be too little to be added to the time: a whole millisecond always can.
      if (clock.elapsed() < at) lookAt(at, 1);
      else if (!stopped) void look();
    });
    timer = { at, cancel };
  }

  return {
    schedule,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

/** Does one thing; where it fails, that is logged. */
async function attempt(
  { trading: { broker }, log }: PollerParts,
  failed: string,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    const expected = error instanceof BrokerError;
    log[expected ? 'warn' : 'error'](failed, { broker, reason: messageOf(error) });
  }
}

/** A cancel is a way out: it goes out also where the book cannot be read. */
function sendKeptCancels(
  { writer: { state }, clock, sendKeptCancel }: PollerParts,
  watched: readonly OrderRecord[],
): void {
  for (const { id } of watched) if (isKeptCancelDue(state, id, clock.now())) sendKeptCancel(id);
}

/** Keeps since when each watched order has been uncertain, in elapsed ms. */
function noteUncertain(
  since: Map<OrderId, ElapsedMs>,
  watched: readonly OrderRecord[],
  elapsed: ElapsedMs,
): void {
  for (const { id, state } of watched) {
    if (state.kind !== 'uncertain') since.delete(id);
    else if (!since.has(id)) since.set(id, elapsed);
  }
}
