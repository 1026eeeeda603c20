import type { BrokerOrder } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Decision, SingleWriter } from '../../platform/single-writer.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { otherInstrumentBy } from '../order/attempt.ts';
import type { OrderRecord } from '../order/order.ts';
import { dayClosed, lastBookDay, type MarketHours } from '../order/order-day.ts';
import { createOthersReport } from './other-accounts.ts';
import { type BookMemory, createBookMemory } from './book-memory.ts';
import { createBrokerClock, createClockReport } from './broker-clock.ts';
import type { ReadNeeds } from './read-schedule.ts';
import type { BookObservation } from './book-observation.ts';
import { type BookTaken, earlierBooks, readBook } from './book-content.ts';
import { earlierFills } from './earlier-fills.ts';
import { createDayComparison } from './day-comparison.ts';
import { createEndedOrders, type EndedOrders } from './ended-orders.ts';
import { createRowsFor } from './lost-rows.ts';
import { createOrdersOfBook } from './orders-of-book.ts';
import { openOrdersOfTriggers } from '../triggers/decide-trigger-orders.ts';
import { createDistinctRows } from './one-row-per-order.ts';
import { reconcileBook, type BookReading } from './reconcile.ts';
import { bearsOutRefusal } from './absence.ts';
import { createSharedReads } from './shared-reads.ts';
import { createGapReport } from './unread-rows.ts';
import { areTradesNeeded } from './untold-by-rows.ts';
import type { BookRead, ShownRead } from './book-read.ts';
import { asShown, unlessUnwritten } from './unwritten-read.ts';
import {
  type AttemptId,
  type ElapsedMs,
  type EpochMs,
  LONG_AGO,
  type TradingDay,
} from '../../units/branded.ts';

/** Reads a broker's order book and reconciles it. Callers who ask at the same time share one read. */
export interface BookReader {
  /** True until the first complete read since the start has been reconciled. */
  recovering(): boolean;
  /** A read begun at `since` (elapsed ms) or later; rejects with a BrokerError. */
  read(since: ElapsedMs): Promise<BookRead>;
  /** The same; where the disk does not take what it tells, the read as the broker gave it, not complete. */
  readUnwritten(since: ElapsedMs): Promise<BookRead>;
  /** See SharedReads. */
  nextRead(): Promise<BookRead>;
  /** Whether a read is under way. */
  reading(): boolean;
  /** The last read that succeeded in this process; null before one. */
  lastRead(): BookRead | null;
  /** When the last read began; LONG_AGO when there was none. */
  lastBegun(): ElapsedMs;
  /** Reads that have failed since one that did not. */
  failures(): number;
  /** This broker's orders that may still change. */
  watched(): readonly OrderRecord[];
  /** Those, lately ended ones, and disputed and absent ones whose book is not gone: it may tell more. */
  readFor(): readonly OrderRecord[];
  /** Takes in the books of days before `today` that the broker keeps, for orders of those days. */
  readEarlier(today: TradingDay): Promise<void>;
  /** Whether there is a reason to read the book now or soon. */
  wantsBook(): boolean;
  /** What else it waits for, beside orders. */
  waits(): Pick<ReadNeeds, 'hasGaps' | 'hasEndedDays' | 'comparisonIn' | 'late' | 'ofTriggers'>;
  /** Forgets the counts of placings whose outcome is known. */
  forgetSettled(): void;
  /** The broker's day, as BrokerClock has it; null while there is no reason to believe any. */
  day(hasSession: boolean): TradingDay | null;
  /** The time at the broker (epoch ms), as BrokerClock has it. */
  now(): EpochMs;
}

