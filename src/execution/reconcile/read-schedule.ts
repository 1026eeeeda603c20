import { exchangeOf, type InstrumentName } from '../../domain/instrument.ts';
import { nextTokenExpiry } from '../../domain/ist.ts';
import { isMarketOpen } from '../../domain/market-hours.ts';
import { calledAbsentOf, isOver, type OrderRecord } from '../order/order.ts';
import { dayClosed, type MarketHours } from '../order/order-day.ts';
import type { OrderOfTrigger } from '../triggers/trigger-order.ts';
import {
  earlier,
  type ElapsedMs,
  type EpochMs,
  later,
  LONG_AGO,
  NEVER,
  type OrderId,
  plus,
} from '../../units/branded.ts';

/** What decides when a broker's book is read next. */
export interface ReadNeeds {
  /** The broker's orders that may still change, or of which a book may still say something. */
  readonly watched: readonly OrderRecord[];
  /** Those of them that have ended, and of which something may still come. */
  readonly late: ReadonlySet<OrderId>;
  /** Orders that triggers have placed, and of which the book has more to tell. */
  readonly ofTriggers: readonly OrderOfTrigger[];
  /** When each uncertain order was first seen to be so, by order id. */
  readonly uncertainSince: ReadonlyMap<OrderId, ElapsedMs>;
  readonly hasSession: boolean;
  /** Whether no complete read since the start has been reconciled. */
  readonly recovering: boolean;
  /** Whether orders are disputed only because their day was over. */
  readonly hasEndedDays: boolean;
  /** Milliseconds until the whole day is to be compared with the book; null without a comparison. */
  readonly comparisonIn: number | null;
  /** Whether the last read lacked something that may still come. */
  readonly hasGaps: boolean;
  /** LONG_AGO when there was no read. */
  readonly lastBegun: ElapsedMs;
  /** Reads that have failed since one that did not. */
  readonly failures: number;
  /** From when a hint asks for a read; null without one. */
  readonly wantedFrom: ElapsedMs | null;
  readonly told: Told;
  readonly startedAt: ElapsedMs;
  readonly now: EpochMs;
  readonly elapsed: ElapsedMs;
  readonly pollMs: number;
  readonly marketHours: MarketHours;
}

/** What the broker has told by a postback or its order stream. */
export interface Told {
  /** When it told of something that no read begun since can show; null where there is nothing. */
  readonly from: ElapsedMs | null;
  /** When the reads that were begun for it are over if each counts as CACHE_MS; LONG_AGO where there was none. */
  readonly countsUntil: ElapsedMs;
}

/** Reads that nobody waits for are not begun closer together than this (the spec's read cache). */
const CACHE_MS = 500;
/** So many reads for what the broker tells may follow each other at once. */
const TOLD_AT_ONCE = 2;
const CLOSED_POLL_MS = 15_000;
/** For what may come after an order's end. */
const AFTER_END_POLL_MS = 5_000;
const IDLE_CHECK_MS = 60_000;
/** So long after an order's day counts as settled, its row is looked for less often. */
const LATE_AFTER_MS = 3_600_000;
const LATE_CHECK_MS = 300_000;
const WHOLE_SECONDS_MS = 2_000;
/** Reads go on at the day's rate for so long after the close is settled, or after a later change. */
const SETTLED_FOR_MS = 300_000;
const LONGEST_BACKOFF_MS = 5_000;
/** For so long after a start, an incomplete book is read again at once. */
const RECOVERING_MS = 120_000;

/** When the book is due to be read; null when there is nothing to read it for. Pure. */
export function nextReadAt(needs: ReadNeeds): ElapsedMs | null {
  const { watched, lastBegun, wantedFrom } = needs;
  if (!needs.hasSession) {
    const isAwaited = watched.length > 0 || needs.ofTriggers.length > 0;
    return isAwaited ? plus(needs.elapsed, IDLE_CHECK_MS) : null;
  }
  let due = NEVER;
  for (const order of watched) due = earlier(due, dueFor(needs, order));
  for (const { instrument, order } of needs.ofTriggers) {
    const openMs =
      order.state === 'over' ? Math.max(AFTER_END_POLL_MS, needs.pollMs) : needs.pollMs;
    const every = isOpen(needs, instrument) ? openMs : IDLE_CHECK_MS;
    due = earlier(due, plus(lastBegun, every));
  }
  if (needs.recovering && watched.length > 0) due = earlier(due, recoveryDue(needs));
  if (watched.length > 0) due = earlier(due, plus(needs.elapsed, untilDayOver(needs.now)));
  // A book with gaps is used once several reads agree about them.
  if (needs.hasGaps) due = earlier(due, plus(lastBegun, LONGEST_BACKOFF_MS));
  if (needs.comparisonIn !== null) {
    // The trades could not be read: again in a minute.
    const again = needs.comparisonIn === 0 ? plus(lastBegun, IDLE_CHECK_MS) : LONG_AGO;
    due = earlier(due, later(plus(needs.elapsed, needs.comparisonIn), again));
  }
  if (wantedFrom !== null) due = earlier(due, later(wantedFrom, plus(lastBegun, CACHE_MS)));
  // A clock that has ended a day too early may be set right, and nobody is told.
  if (needs.hasEndedDays) due = earlier(due, plus(needs.elapsed, IDLE_CHECK_MS));
  const first = earlier(toldDue(needs) ?? NEVER, later(due, notBefore(lastBegun, needs.failures)));
  return first === NEVER ? null : first;
}

