import { istDay, istTime, istTimeOfDay, istWeekday } from './ist.ts';

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

const minutes = (hours: number, minute: number): number => (hours * 60 + minute) * 60_000;
const PRE_OPEN = minutes(9, 0);
const CLOSE = minutes(15, 30);

/** Whether a list of holidays is known for the day's year; without one, weekends alone count. */
export function holidaysKnown(day: string): boolean {
  return HOLIDAYS[day.slice(0, 4)] !== undefined;
}

export function isTradingDay(day: string): boolean {
  const weekday = istWeekday(day);
  if (weekday === 0 || weekday === 6) return false;
  return !(HOLIDAYS[day.slice(0, 4)] ?? []).includes(day);
}

/**
 * Whether the exchange takes an ordinary order now: 09:00 (pre-open entry) to 15:30 IST on a trading
 * day. Outside, only an after-market order is taken.
 */
export function isMarketOpen(at: number): boolean {
  const time = istTimeOfDay(at);
  return isTradingDay(istDay(at)) && time >= PRE_OPEN && time < CLOSE;
}

/** The first trading day after an IST day. */
export function nextTradingDay(day: string): string {
  let next = day;
  do next = istDay(istTime(next, '12:00') + 86_400_000);
  while (!isTradingDay(next));
  return next;
}
