import { limitBucket, type LimitBucket } from '../../domain/limits.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import {
  type CallersShare,
  createLimiter,
  type Limiter,
  type Priority,
  KEPT_FOR_WAYS_OUT,
} from '../../platform/call-limits.ts';
import type { LimitWindow } from '../../platform/limit-windows.ts';

/**
 * What the calls of one kind share: a rate limit, a deadline, and whether each gets a new
 * connection.
 */
export interface RateLimitQueue {
  readonly limiter: Limiter;
  readonly deadlineMs: number;
  readonly fresh: boolean;
  /** `watch` when absent. A way out has its own. */
  readonly priority?: Priority;
  /** The broker accepts these calls only from the address that is registered with the app. */
  readonly addressChecked?: true;
}

export interface RateLimitQueues {
  readonly orders: RateLimitQueue;
  /** Reads that watch orders and the account. */
  readonly account: RateLimitQueue;
  /** The same reads where a caller asks for them: they share the limit, and go last. */
  readonly asked: RateLimitQueue;
  readonly quotes: RateLimitQueue;
  readonly historical: RateLimitQueue;
  readonly instruments: RateLimitQueue;
  /** Token exchange and logout change something, so each gets a new connection. */
  readonly session: RateLimitQueue;
  /** A trigger does not count as an order for the broker's limits, but it changes something. */
  readonly triggers: RateLimitQueue;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** Callers have six of the ten places a second; their calls wait about three seconds at most. */
const CALLERS: CallersShare = { spare: () => 4, mostWaiting: 18 };

/**
 * The broker's limits (docs/spec/kite-limits.md). A day is counted as a rolling one, so that the
 * broker's limit cannot be exceeded, whenever its day begins.
 */
export function createRateLimitQueues(clock: Clock, scheduler: Scheduler): RateLimitQueues {
  const limiter = (
    windows: readonly [count: number, perMs: number][],
    callers?: CallersShare,
  ): Limiter => {
    const limits = windows.map(([count, perMs]): LimitWindow => ({ count, perMs }));
    return createLimiter(clock, scheduler, limits, undefined, callers);
  };
  const others = limiter([[10, SECOND]], CALLERS);
  const orders = limiter(
    [
      [10, SECOND],
      [400, MINUTE],
      [5_000, DAY],
    ],
    KEPT_FOR_WAYS_OUT,
  );
  return {
    orders: {
      ...{ limiter: orders, priority: 'caller', deadlineMs: 8_000 },
      ...{ fresh: true, addressChecked: true },
    },
    account: { limiter: others, deadlineMs: 5_000, fresh: false },
    asked: { limiter: others, deadlineMs: 5_000, fresh: false, priority: 'caller' },
    quotes: { limiter: limiter([[1, SECOND]]), deadlineMs: 3_000, fresh: false },
    historical: { limiter: limiter([[3, SECOND]]), deadlineMs: 3_000, fresh: false },
    instruments: { limiter: others, deadlineMs: 30_000, fresh: false },
    session: { limiter: others, deadlineMs: 5_000, fresh: true },
    triggers: { limiter: others, deadlineMs: 8_000, fresh: true },
  };
}

/** What is left of each limit now; account, instruments, session and triggers share one. */
export function bucketsOf(queues: RateLimitQueues, clock: Clock): readonly LimitBucket[] {
  const { orders, quotes, historical, account } = queues;
  return Object.entries({ orders, quotes, historical, other: account }).map(([name, queue]) =>
    limitBucket(name, queue.limiter.state(), clock.now()),
  );
}
