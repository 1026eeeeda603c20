import type { SandboxClock } from '../kernel/ports.ts';
import type { Calendar } from './calendar.ts';
import type { DepthBook } from './depth.ts';
import type { ExchangeOrder, ExchangeTicket } from './exchange-order.ts';
import { remaining } from './exchange-order.ts';
import type { Instrument } from './instrument.ts';
import { createMatching } from './matching.ts';
import { nextLook } from './next-look.ts';
import type { Prices } from './prices.ts';

/** The matching engine that both brokers share. */
export interface Engine {
  /**
   * Accepts the order. Nothing happens to it before `start`, so that the caller can note its id
   * first.
   */
  admit(ticket: ExchangeTicket, tell: ExchangeOrder['tell']): ExchangeOrder;
  start(order: ExchangeOrder): void;
  /** False when there is nothing left to change. */
  modify(order: ExchangeOrder, ticket: ExchangeTicket): boolean;
  cancel(order: ExchangeOrder): boolean;
  /** A price or the book was changed by hand: match again now. */
  poke(): void;
  /** Fills by hand at a price, as if a counterparty had arrived. */
  fill(order: ExchangeOrder, quantity: number, price: number): void;
  /** No fills for this instrument (or for all, with null) until resumed. */
  pause(key: string | null): void;
  resume(key: string | null): void;
}

export function createEngine(
  clock: SandboxClock,
  calendar: Calendar,
  prices: Prices,
  book: DepthBook,
): Engine {
  const working = new Map<string, Set<ExchangeOrder>>();
  const timers = new Map<string, () => void>();
  const paused = new Set<string>();
  let orderCount = 0;

  const isPaused = (key: string): boolean => paused.has('*') || paused.has(key);
  const { match, report, finish } = createMatching({
    ...{ clock, calendar, prices, book, isPaused },
    finished: (order) => void working.get(order.ticket.instrument.key)?.delete(order),
  });

  function schedule(instrument: Instrument): void {
    timers.get(instrument.key)?.();
    timers.delete(instrument.key);
    const orders = working.get(instrument.key);
    if (!orders || orders.size === 0) return;
    const wait = Math.max(
      1,
      nextLook({ clock, calendar, prices, isPaused }, instrument, orders) - clock.now(),
    );
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