/**
 * When a read is due for what the broker has told; null where none is. It begins at once, however lately another
 * read began: a fill would otherwise be told half a second late. There are two such reads a second, and
 * TOLD_AT_ONCE in a row, since a broker tells that it has taken an order and at once that it is filled.
 * A book that could not be read waits like any other.
 */
export function toldDue({
  told,
  failures,
  lastBegun,
}: Pick<ReadNeeds, 'told' | 'failures' | 'lastBegun'>): ElapsedMs | null {
  if (told.from === null || failures > 0) return null;
  const due = later(told.from, plus(told.countsUntil, -(TOLD_AT_ONCE - 1) * CACHE_MS));
  // A read that began in the same millisecond may have begun before.
  return later(due, plus(lastBegun, 1));
}

/** What is left of it once a read has begun. */
export function afterRead(told: Told, begun: ElapsedMs): Told {
  if (told.from === null || told.from > begun) return told;
  return { from: null, countsUntil: plus(later(told.countsUntil, begun), CACHE_MS) };
}

/** Milliseconds until the day's book is gone by a broker's clock too, which tells whole seconds. */
function untilDayOver(now: EpochMs): number {
  return nextTokenExpiry(plus(now, -WHOLE_SECONDS_MS)) + WHOLE_SECONDS_MS - now;
}

/** The instant before which no read is begun that nobody waits for. */
export function notBefore(lastBegun: ElapsedMs, failures: number): ElapsedMs {
  return plus(lastBegun, Math.min(LONGEST_BACKOFF_MS, CACHE_MS * 2 ** failures));
}

/** A book that stays incomplete is read less often after a while. */
function recoveryDue(needs: ReadNeeds): ElapsedMs {
  const { elapsed, startedAt, lastBegun, watched } = needs;
  if (elapsed - startedAt < RECOVERING_MS) return plus(lastBegun, CACHE_MS);
  const isOpen = watched.some((order) => isTrading(needs, order));
  return plus(lastBegun, isOpen ? LONGEST_BACKOFF_MS : CLOSED_POLL_MS);
}

function dueFor(needs: ReadNeeds, order: OrderRecord): ElapsedMs {
  const { lastBegun, elapsed } = needs;
  const isLate = (): boolean =>
    needs.now >= plus(dayClosed(order, needs.marketHours), LATE_AFTER_MS);
  if (order.state.kind === 'uncertain') {
    const since = needs.uncertainSince.get(order.id) ?? elapsed;
    const next = nextResolvingRead(since, lastBegun, isQuiet(needs, order, since));
    const isRare = elapsed - since >= SETTLED_FOR_MS && isLate();
    return isRare ? plus(lastBegun, LATE_CHECK_MS) : next;
  }
  // A placing that is on its way waits for the answer to its request, not for the book.
  if (order.state.kind === 'sending') return NEVER;
  if (needs.late.has(order.id)) {
    const every = isTrading(needs, order) ? AFTER_END_POLL_MS : CLOSED_POLL_MS;
    return plus(lastBegun, Math.max(every, needs.pollMs));
  }
  const checkMs = (): number => (isLate() ? LATE_CHECK_MS : IDLE_CHECK_MS);
  if (calledAbsentOf(order) !== null) return plus(lastBegun, checkMs());
  if (order.state.kind === 'disputed') {
    return plus(lastBegun, isTrading(needs, order) ? CLOSED_POLL_MS : checkMs());
  }
  // The last fills of an order that has just ended may still be missing.
  const isEnding = isOver(order) && needs.now - order.updatedAt < SETTLED_FOR_MS;
  return plus(lastBegun, isTrading(needs, order) || isEnding ? needs.pollMs : CLOSED_POLL_MS);
}

/** Whether the exchange of an order trades now. */
const isTrading = (needs: ReadNeeds, { terms }: OrderRecord): boolean =>
  isOpen(needs, terms.instrument);

const isOpen = ({ marketHours, now }: ReadNeeds, instrument: InstrumentName): boolean =>
  marketHours === 'always' || isMarketOpen(now, exchangeOf(instrument));

/**
 * Whether an order that is uncertain since `since` is read for less often: the market
 * is shut.
 */
function isQuiet(needs: ReadNeeds, order: OrderRecord, since: ElapsedMs): boolean {
  if (needs.now >= plus(dayClosed(order, needs.marketHours), SETTLED_FOR_MS)) return true;
  return !isTrading(needs, order) && needs.elapsed - since >= SETTLED_FOR_MS;
}

/** When the book is read for an uncertain order: ms after it became so, then every 5 s. */
const POINTS = [250, 500, 1_000, 2_000, 4_000];
const THEN_EVERY = 5_000;
/** After the close, reads are less urgent, and brokers limit the reads of a day. */
const AFTER_HOURS = 60_000;

/**
 * The next instant at which the book is due for something uncertain since `since`, given that the
 * last read began at `last` (LONG_AGO when there was none). `quiet`: the
 * market is shut, and has been for a while. Many that are uncertain share their reads.
 */
export function nextResolvingRead(since: ElapsedMs, last: ElapsedMs, quiet: boolean): ElapsedMs {
  const passed = last - since;
  const point = POINTS.find((each) => each > passed);
  if (point !== undefined) return plus(since, point);
  return plus(last, quiet ? AFTER_HOURS : THEN_EVERY);
}
