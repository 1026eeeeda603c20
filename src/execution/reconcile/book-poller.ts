import { BrokerError } from '../../domain/failure.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { isMarketOpen } from '../../domain/market-hours.ts';
import { lacksSession } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/thrown.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { dayClosed, type MarketHours } from '../order/order-day.ts';
import { calledAbsentOf, isOver, type OrderRecord, unrecognisedSinceOf } from '../order/order.ts';
import { decideUnrecognised, isKeptCancelDue } from '../submit/decide-amend.ts';
import { type BookRead, createBookReader } from './book-reader.ts';
import { decideDayOver } from './recovery.ts';

export interface PollerSettings {
  readonly pollMs: number;
  readonly absentAfterMs: number;
  readonly unrecognisedMs: number;
  readonly marketHours: MarketHours;
}

/** Has a broker's order book read when it is due: watching, resolving and baselines share its reads. */
export interface BookPoller {
  readonly trading: Trading;
  /** True until the first complete read since the start has been reconciled. */
  recovering(): boolean;
  /** A read begun at `since` (elapsed ms) or later; rejects with a BrokerError. */
  read(since: number): Promise<BookRead>;
  /** A hint that something happened: the book is read soon. */
  wake(): void;
  /** Like wake(), delayed by 250 ms so that a basket is sent before its book is read. */
  wakeSoon(): void;
  /** To be called when orders have changed: sets the next read's time. */
  schedule(): void;
  stop(): void;
}

export interface PollerParts {
  readonly trading: Trading;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: PollerSettings;
  /** Sends a cancel that was kept until the order was bound. */
  readonly sendKeptCancel: (orderId: string) => void;
  /** Awaited before a book is read: what its rows are named by has to be there. */
  readonly beforeRead: () => Promise<void>;
  /** Called after every read that was taken in. */
  readonly onRead: (read: BookRead) => void;
}

/** Reads that nobody waits for are not begun closer together than this (the spec's read cache). */
const CACHE_MS = 500;
/** By then a broker has an order in its book; its message of a fill comes by itself. */
const SOON_MS = 250;
const CLOSED_POLL_MS = 15_000;
const IDLE_CHECK_MS = 60_000;
/** Reads keep the pace of the day for so long after its close is settled, or after what happened since. */
const SETTLED_FOR_MS = 300_000;
const LONGEST_BACKOFF_MS = 5_000;
/** After a start, the book is wanted at once for so long. */
const RECOVERING_MS = 120_000;

