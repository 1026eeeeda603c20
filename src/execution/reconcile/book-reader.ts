import type { BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { InstrumentLookup } from '../../domain/instrument.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Decision, SingleWriter } from '../../platform/single-writer.ts';
import type { Change } from '../journal/records.ts';
import { filledByTrades, type ExecutionState } from '../journal/state.ts';
import { type IsOtherInstrument, otherInstrumentBy } from '../order/attempt.ts';
import { bindingOf, brokerOrderIdOf, fillOf, isOver, type OrderRecord } from '../order/order.ts';
import { dayClosed, lastBookDay, type MarketHours } from '../order/order-day.ts';
import { createOthersReport, type SessionBook } from './other-accounts.ts';
import { type BookMemory, createBookMemory } from './book-memory.ts';
import { createBrokerClock, createClockReport } from './broker-clock.ts';
import type { ReadNeeds } from './read-schedule.ts';
import type { BookObservation } from './book-observation.ts';
import { type BookTaken, earlierBooks, readBook } from './book-content.ts';
import { type EarlierFill, earlierFills } from './earlier-fills.ts';
import { createDayComparison } from './day-comparison.ts';
import { createEndedOrders } from './ended-orders.ts';
import { createRowsFor, withoutRow } from './lost-rows.ts';
import { createOrdersOfBook } from './orders-of-book.ts';
import { openOrdersOfTriggers } from '../triggers/decide-trigger-orders.ts';
import { isUntoldBy, type OrderOfTrigger, wantsTrades } from '../triggers/trigger-order.ts';
import { createDistinctRows } from './one-row-per-order.ts';
import { reconcileBook, type BookReading } from './reconcile.ts';
import { bearsOutRefusal } from './absence.ts';
import { rowsById } from './rows-by-id.ts';
import { createSharedReads } from './shared-reads.ts';
import { createGapReport, type Usability } from './unread-rows.ts';
import {
  type AttemptId,
  type ElapsedMs,
  type EpochMs,
  LONG_AGO,
  type TradingDay,
} from '../../units/branded.ts';

export interface BookRead extends Usability, SessionBook {
  readonly rows: readonly BrokerOrder[];
  /** Rows of it that cannot be read whole. */
  readonly unread: readonly UnreadRow[];
  readonly earlier: readonly EarlierFill[];
  /** Wall time at which the read began. */
  readonly begunAt: EpochMs;
  /** The same in elapsed ms. */
  readonly begun: ElapsedMs;
  /** Whether it holds every id that was seen at the broker earlier the same day. */
  readonly complete: boolean;
  /** Whether a placing that was refused before the read began can be believed refused. */
  bearsOutRefusal(attemptId: AttemptId): boolean;
}

/** Reads a broker's order book and reconciles it. Callers who ask at the same time share one read. */
export interface BookReader {
  /** True until the first complete read since the start has been reconciled. */
  recovering(): boolean;
  /** A read begun at `since` (elapsed ms) or later; rejects with a BrokerError. */
  read(since: ElapsedMs): Promise<BookRead>;
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
  let told: Told = { elsewhere: new Map(), seenOnce: new Map() };
  /** Complete reads that lacked an open placing. */
  const absentReads = new Map<AttemptId, number>();
  const [memory, distinct] = [createBookMemory(broker), createDistinctRows()];
  const isOther = otherInstrumentBy(parts.instruments);
  const takeIn = createTakeIn(parts, memory, absentReads);
  const brokerClock = createBrokerClock(trading, clock, state);
  const ended = createEndedOrders(state, trading, clock);
  const [lostRows, asideRows] = [createRowsFor(), createRowsFor()];
  const orders = createOrdersOfBook(state, broker, ended.ids);
  const reporting = { broker, writer, clock };
  const reportClock = createClockReport(reporting);
  const reportOthers = createOthersReport(reporting);
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
    const needsTrades = (rows: readonly BrokerOrder[]): boolean => {
      const of = { of: readFor(), ofTriggers: ofTriggers() };
      const isUntold = haveUntold(of, rows) || orders.watched().some(isUnclearEnd);
      if (isComparison || ended.areTradesDue(begun, isUntold)) return true;
      return hasNewFills(state, of, rows, isOther);
    };
    const content = await readBook(parts, distinct, needsTrades);
    const { rows, fills } = content;
    if (fills !== null) ended.tradesRead(begun);
    const times = brokerClock.timesOf({ begunAt, begun }, rows, fills);
    await reportClock(times.aheadMs);
    const read = { ...times, ...content };
    const [workingFor, lostFor] = [ended.workingFor(begun), lostRows.lastedFor(begun)];
    const leftAsideFor = asideRows.lastedFor(begun);
    const reading = await takeIn(read, { workingFor, lostFor, leftAsideFor, ...told });
    const { complete, lacked, workAgain, lost } = reading;
    told = reading;
    ended.noteWorking(workAgain, rows, begun);
    lostRows.note(lost, begun);
    asideRows.note(reading.leftAside, begun);
    if (isComparison && fills !== null) comparison.done(times.begunAt);
    const dated = { ...read, day: tradingDay(times.begunAt), complete };
    const usability = await gaps.note(begun, dated, read.unreadTrades);
    for (const id of lacked) absentReads.set(id, (absentReads.get(id) ?? 0) + 1);
    recovered ||= complete || gaps.isUsable();
    const tagged = trading.tagging === 'always';
    const earlier = earlierFills(reads.lastRead(), { ...read, begun });
    const seen = { ...read, earlier, broker, tagged, isOther, complete, begun, ...usability };
    await reportOthers(seen);
    return { ...seen, bearsOutRefusal: bearsOutRefusal(state, seen) };
  }

  return {
    recovering: () => !recovered,
    read: reads.read,
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

/** Takes in what was read of a book; what earlier reads told is kept by EndedOrders, RowsFor and the reader. */
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

/** Whether the last row of an order that is not over says that all of it is filled: the trades may tell. */
function isUnclearEnd(order: OrderRecord): boolean {
  return order.state.kind === 'working' && bindingOf(order)?.row?.status === 'filled';
}

interface ReadFor {
  readonly of: readonly OrderRecord[];
  readonly ofTriggers: readonly OrderOfTrigger[];
}

/** Whether the trades may tell what the rows do not. */
const haveUntold = ({ of, ofTriggers }: ReadFor, rows: readonly BrokerOrder[]): boolean =>
  withoutRow(of, rows).length > 0 || ofTriggers.some((each) => isUntoldBy(each, rows));

/** Whether a row shows fills that are not known, or the order of a row is to be found. */
function hasNewFills(
  state: ExecutionState,
  { of: orders, ofTriggers }: ReadFor,
  rows: readonly BrokerOrder[],
  isOther: IsOtherInstrument,
): boolean {
  if (ofTriggers.some((each) => wantsTrades(each, rows))) return true;
  if (orders.some((order) => order.state.kind === 'uncertain')) return true;
  const byId = new Map(orders.map((order) => [brokerOrderIdOf(order), order]));
  const shown = rowsById(rows);
  return [...byId].some(([id, order]) =>
    (id === null ? [] : shown.of(id)).some((row) => {
      // What has ended has its trades read by itself (EndedOrders), also where its row goes on saying nothing.
      const isSettled = isOver(order) && fillOf(order).filledQuantity !== null;
      if (row.filledQuantity === null && isFinalRow(row.status) && isSettled) return false;
      if ((row.filledQuantity ?? Infinity) <= filledByTrades(state, order.id)) return false;
      // Another order's row may stand under the same id.
      const isAlike = row.side === order.terms.side && !isOther(order, row);
      return isAlike || bindingOf(order)?.by === 'person';
    }),
  );
}
