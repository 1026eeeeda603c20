import type { BrokerOrder, RowTiming } from '../../domain/broker-order.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import { istDay, istTime, istTimeOfDay, tradingDay } from '../../domain/ist.ts';
import {
  closeOf,
  holidaysKnown,
  isMarketOpen,
  isTradingDay,
  nextTradingDay,
} from '../../domain/market-hours.ts';
import { isFinalRow, type OrderTerms } from '../../domain/order.ts';
import {
  type CalendarDay,
  epochMs,
  type EpochMs,
  later,
  plus,
  type TradingDay,
} from '../../units/branded.ts';
import type { FillRecord } from './fills.ts';
import type { OrderRecord } from './order.ts';

export type MarketHours = 'exchange' | 'always';

/**
 * The time of day by which no session has ever been open, extended ones included; 24 February 2021 ran
 * to 17:00 (docs/spec/market-hours.md). Rows have been a quarter of an hour late besides.
 */
const ALL_SESSIONS_OVER = '20:00';
/** For an exchange that closes after that, so long after its close. */
const LATE_MARGIN_MS = 3 * 3_600_000;
/** What was taken as an after-market order before trading begins is of the same day's session. */
const OPENING_MS = (9 * 60 + 15) * 60_000;
const DAY_MS = 86_400_000;
/** In rehearsals that trade at all hours, the day's last book is read before it is cleared at 06:00. */
const REHEARSAL_END = '05:45';
/** No book alone can tell that an order was not taken. */
const UNDECIDABLE = epochMs(Infinity);

/**
 * The instant from which a whole book holds every order of the day that it ever will
 * (docs/spec/market-hours.md). Infinity where no book alone can tell that an order was not taken.
 */
export function dayClosed(order: OrderRecord, hours: MarketHours): EpochMs {
  const sentAt = order.createdAt;
  if (hours === 'always') {
    const end = plus(istTime(lastBookDay(order), REHEARSAL_END), DAY_MS);
    return end > sentAt ? end : UNDECIDABLE;
  }
  // What is taken outside the session is decided at the close of the next one.
  if (order.terms.amo) {
    return hasOneSession(order) ? settledOn(lastBookDay(order), order) : UNDECIDABLE;
  }
  const day = istDay(sentAt);
  const settled = settledOn(day, order);
  return isTradingDay(day) && sentAt < settled ? settled : settledOn(nextTradingDay(day), order);
}

function settledOn(day: CalendarDay | TradingDay, { terms }: OrderRecord): EpochMs {
  const close = istTime(day, closeOf(exchangeOf(terms.instrument)));
  return later(istTime(day, ALL_SESSIONS_OVER), plus(close, LATE_MARGIN_MS));
}

/**
 * Whether no other session than the one that is foreseen can have taken an after-market order: a
 * special one on a day between, or the one after a holiday that no list told of.
 */
function hasOneSession(order: OrderRecord): boolean {
  return bookDays(order).length <= 2 && holidaysKnown(lastBookDay(order));
}

/** The broker's days in whose books an order may be found, first to last. */
export function bookDays(order: OrderRecord): TradingDay[] {
  const last = lastBookDay(order);
  const days = [order.day];
  for (let day = order.day; day < last; days.push(day)) {
    day = tradingDay(plus(istTime(day, '12:00'), DAY_MS));
  }
  return days;
}

/** What tells in which books an order is found. */
type BookDays = Pick<OrderRecord, 'day' | 'createdAt'> & {
  readonly terms: Pick<OrderTerms, 'amo'>;
};

/**
 * The last of the broker's days in whose book an order is found: an AMO lives on to the next
 * session.
 */
export function lastBookDay(order: BookDays): TradingDay {
  if (!order.terms.amo) return order.day;
  // Written down by a clock that was a day off: its time of day says nothing about the session.
  if (tradingDay(order.createdAt) !== order.day) return nextTradingDay(order.day);
  // Taken in the morning, it is of this very day's session.
  const day = istDay(order.createdAt);
  const early = istTimeOfDay(order.createdAt) < OPENING_MS;
  // The session of a calendar day is in the broker's day of the same date.
  return early && isTradingDay(day) ? tradingDay(istTime(day, '12:00')) : nextTradingDay(day);
}

/**
 * The broker's day on which an order has traded: that of its trades, where they are known. Before that it is the last
 * day in whose book the order is found, which for an AMO goes by the clock of this computer.
 */
export function tradedOn(
  order: Pick<OrderRecord, 'terms' | 'day' | 'createdAt'>,
  fills: readonly Pick<FillRecord, 'day'>[],
): TradingDay {
  const [first, ...others] = fills.map(({ day }) => day);
  if (first === undefined) return lastBookDay(order);
  return others.reduce((earliest, day) => (day < earliest ? day : earliest), first);
}

/** The day of the session in which an order trades that is placed now: of an AMO the next one's. */
export const sessionDay = (terms: OrderTerms, now: EpochMs): TradingDay =>
  lastBookDay({ terms, day: tradingDay(now), createdAt: now });

export const dayBefore = (day: TradingDay): TradingDay =>
  tradingDay(plus(istTime(day, '12:00'), -DAY_MS));

/**
 * Whether a row is of an earlier day, in a book not cleared yet: the next book may be complete
 * without it.
 */
export function isOfEarlierDay(row: Pick<BrokerOrder, 'createdAt'>, day: TradingDay): boolean {
  return row.createdAt !== null && tradingDay(row.createdAt) < day;
}

/**
 * Whether a row of a book that is not cleared yet is of a session before a day's, so that its order moves no shares on
 * that day: it was made for that session, has not changed since, and has ended, or was for the day alone. What was
 * made outside the hours of its exchange is of the next session, as an after-market order is; what waits for a trigger
 * may wait for days.
 */
export function isOfEndedSession(
  row: RowTiming & Pick<BrokerOrder, 'instrument' | 'status'>,
  day: TradingDay,
): boolean {
  const { createdAt, updatedAt, instrument, status, validity, triggerPrice } = row;
  if (createdAt === null || !isOfEarlierDay(row, day)) return false;
  if (updatedAt !== null && tradingDay(updatedAt) >= day) return false;
  const madeOn = tradingDay(createdAt);
  const isForNext = !isMarketOpen(createdAt, exchangeOf(instrument));
  const session = isForNext
    ? lastBookDay({ terms: { amo: true }, day: madeOn, createdAt })
    : madeOn;
  if (session >= day) return false;
  if (isFinalRow(status)) return true;
  // That day may have been a holiday that no list told of: such an order waits for the next session.
  const isSent = updatedAt !== null && tradingDay(updatedAt) >= session;
  if (isForNext && !isSent) return false;
  return status === 'working' && DAY_ONLY.has(validity) && triggerPrice === null;
}

const DAY_ONLY: ReadonlySet<string> = new Set(['DAY', 'IOC']);