export interface ReaderParts {
  readonly trading: Trading;
  /** Names the instruments of rows. */
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly settings: {
    readonly absentAfterMs: number;
    readonly marketHours: MarketHours;
    readonly tagMark: string;
  };
  /** Awaited before a book is read: its rows are named by the instrument lists. */
  readonly beforeRead: () => Promise<void>;
  /** Called after every read that was taken in. */
  readonly onRead: (read: BookRead) => void;
  /** Called when a read has begun (elapsed ms), and when one is over, however it ended. */
  readonly onBegun: (begun: ElapsedMs) => void;
  readonly onOver: () => void;
}

export function createBookReader(parts: ReaderParts): BookReader {
  const { trading, writer, clock } = parts;
  const [{ state }, { broker }] = [writer, trading];
  let [recovered, lastBegun] = [false, LONG_AGO];
  /** Complete reads that lacked an open placing. */
  const absentReads = new Map<AttemptId, number>();
  const [memory, distinct] = [createBookMemory(broker), createDistinctRows()];
  const isOther = otherInstrumentBy(parts.instruments);
  const takeIn = createTakeIn(parts, memory, absentReads);
  const brokerClock = createBrokerClock(trading, clock, state);
  const ended = createEndedOrders(state, trading, clock);
  const told = createToldByReads(ended);
  const orders = createOrdersOfBook(state, broker, ended.ids);
  const own = { broker, isOther, tagged: trading.tagging === 'always' };
  const reporting = { broker, writer, clock };
  const reports = { clock: createClockReport(reporting), others: createOthersReport(reporting) };
  const gaps = createGapReport({ ...reporting, isOther });
  const comparison = createDayComparison(state, broker, brokerClock);
  const reads = createSharedReads(readOnce, parts);
  writer.onChange((change) => {
    memory.note(change);
    brokerClock.note(change);
    ended.note(change);
  });

  const readFor = (): OrderRecord[] =>
    orders.readFor(brokerClock.day({ hasSession: true, hasRead: true }) ?? '');
  const ofTriggers = () => openOrdersOfTriggers(state, broker, clock.now());

  async function readOnce(): Promise<BookRead> {
    const begunAt = clock.now();
    const begun = clock.elapsed();
    lastBegun = begun;
    parts.onBegun(begun);
    await parts.beforeRead();
    const isComparison = comparison.dueIn() === 0;
    const areDue = (isUntold: boolean): boolean =>
      isComparison || ended.areTradesDue(begun, isUntold);
    const needsTrades = (rows: readonly BrokerOrder[]): boolean => {
      const of = { of: readFor(), ofTriggers: ofTriggers(), watched: orders.watched() };
      return areTradesNeeded({ state, isOther, areDue }, of, rows);
    };
    const content = await readBook(parts, distinct, needsTrades);
    if (content.fills !== null) ended.tradesRead(begun);
    const times = brokerClock.timesOf({ begunAt, begun }, content.rows, content.fills);
    const read = { ...times, ...content };
    const earlier = earlierFills(reads.lastRead(), { ...read, begun });
    const shown = { ...read, ...own, earlier, begun };
    return unlessUnwritten(() => take(shown, isComparison), shown);
  }

  async function take(read: ShownRead & BookTaken, isComparison: boolean): Promise<BookRead> {
    const { begun } = read;
    await reports.clock(read.aheadMs);
    const reading = await takeIn(read, told.before(begun));
    const { complete } = reading;
    told.note(reading, read);
    if (isComparison && read.fills !== null) comparison.done(read.begunAt);
    const dated = { ...read, day: tradingDay(read.begunAt), complete };
    const usability = await gaps.note(begun, dated, read.unreadTrades);
    for (const id of reading.lacked) absentReads.set(id, (absentReads.get(id) ?? 0) + 1);
    recovered ||= complete || gaps.isUsable();
    const seen = { ...read, complete, ...usability };
    await reports.others(seen);
    return { ...seen, bearsOutRefusal: bearsOutRefusal(state, seen) };
  }

  return {
    recovering: () => !recovered,
    read: reads.read,
    readUnwritten: (since) => reads.read(since).catch(asShown),
    ...{ nextRead: reads.next, reading: reads.reading, lastRead: reads.lastRead },
    lastBegun: () => lastBegun,
    failures: reads.failures,
    watched: orders.watched,
    readFor,
    async readEarlier(today) {
      const days = orders.watched().map(lastBookDay);
      for (const book of await earlierBooks(trading, days, today)) await takeIn(book);
      memory.forget();
    },
    wantsBook: () =>
      gaps.isWaiting() || comparison.dueIn() === 0 || readFor().length + ofTriggers().length > 0,
    waits: () => ({
      late: new Set(ended.ids().filter((id) => !state.watched.has(id))),
      hasGaps: gaps.isWaiting(),
      ofTriggers: ofTriggers(),
      comparisonIn: comparison.dueIn(),
      hasEndedDays: orders.disputed().some((order) => 'bookGone' in order.state),
    }),
    forgetSettled() {
      const isOpen = (id: AttemptId): boolean => state.openPlaces.has(id);
      for (const id of absentReads.keys()) if (!isOpen(id)) absentReads.delete(id);
      brokerClock.forget(isOpen);
    },
    day: (hasSession) => brokerClock.day({ hasSession, hasRead: reads.lastRead() !== null }),
    now: brokerClock.now,
  };
}

