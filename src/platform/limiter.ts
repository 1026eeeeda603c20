import type { Clock } from './clock.ts';
import type { Cancel, Scheduler } from './scheduler.ts';

/** At most `count` calls in any rolling `perMs`. */
export interface LimitWindow {
  readonly count: number;
  readonly perMs: number;
}

export interface Limiter {
  /** Waits in a fair queue for a place in every window; false when `waitMs` passed without one. */
  acquire(waitMs: number): Promise<boolean>;
  /** Calls that could leave at once, by the tightest window. */
  available(): number;
  /** No call leaves before this many ms have passed: what a broker's Retry-After asks for. */
  pause(ms: number): void;
}

/** Calls arrive closer together than they left, at times: the broker counts arrivals. */
export const LIMIT_MARGIN_MS = 50;

interface Waiter {
  readonly deadline: number;
  readonly resolve: (granted: boolean) => void;
  cancelDeadline: Cancel;
}

/**
 * Rolling windows on the injected clock. First come, first served: a caller that gave up leaves the
 * queue, and takes nothing from the windows. Time is elapsed time, so that a step of the wall clock
 * neither lets a burst through nor blocks everything.
 */
export function createLimiter(
  clock: Clock,
  scheduler: Scheduler,
  windows: readonly LimitWindow[],
): Limiter {
  const padded = windows.map(({ count, perMs }) => ({ count, perMs: perMs + LIMIT_MARGIN_MS }));
  const longest = Math.max(...padded.map((window) => window.perMs));
  const taken: number[] = [];
  const queue: Waiter[] = [];
  let pausedUntil = -Infinity;
  let cancelWake: Cancel | null = null;

  /** When the next call may leave, in elapsed ms; at or before `now` means at once. */
  function nextFree(now: number): number {
    while (taken.length > 0 && taken[0]! <= now - longest) taken.shift();
    let free = pausedUntil;
    for (const { count, perMs } of padded) {
      const oldest = taken[taken.length - count];
      if (oldest !== undefined) free = Math.max(free, oldest + perMs);
    }
    return free;
  }

  function serve(): void {
    cancelWake?.();
    cancelWake = null;
    const now = clock.elapsed();
    while (queue.length > 0) {
      const free = nextFree(now);
      if (free > now) {
        cancelWake = scheduler.after(Math.ceil(free - now), serve);
        return;
      }
      const waiter = queue.shift()!;
      waiter.cancelDeadline();
      taken.push(now);
      waiter.resolve(true);
    }
  }

  return {
    acquire(waitMs) {
      const now = clock.elapsed();
      if (queue.length === 0 && nextFree(now) <= now) {
        taken.push(now);
        return Promise.resolve(true);
      }
      if (waitMs <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const waiter: Waiter = { deadline: now + waitMs, resolve, cancelDeadline: () => undefined };
        waiter.cancelDeadline = scheduler.after(waitMs, () => {
          const place = queue.indexOf(waiter);
          if (place < 0) return;
          queue.splice(place, 1);
          resolve(false);
        });
        queue.push(waiter);
        serve();
      });
    },
    available() {
      const now = clock.elapsed();
      if (nextFree(now) > now) return 0;
      const left = padded.map(
        ({ count, perMs }) => count - taken.filter((at) => at > now - perMs).length,
      );
      return Math.max(0, Math.min(...left) - queue.length);
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.elapsed() + ms);
      serve();
    },
  };
}
