import { istDay, istTime, istWeekday } from './ist.ts';
import { plus, type EpochMs } from '../units/branded.ts';

/** Equity trading holidays of the National Stock Exchange, by year; sources: docs/spec/market-hours.md. */
const HOLIDAYS: Readonly<Record<string, readonly string[]>> = {
  '2026': [
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
  ],
};

/** From then on an exchange accepts orders, `HH:MM` IST. */
export const PRE_OPEN = '09:00';
const CLOSE = '15:30';
/**
 * Exchanges where trading ends at another time than for shares; sources: docs/spec/market-hours.md.
 */
const OTHER_CLOSES: Readonly<Record<string, string>> = {
  NFO: '15:40',
  BFO: '15:40',
  CDS: '17:00',
  BCD: '17:00',
  MCX: '23:55',
};

/** Days of trading that are no ordinary ones; the hours of such a session are not known here. */
const SPECIAL_SESSIONS = [{ day: '2026-11-08', name: 'Muhurat' }] as const;

/** Whether the holidays of the day's year are known; without them, only weekends count. */
export function holidaysKnown(day: string): boolean {
  return HOLIDAYS[day.slice(0, 4)] !== undefined;
}

export function isTradingDay(day: string): boolean {
  const weekday = istWeekday(day);
  if (weekday === 0 || weekday === 6) return false;
  return !(HOLIDAYS[day.slice(0, 4)] ?? []).includes(day);
}

/** The holidays of a year, ascending; null where its list is not known. */
export function holidaysOf(year: string): readonly string[] | null {
  return HOLIDAYS[year] ?? null;
}

export function specialSessionsOf(year: string): readonly { day: string; name: string }[] {
  return SPECIAL_SESSIONS.filter(({ day }) => day.startsWith(`${year}-`));
}

/** When trading ends at an exchange, `HH:MM` IST; `exchange` as in an instrument's name: NSE, NFO, … */
export function closeOf(exchange: string): string {
  return OTHER_CLOSES[exchange] ?? CLOSE;
}

/**
 * Whether an exchange accepts a regular order now: from 09:00 (pre-open entry) to its close on a
 * trading day. At other times it accepts only after-market orders.
 */
export function isMarketOpen(at: EpochMs, exchange: string): boolean {
  const day = istDay(at);
  if (!isTradingDay(day)) return false;
  return at >= istTime(day, PRE_OPEN) && at < istTime(day, closeOf(exchange));
}

/** The next instant from which exchanges accept regular orders. */
export function nextOpening(at: EpochMs): EpochMs {
  const day = istDay(at);
  const isToday = isTradingDay(day) && at < istTime(day, PRE_OPEN);
  return istTime(isToday ? day : nextTradingDay(day), PRE_OPEN);
}

/** The first trading day after an IST day. */
export function nextTradingDay(day: string): string {
  let next = day;
  do next = istDay(plus(istTime(next, '12:00'), 86_400_000));
  while (!isTradingDay(next));
  return next;
}
