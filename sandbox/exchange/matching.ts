import { brokerDay } from '../kernel/ist.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import type { Calendar } from './calendar.ts';
import type { DepthBook } from './depth.ts';
import type { ExchangeOrder } from './exchange-order.ts';
import { remaining } from './exchange-order.ts';
import type { Prices } from './prices.ts';

export interface MatchingParts {
  clock: SandboxClock;
  calendar: Calendar;
  prices: Prices;
  book: DepthBook;
  isPaused: (key: string) => boolean;
  /** Called when the order is final. */
  finished: (order: ExchangeOrder) => void;
}

export interface Matching {
  /** Does what prices and book allow now: triggers, fills, expires. */
  match(order: ExchangeOrder): void;
  /** Fills a quantity at a price, paise. */
  report(order: ExchangeOrder, quantity: number, price: number): void;
  finish(order: ExchangeOrder): void;
}

/** Matches orders against the book. */
export function createMatching(parts: MatchingParts): Matching {
  const { clock, calendar, prices, book, isPaused } = parts;
  const fillCounts = new Map<string, number>();

  function finish(order: ExchangeOrder): void {
    order.done = true;
    parts.finished(order);
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
    // Most checks find nothing to do, and the best price alone tells.
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

  return { match, report, finish };
}
