import { istDay, istTime, istTimeOfDay } from '../domain/ist.ts';
import { isTradingDay, nextTradingDay } from '../domain/market-hours.ts';
import type { OrderRecord } from './records.ts';

export type MarketHours = 'exchange' | 'always';

/** After this IST time, brokers have settled what the close at 15:30 did to resting orders. */
const SETTLED = '15:45';
/** An after-market order taken before the opening is of the same day's session. */
const OPENING_MS = 9 * 60 * 60_000;
const SETTLED_MS = (15 * 60 + 45) * 60_000;
/** In rehearsals that trade at all hours, the day's last book is read before it is cleared at 06:00. */
const REHEARSAL_END = '05:45';

/**
 * The instant from which a whole book holds every order of the day that it ever will
 * (docs/spec/market-hours.md).
 */
export function dayClosed(order: OrderRecord, hours: MarketHours): number {
  const sentAt = order.createdAt;
  if (hours === 'always') {
    return istTime(lastBookDay(order), REHEARSAL_END) + 86_400_000;
  }
  // What is taken outside the session is decided at the close of the next one.
  if (order.terms.amo) return istTime(lastBookDay(order), SETTLED);
  const day = istDay(sentAt);
  if (isTradingDay(day) && istTimeOfDay(sentAt) < SETTLED_MS) return istTime(day, SETTLED);
  return istTime(nextTradingDay(day), SETTLED);
}

/** The last of the broker's days in whose book an order is found: an AMO lives on to the next session. */
export function lastBookDay(order: OrderRecord): string {
  if (!order.terms.amo) return order.day;
  // Taken in the morning, it is of this very day's session.
  const day = istDay(order.createdAt);
  const early = istTimeOfDay(order.createdAt) < OPENING_MS;
  return early && isTradingDay(day) ? day : nextTradingDay(day);
}
