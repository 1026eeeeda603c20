import { istDay, istTime, istTimeOfDay, tradingDay } from '../domain/ist.ts';
import { isTradingDay, nextTradingDay } from '../domain/market-hours.ts';
import type { OrderRecord } from './records.ts';

export type MarketHours = 'exchange' | 'always';

/** After this IST time, brokers have settled what the close at 15:30 did to resting orders. */
const SETTLED = '15:45';
const SETTLED_MS = (15 * 60 + 45) * 60_000;
/** In rehearsals that trade at all hours, the day's last book is read before it is cleared at 06:00. */
const REHEARSAL_END = '05:45';

/**
 * The instant from which a whole book holds every order of the day that it ever will
 * (docs/spec/market-hours.md).
 */
export function dayClosed(sentAt: number, hours: MarketHours): number {
  if (hours === 'always') {
    return istTime(tradingDay(sentAt), REHEARSAL_END) + 86_400_000;
  }
  const day = istDay(sentAt);
  if (isTradingDay(day) && istTimeOfDay(sentAt) < SETTLED_MS) return istTime(day, SETTLED);
  return istTime(nextTradingDay(day), SETTLED);
}

/** The last of the broker's days in whose book an order is found: an AMO lives on to the next session. */
export function lastBookDay(order: OrderRecord): string {
  return order.terms.amo ? nextTradingDay(order.day) : order.day;
}
