import type { SandboxClock } from '../kernel/ports.ts';
import type { Calendar } from './calendar.ts';
import type { ExchangeOrder } from './exchange-order.ts';
import type { Instrument } from './instrument.ts';
import { tickOf } from './instrument.ts';
import type { Prices } from './prices.ts';
import { BUCKET_MS } from './price-model.ts';

/**
 * How many buckets ahead one check goes: the price model is known, so idle seconds need no timer.
 */
const HORIZON = 60;

/** Whether one of the orders could act at a price: four bounds suffice for any number of orders. */
function actsAt(orders: ReadonlySet<ExchangeOrder>): (last: number, tick: number) => boolean {
  let [buys, sells, rising, falling] = [-Infinity, Infinity, Infinity, -Infinity];
  for (const { dormant, ticket } of orders) {
    const { trigger, side, limit } = ticket;
    if (dormant && trigger?.rises) rising = Math.min(rising, trigger.price);
    else if (dormant && trigger) falling = Math.max(falling, trigger.price);
    else if (side === 'BUY') buys = Math.max(buys, limit);
    else sells = Math.min(sells, limit);
  }
  return (last, tick) =>
    last + tick <= buys || last - tick >= sells || last >= rising || last <= falling;
}

export interface NextLook {
  clock: SandboxClock;
  calendar: Calendar;
  prices: Prices;
  isPaused: (key: string) => boolean;
}

/** When the engine has to check the orders of an instrument again, epoch ms. */
export function nextLook(
  { clock, calendar, prices, isPaused }: NextLook,
  instrument: Instrument,
  orders: ReadonlySet<ExchangeOrder>,
): number {
  const now = clock.now();
  const soonestEnd = Math.min(...[...orders].map((order) => order.expiresAt));
  if (!calendar.matches(now, instrument.exchange))
    return Math.min(soonestEnd, Math.max(now + 1, calendar.nextOpen(now)));
  const bucket = Math.floor(now / BUCKET_MS) * BUCKET_MS;
  if (isPaused(instrument.key)) return Math.min(soonestEnd, bucket + HORIZON * BUCKET_MS);
  const acts = actsAt(orders);
  for (let step = 1; step < HORIZON; step += 1) {
    const at = bucket + step * BUCKET_MS;
    if (at >= soonestEnd) return soonestEnd;
    const last = prices.last(instrument, at);
    if (acts(last, tickOf(instrument, last))) return at;
  }
  return Math.min(soonestEnd, bucket + HORIZON * BUCKET_MS);
}
