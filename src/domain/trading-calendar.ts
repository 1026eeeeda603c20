import { istDay } from './ist.ts';
import {
  closeOf,
  holidaysOf,
  isMarketOpen,
  isTradingDay,
  nextTradingDay,
  PRE_OPEN,
  specialSessionsOf,
} from './market-hours.ts';
import type { EpochMs } from '../units/branded.ts';

/** A part of the day, `HH:MM` IST; a `to` that is not after `from` is on the next day. */
export interface SessionHours {
  readonly name: 'pre_open' | 'continuous' | 'closing_auction' | 'post_close' | 'after_market';
  readonly from: string;
  readonly to: string;
}

export interface ExchangeHours {
  readonly exchange: string;
  /** When it accepts ordinary orders on a trading day, by the rule that the gateway applies. */
  readonly ordersFrom: string;
  readonly close: string;
  /** Those that are known here; empty where none is. */
  readonly sessions: readonly SessionHours[];
  /** Whether the holidays of the calendar are those of this exchange. */
  readonly sameHolidays: boolean;
  readonly openNow: boolean;
}

/** What is known of the days and hours of trading (docs/spec/market-hours.md). */
export interface TradingCalendar {
  readonly year: string;
  /** Ascending; null where the list of the year is not known: then only weekends are left out. */
  readonly holidays: readonly string[] | null;
  readonly specialSessions: readonly { readonly day: string; readonly name: string }[];
  readonly exchanges: readonly ExchangeHours[];
  /** Of the present instant, whatever the year. */
  readonly today: string;
  readonly isTradingDay: boolean;
  readonly nextTradingDay: string;
}

const hours = (name: SessionHours['name'], from: string, to: string): SessionHours => ({
  name,
  from,
  to,
});

const SHARES = [hours('pre_open', '09:00', '09:08'), hours('continuous', '09:15', closeOf('NSE'))];

/** Sessions of each exchange, as far as docs/spec/market-hours.md has them. */
const SESSIONS: Readonly<Record<string, readonly SessionHours[]>> = {
  NSE: [
    ...SHARES,
    hours('closing_auction', '15:15', '15:35'),
    hours('post_close', '15:40', '16:00'),
    hours('after_market', '16:00', '08:58'),
  ],
  BSE: [...SHARES, hours('after_market', '16:00', '08:58')],
  NFO: [hours('continuous', '09:15', closeOf('NFO')), hours('after_market', '15:45', '09:10')],
  BFO: [hours('continuous', '09:15', closeOf('BFO')), hours('after_market', '15:45', '09:10')],
  CDS: [],
  BCD: [],
  MCX: [],
};

const SAME_HOLIDAYS: ReadonlySet<string> = new Set(['NSE', 'BSE', 'NFO', 'BFO']);

/** `year` is that of `now` when absent. */
export function tradingCalendar(now: EpochMs, year = istDay(now).slice(0, 4)): TradingCalendar {
  const today = istDay(now);
  return {
    year,
    holidays: holidaysOf(year),
    specialSessions: specialSessionsOf(year),
    exchanges: Object.entries(SESSIONS).map(([exchange, sessions]) => ({
      exchange,
      ordersFrom: PRE_OPEN,
      close: closeOf(exchange),
      sessions,
      sameHolidays: SAME_HOLIDAYS.has(exchange),
      openNow: isMarketOpen(now, exchange),
    })),
    today,
    isTradingDay: isTradingDay(today),
    nextTradingDay: nextTradingDay(today),
  };
}
