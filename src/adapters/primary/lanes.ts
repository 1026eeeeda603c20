import { createBreaker, type Breaker } from '../../platform/breaker.ts';
import type { Clock } from '../../platform/clock.ts';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Scheduler } from '../../platform/scheduler.ts';

/** What the calls of one kind share: a breaker, the broker's limit, and how long one may take. */
export interface Lane {
  readonly breaker: Breaker;
  readonly limiter: Limiter;
  /** Of the request alone; a read waits at most as long again for its permit. */
  readonly deadlineMs: number;
  /**
   * Requests that change something: their permit was taken before the attempt was written down, and
   * they go on a connection of their own, from the whitelisted IPv4 address.
   */
  readonly changes: boolean;
}

export interface Lanes {
  readonly quotes: Lane;
  readonly data: Lane;
  readonly account: Lane;
  /** Order book and trade books: they tell of orders, and count as non-trading reads. */
  readonly books: Lane;
  readonly orders: Lane;
}

/** Limits: docs/spec/primary-brokerage.md, "Limits"; non-trading reads keep below the broker's 15. */
export function createLanes(clock: Clock, scheduler: Scheduler): Lanes {
  const perSecond = (count: number): Limiter =>
    createLimiter(clock, scheduler, [{ count, perMs: 1000 }]);
  const marketData = createBreaker(clock);
  const account = createBreaker(clock);
  const orders = createBreaker(clock);
  const nonTrading = perSecond(12);
  const read = (breaker: Breaker, limiter: Limiter, deadlineMs: number): Lane => ({
    breaker,
    limiter,
    deadlineMs,
    changes: false,
  });
  return {
    quotes: read(marketData, perSecond(5), 3_000),
    data: read(marketData, perSecond(5), 3_000),
    account: read(account, nonTrading, 5_000),
    books: read(orders, nonTrading, 5_000),
    orders: { breaker: orders, limiter: perSecond(10), deadlineMs: 8_000, changes: true },
  };
}