export function createBookPoller(parts: PollerParts): BookPoller {
  const { trading, writer, clock, scheduler, log, settings } = parts;
  const { state } = writer;
  const broker = trading.broker;
  const begun = clock.elapsed();
  /** Elapsed ms from which a hint asks for a read; null without one. */
  let wantedFrom: number | null = null;
  let stopped = false;
  let planning = false;
  let timer: { readonly at: number; readonly cancel: Cancel } | null = null;
  /** Elapsed ms at which an order was first seen uncertain. */
  const uncertainSince = new Map<string, number>();
  const reader = createBookReader({
    ...parts,
    onBegun(begun) {
      if (wantedFrom !== null && wantedFrom <= begun) wantedFrom = null;
    },
    onOver: schedule,
  });
  const { read, lastBegun } = reader;

  /** Elapsed ms of the next look; null when there is nothing to look for. */
  function dueAt(): number | null {
    const watched = reader.watched();
    if (lacksSession(trading.blocked())) {
      return watched.length > 0 ? clock.elapsed() + IDLE_CHECK_MS : null;
    }
    let due = Infinity;
    for (const order of watched) due = Math.min(due, dueFor(order));
    if (reader.recovering() && watched.length > 0) due = Math.min(due, recoveryDue(watched));
    if (wantedFrom !== null) due = Math.min(due, Math.max(wantedFrom, lastBegun() + CACHE_MS));
    if (due === Infinity) return null;
    return Math.max(due, notBefore());
  }

  /** A book that stays incomplete for long is not asked for twice a second all night. */
  function recoveryDue(watched: readonly OrderRecord[]): number {
    if (clock.elapsed() - begun < RECOVERING_MS) return lastBegun() + CACHE_MS;
    return lastBegun() + (watched.some(isOpen) ? LONGEST_BACKOFF_MS : CLOSED_POLL_MS);
  }

  /** Whether the exchange of an order trades now. */
  const isOpen = ({ terms }: OrderRecord): boolean =>
    settings.marketHours === 'always' || isMarketOpen(clock.now(), exchangeOf(terms.instrument));

  /** Elapsed ms before which no read is begun that nobody waits for. */
  function notBefore(): number {
    return lastBegun() + Math.min(LONGEST_BACKOFF_MS, CACHE_MS * 2 ** reader.failures());
  }

  function dueFor(order: OrderRecord): number {
    if (order.state.kind === 'uncertain') {
      const since = uncertainSince.get(order.id) ?? clock.elapsed();
      uncertainSince.set(order.id, since);
      return nextResolvingRead(since, lastBegun(), isQuiet(order, since));
    }
    uncertainSince.delete(order.id);
    // A placing that is on its way is settled by its own answer.
    if (order.state.kind === 'sending') return Infinity;
    if (calledAbsentOf(order) !== null) return lastBegun() + IDLE_CHECK_MS;
    // Of one that has just ended, the last fills are still to come.
    const ending = isOver(order) && clock.now() - order.updatedAt < SETTLED_FOR_MS;
    return lastBegun() + (isOpen(order) || ending ? settings.pollMs : CLOSED_POLL_MS);
  }

  /** Whether what is uncertain since `since` (elapsed ms) may wait: a night has more reads than a day. */
  function isQuiet(order: OrderRecord, since: number): boolean {
    if (clock.now() >= dayClosed(order, settings.marketHours) + SETTLED_FOR_MS) return true;
    return !isOpen(order) && clock.elapsed() - since >= SETTLED_FOR_MS;
  }

  function want(from: number): void {
    wantedFrom = Math.min(wantedFrom ?? Infinity, from);
    schedule();
  }

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
    const due = reader.reading() ? null : dueAt();
    if (due === null) {
      timer?.cancel();
      timer = null;
      return;
    }
    if (timer && timer.at <= due) return;
    timer?.cancel();
    lookAt(due);
  }

  function lookAt(at: number): void {
    const cancel = scheduler.after(Math.max(0, at - clock.elapsed()), () => {
      timer = null;
      // A host's timer may be a millisecond early, and a hint is for a read at its time or later.
      if (clock.elapsed() < at) lookAt(at);
      else void look();
    });
    timer = { at, cancel };
  }

  async function look(): Promise<void> {
    if (stopped) return;
    try {
      await closeDays();
      // Somebody who waits for it may have had the book read since the timer was set.
      const isDue = clock.elapsed() >= notBefore();
      if (isDue && !lacksSession(trading.blocked())) await read(clock.elapsed());
      await cancelWhatIsWanted();
    } catch (error) {
      const expected = error instanceof BrokerError;
      log[expected ? 'warn' : 'error']('the order book could not be read', {
        broker,
        reason: messageOf(error),
      });
    }
    forgetSettled();
    schedule();
  }

  async function closeDays(): Promise<void> {
    const today = tradingDay(clock.now());
    if (!reader.watched().some((order) => order.day < today)) return;
    await writer.submit((current) => decideDayOver(current, { broker, at: clock.now() }));
  }

  async function cancelWhatIsWanted(): Promise<void> {
    const watched = reader.watched();
    if (watched.some((order) => unrecognisedSinceOf(order) !== null)) {
      const at = clock.now();
      const olderThan = at - settings.unrecognisedMs;
      await writer.submit((current) => decideUnrecognised(current, { olderThan, broker, at }));
    }
    for (const { id } of watched) {
      if (isKeptCancelDue(state, id, clock.now())) parts.sendKeptCancel(id);
    }
  }

  function forgetSettled(): void {
    reader.forgetSettled();
    for (const id of uncertainSince.keys()) {
      if (!state.watched.has(id)) uncertainSince.delete(id);
    }
  }

  return {
    trading,
    recovering: reader.recovering,
    read,
    wake: () => want(clock.elapsed()),
    wakeSoon: () => want(clock.elapsed() + SOON_MS),
    schedule,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

/** When the book is read for an uncertain order: ms after it became so, then every 5 s. */
const POINTS = [250, 500, 1_000, 2_000, 4_000];
const THEN_EVERY = 5_000;
/** Once the market has closed, nothing is in a hurry any more, and brokers count the reads of a day. */
const AFTER_HOURS = 60_000;

/**
 * The next instant at which the book is due for something uncertain since `since`, given that the
 * last read began at `last` (-Infinity when there was none). All in the same milliseconds. `quiet`: the
 * market is shut, and has been for a while. Many that are uncertain share their reads.
 */
export function nextResolvingRead(since: number, last: number, quiet: boolean): number {
  const passed = last - since;
  const point = POINTS.find((each) => each > passed);
  if (point !== undefined) return since + point;
  return last + (quiet ? AFTER_HOURS : THEN_EVERY);
}
