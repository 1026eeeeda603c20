import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { BrokerError } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Decision, SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { Change } from '../journal/records.ts';
import { filledByTrades, required, type ExecutionState } from '../journal/state.ts';
import { brokerOrderIdOf, type OrderRecord } from '../order/order.ts';
import { dayClosed, lastBookDay, type MarketHours } from '../order/order-day.ts';
import { decideReportOthers } from './other-accounts.ts';
import { createBookMemory } from './book-memory.ts';
import type { BookObservation } from './book-observation.ts';
import { clockAlert, createBrokerClock, type ReadTimes } from './broker-clock.ts';
import { reconcileBook, type BookReading } from './reconcile.ts';
import { LONG_AGO, type ElapsedMs, type EpochMs } from '../../units/branded.ts';

export interface BookRead {
  readonly rows: readonly BrokerOrder[];
  /** Wall time at which the read began. */
  readonly begunAt: EpochMs;
  /** The same in elapsed ms. */
  readonly begun: ElapsedMs;
  readonly complete: boolean;
}

/** Reads a broker's order book and reconciles it. Callers who ask at the same time share one read. */
export interface BookReader {
  /** True until the first complete read since the start has been reconciled. */
  recovering(): boolean;
  /** A read begun at `since` (elapsed ms) or later; rejects with a BrokerError. */
  read(since: ElapsedMs): Promise<BookRead>;
  /** Whether a read is under way. */
  reading(): boolean;
  /** When the last read began; LONG_AGO when there was none. */
  lastBegun(): ElapsedMs;
  /** Reads that have failed since one that did not. */
  failures(): number;
  /** This broker's orders that may still change. */
  watched(): readonly OrderRecord[];
  /** Those, and disputed and absent ones whose book is not gone: it may show that they were wrong. */
  readFor(): readonly OrderRecord[];
  /** Whether an order is disputed only because its day was over. */
  hasEndedDays(): boolean;
  /** Forgets the counts of placings whose outcome is known. */
  forgetSettled(): void;
  /** The broker's day, as BrokerClock has it; null while there is no reason to believe any. */
  day(hasSession: boolean): string | null;
}

export interface ReaderParts {
  readonly trading: Trading;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly absentAfterMs: number; readonly marketHours: MarketHours };
  /** Awaited before a book is read: its rows are named by the instrument lists. */
  readonly beforeRead: () => Promise<void>;
  /** Called after every read that was taken in. */
  readonly onRead: (read: BookRead) => void;
  /** Called when a read has begun (elapsed ms), and when one is over, however it ended. */
  readonly onBegun: (begun: ElapsedMs) => void;
  readonly onOver: () => void;
}

