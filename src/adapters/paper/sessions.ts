import { exchangeOf, type InstrumentName } from '../../domain/instrument.ts';
import { istDay, istTime, nextTokenExpiry } from '../../domain/ist.ts';
import { closeOf, isMarketOpen, isTradingDay } from '../../domain/market-hours.ts';
import { plus, type EpochMs } from '../../units/branded.ts';

/**
 * `always`: one session from each 06:00 IST to the next, for the demo and for rehearsals at night.
 */
export type MarketHours = 'exchange' | 'always';

const OPENS = '09:15';
const DAY_MS = 86_400_000;
/** Ending at 06:00 would be too late to read: the book of the day is gone then. */
const ENDS_BEFORE_MS = 30 * 60_000;

/**
 * Whether orders of an instrument trade now: from 09:15 to the close (docs/spec/market-hours.md).
 */
export function isSessionOpen(
  at: EpochMs,
  hours: MarketHours,
  instrument: InstrumentName,
): boolean {
  return takesOrders(at, hours, instrument) && (hours === 'always' || at >= opening(at));
}

const opening = (at: EpochMs): EpochMs => istTime(istDay(at), OPENS);

/** Whether a regular order is accepted now: from 09:00 on, although it trades from 09:15. */
export function takesOrders(at: EpochMs, hours: MarketHours, instrument: InstrumentName): boolean {
  return hours === 'always' || isMarketOpen(at, exchangeOf(instrument));
}

/** The first opening strictly after an instant, epoch ms. */
export function nextOpening(at: EpochMs, hours: MarketHours): EpochMs {
  if (hours === 'always') return nextTokenExpiry(at);
  let day = istDay(at);
  while (!isTradingDay(day) || istTime(day, OPENS) <= at) {
    day = istDay(plus(istTime(day, '12:00'), DAY_MS));
  }
  return istTime(day, OPENS);
}

/** When the session of an instant ends, and its DAY orders with it. Epoch ms. */
export function sessionEnd(at: EpochMs, hours: MarketHours, instrument: InstrumentName): EpochMs {
  if (hours === 'exchange') return istTime(istDay(at), closeOf(exchangeOf(instrument)));
  const end = plus(nextTokenExpiry(at), -ENDS_BEFORE_MS);
  return end > at ? end : plus(end, DAY_MS);
}
