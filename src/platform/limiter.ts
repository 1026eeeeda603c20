import type { Clock } from './clock.ts';
import type { Cancel, Scheduler } from './scheduler.ts';
import { createTimeline } from './timeline.ts';

/** At most `count` calls in any rolling `perMs`. */
export interface LimitWindow {
  readonly count: number;
  readonly perMs: number;
}

export interface LimitState {
  /** `left`: calls that the window would still let through now, whoever waits. */
  readonly windows: readonly (LimitWindow & { readonly left: number })[];
  readonly waiting: number;
  /** How long no call leaves at all; 0 when there is no pause. */
  readonly pausedMs: number;
}

export interface Limiter {
  /**
   * Waits in a fair queue for a place in every window; false when `waitMs` passed without one, or at
   * once when it is certain that none comes in time.
   */
  acquire(waitMs: number): Promise<boolean>;
  /** No call leaves before this many ms have passed: what a broker's Retry-After asks for. */
  pause(ms: number): void;
  state(): LimitState;
}

/** A limit over several limiters together. */
export interface Ceiling {
  /** When a call that leaves `spare` places to others may go, in elapsed ms. */
  nextFree(spare: number): number;
  took(now: number): void;
  state(): LimitState;
}

/** Calls arrive closer together than they left, at times: the broker counts arrivals. */
export const LIMIT_MARGIN_MS = 50;

interface Waiter {
  readonly resolve: (granted: boolean) => void;
  cancelDeadline: Cancel;
}

export function createCeiling(clock: Clock, window: LimitWindow): Ceiling {
  const windows = createWindows([window]);
  return {
    nextFree: (spare) => windows.nextFree(spare),
    took: (now) => windows.took(now),
    state: () => ({ windows: windows.left(clock.elapsed()), waiting: 0, pausedMs: 0 }),
  };
}

/**
 * Rolling windows on the injected clock. First come, first served: a caller that gave up leaves the
 * queue, and takes nothing from the windows. Time is elapsed time, so that a step of the wall clock
 * neither lets a burst through nor blocks everything. `under` is a limit shared with others, of which
 * `spare` places are left to them: so that one kind of call never waits for another.
 */
export function createLimiter(
  clock: Clock,
  scheduler: Scheduler,
  limits: readonly LimitWindow[],
  under?: { readonly ceiling: Ceiling; readonly spare: number },
): Limiter {
  const windows = createWindows(limits);
  /** In the order in which they came. */
  const queue = new Set<Waiter>();
  let pausedUntil = -Infinity;
  let cancelWake: Cancel | null = null;

  /** When the next call may leave, in elapsed ms; at or before `now` means at once. */
  function nextFree(): number {
    const shared = under?.ceiling.nextFree(under.spare) ?? -Infinity;
    return Math.max(pausedUntil, windows.nextFree(0), shared);
  }

  function take(now: number): void {
    windows.took(now);
    under?.ceiling.took(now);
  }

  function serve(): void {
    cancelWake?.();
    cancelWake = null;
    const now = clock.elapsed();
    for (const waiter of queue) {
      const free = nextFree();
      if (free > now) {
        cancelWake = scheduler.after(Math.ceil(free - now), serve);
        return;
      }
      queue.delete(waiter);
      waiter.cancelDeadline();
      take(now);
      waiter.resolve(true);
    }
  }

  return {
    acquire(waitMs) {
      const now = clock.elapsed();
      const free = nextFree();
      if (queue.size === 0 && free <= now) {
        take(now);
        return Promise.resolve(true);
      }
      // Nothing makes a place free earlier than this, whoever gives up.
      if (waitMs <= 0 || free > now + waitMs) return Promise.resolve(false);
      return new Promise((resolve) => {
        const waiter: Waiter = { resolve, cancelDeadline: () => undefined };
        waiter.cancelDeadline = scheduler.after(waitMs, () => {
          if (queue.delete(waiter)) resolve(false);
        });
        queue.add(waiter);
        if (queue.size === 1) serve();
      });
    },
    pause(ms) {
      if (!Number.isFinite(ms)) return;
      pausedUntil = Math.max(pausedUntil, clock.elapsed() + ms);
      serve();
    },
    state() {
      const now = clock.elapsed();
      return {
        windows: windows.left(now),
        waiting: queue.size,
        pausedMs: Math.max(0, pausedUntil - now),
      };
    },
  };
}

/** Windows over the same calls: one memory of them serves all. */
function createWindows(limits: readonly LimitWindow[]) {
  const taken = createTimeline(Math.max(...limits.map(({ count }) => count)));
  return {
    took: (now: number) => taken.push(now),
    nextFree(spare: number): number {
      let free = -Infinity;
      for (const { count, perMs } of limits) {
        const oldest = taken.nthNewest(count - spare);
        if (oldest !== undefined) free = Math.max(free, oldest + perMs + LIMIT_MARGIN_MS);
      }
      return free;
    },
    left: (now: number) =>
      limits.map(({ count, perMs }) => {
        const used = taken.countAfter(now - perMs - LIMIT_MARGIN_MS);
        return { count, perMs, left: Math.max(0, count - used) };
      }),
  };
}
