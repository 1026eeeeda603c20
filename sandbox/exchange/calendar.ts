import {
  DAY_MS,
  MINUTE_MS,
  HOUR_MS,
  brokerDayEnd,
  brokerDayStart,
  istAt,
  istDate,
  istMidnight,
  istWeekday,
} from '../kernel/ist.ts';
import type { Instrument } from './instrument.ts';

export type MarketMode = 'always-open' | 'exchange';

/**
 * NSE equity holidays of 2026 (docs/spec/market-hours.md). In any other year only weekends are
 * closed.
 */
const holidays = new Set([
  '2026-01-15',
  '2026-01-26',
  '2026-03-03',
  '2026-03-26',
  '2026-03-31',
  '2026-04-03',
  '2026-04-14',
  '2026-05-01',
  '2026-05-28',
  '2026-06-26',
  '2026-09-14',
  '2026-10-02',
  '2026-10-20',
  '2026-11-10',
  '2026-11-24',
  '2026-12-25',
]);

export function isTradingDay(at: number): boolean {
  const weekday = istWeekday(at);
  return weekday !== 0 && weekday !== 6 && !holidays.has(istDate(at));
}

type Place = Instrument['exchange'];

export interface Calendar {
  /** Whether orders are accepted (pre-open included). */
  accepts(at: number, place: Place): boolean;
  /** Whether orders match. */
  matches(at: number, place: Place): boolean;
  /** Whether after-market orders are accepted. */
  acceptsAfterMarket(at: number): boolean;
  /** When a DAY order sent at `at` lapses, epoch ms. */
  sessionEnd(at: number, place: Place): number;
  /** The next start of continuous trading after `at`, epoch ms. */
  nextOpen(at: number): number;
  /** The start of the trading day that prices at `at` belong to, epoch ms. */
  dayStart(at: number): number;
  /**
   * `at`, or the last instant of trading before it: prices do not move while the market is closed.
   */
  marketTime(at: number): number;
  /** The instant whose price is the previous close, epoch ms. */
  previousClose(at: number): number;
}

const open = (at: number): number => istAt(at, 9, 15);
/** Since August 2026 derivatives trade ten minutes longer (docs/spec/market-hours.md). */
const close = (at: number, place: Place = 'NSE'): number =>
  place === 'NFO' ? istAt(at, 15, 40) : istAt(at, 15, 30);

/**
 * Always open: a day runs from 06:00 to 06:00 IST. DAY orders lapse at 05:30, half an hour before
 * the book is cleared, so that their end can still be read.
 */
const alwaysOpen: Calendar = {
  accepts: () => true,
  matches: () => true,
  acceptsAfterMarket: () => false,
  sessionEnd: (at) => {
    const end = brokerDayEnd(at) - HOUR_MS / 2;
    return end > at ? end : end + DAY_MS;
  },
  nextOpen: (at) => at,
  dayStart: brokerDayStart,
  marketTime: (at) => at,
  previousClose: (at) => brokerDayStart(at) - MINUTE_MS,
};

function lastTradingDay(at: number): number {
  let day = istMidnight(at);
  while (!isTradingDay(day)) day -= DAY_MS;
  return day;
}

function nextOpen(at: number): number {
  let day = at;
  while (!isTradingDay(day) || open(day) <= at) day = istMidnight(day) + DAY_MS;
  return open(day);
}

/**
 * The hours of the exchange. `closes` has the days on which it closes at another time than 15:30, by
 * `YYYY-MM-DD`: as on 24 February 2021, when it halted at 11:40 and traded until 17:00.
 */
function exchangeHours(closes: ReadonlyMap<string, number>): Calendar {
  const closeOf = (at: number, place?: Place): number =>
    closes.get(istDate(at)) ?? close(at, place);

  function marketTime(at: number): number {
    if (!isTradingDay(at)) return closeOf(lastTradingDay(at)) - 1000;
    if (at < open(at)) return closeOf(lastTradingDay(istMidnight(at) - 1)) - 1000;
    return Math.min(at, closeOf(at) - 1000);
  }

  return {
    accepts: (at, place) => isTradingDay(at) && at >= istAt(at, 9, 0) && at < closeOf(at, place),
    matches: (at, place) => isTradingDay(at) && at >= open(at) && at < closeOf(at, place),
    acceptsAfterMarket: (at) =>
      !isTradingDay(at) || at >= istAt(at, 16, 0) || at < istAt(at, 8, 58),
    sessionEnd: (at, place) =>
      isTradingDay(at) && at < closeOf(at, place)
        ? closeOf(at, place)
        : closeOf(nextOpen(at), place),
    nextOpen,
    dayStart: (at) => open(marketTime(at)),
    marketTime,
    previousClose: (at) => closeOf(lastTradingDay(istMidnight(marketTime(at)) - 1)) - 1000,
  };
}

/** `closes`: when the exchange closes on days on which it is not at 15:30, epoch ms by IST day. */
export const calendarOf = (
  mode: MarketMode,
  closes: Readonly<Record<string, number>> = {},
): Calendar =>
  mode === 'always-open' ? alwaysOpen : exchangeHours(new Map(Object.entries(closes)));