type Told = Pick<BookReading, 'elsewhere' | 'seenOnce'>;

type Earlier = Pick<
  BookObservation,
  'workingFor' | 'lostFor' | 'leftAsideFor' | 'elsewhere' | 'seenOnce'
>;

/** What earlier reads told, for those after them. */
function createToldByReads(ended: EndedOrders) {
  const [lostRows, asideRows] = [createRowsFor(), createRowsFor()];
  let last: Told = { elsewhere: new Map(), seenOnce: new Map() };
  return {
    /** For a read that began at `begun`, in elapsed ms. */
    before(begun: ElapsedMs): Earlier {
      const [workingFor, lostFor] = [ended.workingFor(begun), lostRows.lastedFor(begun)];
      return { ...{ workingFor, lostFor }, leftAsideFor: asideRows.lastedFor(begun), ...last };
    },
    note(reading: BookReading, { rows, begun }: Pick<ShownRead, 'rows' | 'begun'>): void {
      last = reading;
      ended.noteWorking(reading.workAgain, rows, begun);
      lostRows.note(reading.lost, begun);
      asideRows.note(reading.leftAside, begun);
    },
  };
}

/** Takes in what was read of a book. */
function createTakeIn(
  { trading, writer, clock, settings, instruments }: ReaderParts,
  memory: BookMemory,
  absentReads: ReadonlyMap<AttemptId, number>,
): (read: BookTaken, earlier?: Earlier) => Promise<BookReading> {
  const { broker } = trading;
  const isOther = otherInstrumentBy(instruments);
  const isLocal = trading.isLocal === true;
  const tagged = trading.tagging === 'always';
  const marketAsLimit = trading.marketAsLimit === true;
  const rule = {
    afterMs: settings.absentAfterMs,
    dayClosed: (order: OrderRecord) => dayClosed(order, settings.marketHours),
  };
  // A book of an earlier day is read once.
  const nothing: Earlier = {
    ...{ workingFor: new Map(), lostFor: new Map(), leftAsideFor: new Map() },
    ...{ elsewhere: new Map(), seenOnce: null },
  };
  return async (read, earlier = nothing) => {
    const observe = (current: ExecutionState): Decision<Change, BookReading> =>
      reconcileBook(
        current,
        {
          ...{ ...read, broker, tagged, isOther, absentReads, ...earlier, rule, isLocal },
          tagMark: settings.tagMark,
          marketAsLimit,
          at: clock.now(),
        },
        memory,
      );
    try {
      const reading = await writer.submit(observe);
      memory.keep(writer.state);
      return reading;
    } catch (error) {
      memory.forget();
      throw error;
    }
  };
}