export function createBookReader(parts: ReaderParts): BookReader {
  const { trading, writer, clock, log, settings } = parts;
  const { state } = writer;
  const broker = trading.broker;
  let recovered = false;
  let last: BookRead | null = null;
  let lastBegun = LONG_AGO;
  let running: { readonly begun: ElapsedMs; readonly result: Promise<BookRead> } | null = null;
  let failures = 0;
  /** The account whose session was last looked at for open orders of others. */
  let reported: string | null = null;
  /** Complete reads that lacked an open placing. */
  const absentReads = new Map<string, number>();
  const memory = createBookMemory(broker);
  const brokerClock = createBrokerClock(trading, clock);
  const isLocal = trading.isLocal === true;
  let isClockOff = false;
  writer.onChange((change) => {
    memory.note(change);
    brokerClock.note(change);
  });

  async function readOnce(): Promise<BookRead> {
    const begunAt = clock.now();
    const begun = clock.elapsed();
    lastBegun = begun;
    parts.onBegun(begun);
    await parts.beforeRead();
    const account = await accountNow();
    const rows = await trading.orderBook();
    const fills = needsTrades(rows) ? await readTrades() : null;
    if ((await accountNow()) !== account) throw sessionChanged(broker);
    const times = brokerClock.timesOf({ begunAt, begun }, rows, fills);
    await noteClock(times.aheadMs);
    const reading = await takeIn({ ...times, account, rows, fills });
    await reportOthers(account);
    for (const id of reading.lacked) absentReads.set(id, (absentReads.get(id) ?? 0) + 1);
    if (reading.complete) recovered = true;
    const read = { rows, begunAt: times.begunAt, begun, complete: reading.complete };
    last = read;
    parts.onRead(read);
    return read;
  }

  /** Tells a person once when this computer's clock is off, and again if it was right in between. */
  async function noteClock(aheadMs: number | null): Promise<void> {
    const wasOff = isClockOff;
    isClockOff = aheadMs !== null;
    if (aheadMs === null || wasOff) return;
    const message = clockAlert(broker, aheadMs);
    const at = clock.now();
    await writer.submit((current) => decideAlert(current, { level: 'critical', message, at }));
  }

  async function takeIn(
    read: ReadTimes & Pick<BookObservation, 'account' | 'rows' | 'fills'>,
  ): Promise<BookReading> {
    const rule = {
      afterMs: settings.absentAfterMs,
      dayClosed: (order: OrderRecord) => dayClosed(order, settings.marketHours),
    };
    const tagged = trading.tagging === 'always';
    const observe = (current: ExecutionState): Decision<Change, BookReading> =>
      reconcileBook(
        current,
        { ...read, broker, tagged, absentReads, rule, isLocal, at: clock.now() },
        memory,
      );
    try {
      const reading = await writer.submit(observe);
      memory.keep(state);
      return reading;
    } catch (error) {
      memory.forget();
      throw error;
    }
  }

  async function accountNow(): Promise<string | null> {
    return (await trading.account?.()) ?? null;
  }

  /** Once for each account that a session is for: the open orders that it cannot show. */
  async function reportOthers(account: string | null): Promise<void> {
    if (account === null || account === reported) return;
    await writer.submit((current) =>
      decideReportOthers(current, { broker, account, at: clock.now() }),
    );
    reported = account;
  }

  /** Null when they could not be read, which is not the same as no trades. */
  async function readTrades(): Promise<readonly BrokerFill[] | null> {
    try {
      return await trading.trades();
    } catch (error) {
      // The quantities of the book still count; the fills are read next time.
      log.warn('trades could not be read', { broker, reason: messageOf(error) });
      return null;
    }
  }

  function needsTrades(rows: readonly BrokerOrder[]): boolean {
    const watched = readFor();
    if (watched.some((order) => order.state.kind === 'uncertain')) return true;
    const byId = new Map(watched.map((order) => [brokerOrderIdOf(order), order]));
    return rows.some((row) => {
      const order = byId.get(row.brokerOrderId);
      return order && (row.filledQuantity ?? Infinity) > filledByTrades(state, order.id);
    });
  }

  function watchedHere(): OrderRecord[] {
    const orders: OrderRecord[] = [];
    for (const id of state.watched) {
      const order = required(state.orders, id, 'order');
      if (order.broker === broker) orders.push(order);
    }
    return orders;
  }

  function disputedHere(): OrderRecord[] {
    return [...state.openOrders]
      .map((id) => required(state.orders, id, 'order'))
      .filter((order) => order.broker === broker && order.state.kind === 'disputed');
  }

  function readFor(): OrderRecord[] {
    const doubted = new Map<string, OrderRecord>();
    const today = brokerClock.day({ hasSession: true, hasRead: true }) ?? '';
    const doubt = (order: OrderRecord): void => {
      if (order.broker === broker && lastBookDay(order) >= today) doubted.set(order.id, order);
    };
    for (const order of watchedHere()) doubted.set(order.id, order);
    for (const order of disputedHere()) doubt(order);
    for (const id of state.absentPlaces) {
      doubt(required(state.orders, required(state.attempts, id, 'attempt').orderId, 'order'));
    }
    return [...doubted.values()];
  }

  function read(since: ElapsedMs): Promise<BookRead> {
    if (last && last.begun >= since) return Promise.resolve(last);
    if (running && running.begun >= since) return running.result;
    const begun = clock.elapsed();
    const result = readOnce();
    const mine = { begun, result };
    running = mine;
    const done = (): void => {
      if (running === mine) running = null;
      parts.onOver();
    };
    result.then(
      () => {
        failures = 0;
        done();
      },
      () => {
        failures += 1;
        done();
      },
    );
    return result;
  }

  return {
    recovering: () => !recovered,
    read,
    reading: () => running !== null,
    lastBegun: () => lastBegun,
    failures: () => failures,
    watched: watchedHere,
    readFor,
    hasEndedDays: () =>
      disputedHere().some((order) => order.state.kind === 'disputed' && order.state.bookGone),
    forgetSettled() {
      const isOpen = (id: string): boolean => state.openPlaces.has(id);
      for (const id of absentReads.keys()) if (!isOpen(id)) absentReads.delete(id);
      brokerClock.forget(isOpen);
    },
    day: (hasSession) => brokerClock.day({ hasSession, hasRead: last !== null }),
  };
}

/** A book that was read under two sessions may be of neither account. */
function sessionChanged(broker: BrokerId): BrokerError {
  const message = 'another user logged in while the order book was being read';
  return new BrokerError(broker, { kind: 'bad_payload', message });
}
