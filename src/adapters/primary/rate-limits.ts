import { limitBucket, type LimitBucket } from '../../domain/limits.ts';
import { type Breaker, createBreaker } from '../../platform/breaker.ts';
import {
  createCeiling,
  createLimiter,
  type CallersShare,
  type Limiter,
  type Priority,
  KEPT_FOR_WAYS_OUT,
} from '../../platform/call-limits.ts';
import type { LimitWindow } from '../../platform/limit-windows.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';

/** What the calls of one kind share: a breaker, a rate limit and a deadline. */
export interface RateLimitQueue {
  readonly breaker: Breaker;
  readonly limiter: Limiter;
  /** For the request alone, ms; a read may wait as long again for its permit. */
  readonly deadlineMs: number;
  /**
   * For requests that change something. Their permit was taken before the attempt was written to
   * the journal, and each goes on a connection of its own, from the whitelisted IPv4 address.
   */
  readonly changes: boolean;
  /** `watch` when absent. A way out has its own. */
  readonly priority?: Priority;
}

export interface RateLimitQueues {
  readonly quotes: RateLimitQueue;
  readonly data: RateLimitQueue;
  /** Reads that watch the account. */
  readonly account: RateLimitQueue;
  /** The same reads where a caller asks for them: they share the limit, and go last. */
  readonly asked: RateLimitQueue;
  /** Order book and trade books: the broker counts them as non-trading reads. */
  readonly books: RateLimitQueue;
  /** Placing and changing share a rate limit, and each has a breaker of its own. */
  readonly placing: RateLimitQueue;
  readonly changing: RateLimitQueue;
  /** Generating a token has no breaker and no queue: without a permit it is left for later. */
  readonly token: Limiter;
  /** What is left of each limit now. */
  buckets(): readonly LimitBucket[];
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const ORDERS_PER_SECOND = 10;
/** Callers have eight of the twelve places a second; their calls wait about three seconds at most. */
const CALLERS: CallersShare = { spare: () => 4, mostWaiting: 24 };

/**
 * Limits: docs/spec/primary-brokerage.md, "Limits". Non-trading reads keep below the broker's 15. A
 * day is a rolling one, so that the broker's day cannot be exceeded, whenever it begins. Reads
 * leave permits for orders under the limit on everything, so that no order waits for a read.
 */
export function createRateLimitQueues(clock: Clock, scheduler: Scheduler): RateLimitQueues {
  const everything = createCeiling(clock, { count: 100, perMs: SECOND });
  const limiter = (spare: number, ...windows: LimitWindow[]): Limiter =>
    createLimiter(clock, scheduler, windows, { ceiling: everything, spare });
  const reads = (perSecond: number, callers?: CallersShare): Limiter =>
    createLimiter(
      clock,
      scheduler,
      [
        { count: perSecond, perMs: SECOND },
        { count: 100_000, perMs: DAY },
      ],
      { ceiling: everything, spare: ORDERS_PER_SECOND },
      callers,
    );

  const limiters = {
    orders: createLimiter(
      clock,
      scheduler,
      [{ count: ORDERS_PER_SECOND, perMs: SECOND }],
      { ceiling: everything, spare: 0 },
      KEPT_FOR_WAYS_OUT,
    ),
    non_trading: reads(12, CALLERS),
    quotes: reads(5),
    data: reads(5),
    // Five wrong codes in 15 minutes lock the account, and a code whose reply was lost may count.
    token: limiter(
      ORDERS_PER_SECOND,
      { count: 1, perMs: MINUTE },
      { count: 4, perMs: 15 * MINUTE },
    ),
  };
  const marketData = createBreaker(clock);
  const account = createBreaker(clock);
  const change = (): RateLimitQueue => ({
    breaker: createBreaker(clock),
    limiter: limiters.orders,
    deadlineMs: 8_000,
    changes: true,
    priority: 'caller',
  });
  const read = (breaker: Breaker, limit: Limiter, deadlineMs: number): RateLimitQueue => ({
    breaker,
    limiter: limit,
    deadlineMs,
    changes: false,
  });
  return {
    quotes: read(marketData, limiters.quotes, 3_000),
    data: read(marketData, limiters.data, 3_000),
    account: read(account, limiters.non_trading, 5_000),
    asked: { ...read(account, limiters.non_trading, 5_000), priority: 'caller' },
    books: read(createBreaker(clock), limiters.non_trading, 5_000),
    placing: change(),
    changing: change(),
    token: limiters.token,
    buckets: () => [
      ...Object.entries(limiters).map(([name, each]) =>
        limitBucket(name, each.state(), clock.now()),
      ),
      limitBucket('everything', everything.state(), clock.now()),
    ],
  };
}
