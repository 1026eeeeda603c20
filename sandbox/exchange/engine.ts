import { brokerDay } from '../kernel/ist.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import type { Calendar } from './calendar.ts';
import type { DepthBook } from './depth.ts';
import type { ExchangeOrder, ExchangeTicket } from './exchange-order.ts';
import { remaining } from './exchange-order.ts';
import type { Instrument } from './instrument.ts';
import { tickOf } from './instrument.ts';
import type { Prices } from './prices.ts';
import { BUCKET_MS } from './walk.ts';

/** One matching core for both brokers. */
export interface Engine {
  /** Takes the order in; nothing happens to it before `start`, so that its id can be noted first. */
  admit(ticket: ExchangeTicket, tell: ExchangeOrder['tell']): ExchangeOrder;
  start(order: ExchangeOrder): void;
  /** False when there is nothing left to change. */
  modify(order: ExchangeOrder, ticket: ExchangeTicket): boolean;
  cancel(order: ExchangeOrder): boolean;
  /** Something moved a price or the book by hand: match again now. */
  poke(): void;
  /** Fills by hand at a price, as if a counterparty had come. */
  fill(order: ExchangeOrder, quantity: number, price: number): void;
  /** No fills for this instrument (or for all, with null) until resumed. */
  pause(key: string | null): void;
  resume(key: string | null): void;
}

/** How many buckets ahead one look goes: the walk is known, so idle seconds cost no timer. */
const HORIZON = 60;

export function createEngine(
  clock: SandboxClock,
  calendar: Calendar,
  prices: Prices,
  book: DepthBook,
): Engine {
  const working = new Map<string, Set<ExchangeOrder>>();
  const timers = new Map<string, () => void>();
  const paused = new Set<string>();
  const fillCounts = new Map<string, number>();
  let orderCount = 0;

  const isPaused = (key: string): boolean => paused.has('*') || paused.has(key);

  function finish(order: ExchangeOrder): void {
    order.done = true;
    working.get(order.ticket.instrument.key)?.delete(order);
  }

  function report(order: ExchangeOrder, quantity: number, price: number): void {
    const at = clock.now();
    const counter = `${brokerDay(at)}/${order.ticket.instrument.exchange}`;
    const fillId = (fillCounts.get(counter) ?? 1_000_000) + 1;
    fillCounts.set(counter, fillId);
    order.filled += quantity;
    if (remaining(order) === 0) finish(order);
    order.tell({ kind: 'fill', fill: { fillId, exchangeOrderId: order.id, quantity, price, at } });
  }

  function reaches(order: ExchangeOrder, last: number): boolean {
    const { trigger } = order.ticket;
    if (!trigger) return true;
    return trigger.rises ? last >= trigger.price : last <= trigger.price;
  }

  const within = (order: ExchangeOrder, price: number): boolean =>
    order.ticket.side === 'BUY' ? price <= order.ticket.limit : price >= order.ticket.limit;

  function match(order: ExchangeOrder): void {
    const at = clock.now();
    const { instrument, side, limit, validity } = order.ticket;
    if (order.done) return;
    if (at >= order.expiresAt) {
      finish(order);
      order.tell({ kind: 'expired' });
      return;
    }
    if (!calendar.matches(at, instrument.exchange) || isPaused(instrument.key)) return;
    if (order.dormant) {
      if (!reaches(order, prices.last(instrument, at))) return;
      order.dormant = false;
      order.tell({ kind: 'triggered' });
    }
    // Most looks find nothing to do: the touch alone says so.
    const idle = !within(order, book.touch(instrument, side, at));
    for (const level of idle ? [] : book.takeable(instrument, side, at)) {
      if (order.done || !within(order, level.price)) break;
      const quantity = Math.min(level.quantity, remaining(order));
      if (quantity === 0) continue;
      book.take(instrument, side, level.price, quantity, at);
      report(order, quantity, order.rested ? limit : level.price);
    }
    order.rested = true;
    if (validity === 'IOC' && !order.done) {
      finish(order);
      order.tell({ kind: 'cancelled' });
    }
  }

  /** Whether one of these could act at a price: four bounds say it for any number of orders. */
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

  function nextLook(instrument: Instrument, orders: ReadonlySet<ExchangeOrder>): number {
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

  function schedule(instrument: Instrument): void {
    timers.get(instrument.key)?.();
    timers.delete(instrument.key);
    const orders = working.get(instrument.key);
    if (!orders || orders.size === 0) return;
    const wait = Math.max(1, nextLook(instrument, orders) - clock.now());
    timers.set(
      instrument.key,
      clock.after(wait, () => look(instrument)),
    );
  }

  function look(instrument: Instrument): void {
    for (const order of [...(working.get(instrument.key) ?? [])]) match(order);
    schedule(instrument);
  }

  return {
    admit(ticket, tell) {
      orderCount += 1;
      const prefix = { NSE: '11', BSE: '17', NFO: '13' }[ticket.instrument.exchange];
      return {
        id: `${prefix}${String(orderCount).padStart(14, '0')}`,
        ticket,
        filled: 0,
        dormant: ticket.trigger !== null,
        rested: false,
        done: false,
        expiresAt: calendar.sessionEnd(clock.now(), ticket.instrument.exchange),
        tell,
      };
    },
    start(order) {
      const { instrument } = order.ticket;
      const own = working.get(instrument.key) ?? new Set<ExchangeOrder>();
      working.set(instrument.key, own);
      own.add(order);
      match(order);
      schedule(instrument);
    },
    modify(order, ticket) {
      if (order.done || ticket.quantity <= order.filled) return false;
      order.ticket = ticket;
      order.rested = false;
      if (order.dormant && ticket.trigger === null) order.dormant = false;
      match(order);
      schedule(ticket.instrument);
      return true;
    },
    cancel(order) {
      if (order.done) return false;
      finish(order);
      order.tell({ kind: 'cancelled' });
      schedule(order.ticket.instrument);
      return true;
    },
    poke() {
      for (const orders of [...working.values()]) {
        const first = [...orders][0];
        if (first) look(first.ticket.instrument);
      }
    },
    fill(order, quantity, price) {
      if (order.done) return;
      report(order, Math.min(quantity, remaining(order)), price);
      schedule(order.ticket.instrument);
    },
    pause: (key) => void paused.add(key ?? '*'),
    resume(key) {
      paused.delete(key ?? '*');
      this.poke();
    },
  };
}
