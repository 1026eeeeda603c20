import type { ElapsedMs } from '../units/branded.ts';
import { createTimeline } from './timeline.ts';

/** At most `count` calls in any rolling `perMs`. */
export interface LimitWindow {
  readonly count: number;
  readonly perMs: number;
}

/**
 * Added to each window: calls can arrive closer together than they left, and brokers count
 * arrivals.
 */
export const LIMIT_MARGIN_MS = 50;

/** All windows count the same calls, so one list of call times serves them all. */
export function createWindows(limits: readonly LimitWindow[]) {
  const taken = createTimeline(Math.max(...limits.map(({ count }) => count)));
  return {
    took: (now: ElapsedMs) => taken.push(now),
    move: (from: ElapsedMs, to: ElapsedMs) => taken.move(from, to),
    nextFree(spare: (window: LimitWindow) => number): number {
      let free = -Infinity;
      for (const window of limits) {
        const oldest = taken.nthNewest(window.count - spare(window));
        if (oldest !== undefined) free = Math.max(free, oldest + window.perMs + LIMIT_MARGIN_MS);
      }
      return free;
    },
    left: (now: ElapsedMs, spare: (window: LimitWindow) => number) =>
      limits.map((window) => {
        const { count, perMs } = window;
        const used = taken.countAfter(now - perMs - LIMIT_MARGIN_MS);
        return { count, perMs, left: Math.max(0, count - used), reserved: spare(window) };
      }),
  };
}

/** What is counted of a limit that several limiters share. */
interface SharedWindow {
  took(now: ElapsedMs): void;
  left(taken: ElapsedMs, now: ElapsedMs): void;
}

/**
 * The places of calls that have not left yet. Any of them is as good as another: what counts is how many calls
 * leave within a window, each of them at most the shortest window after a place was taken.
 */
export function createPlaces(
  windows: ReturnType<typeof createWindows>,
  ceiling: SharedWindow | undefined,
  limits: readonly LimitWindow[],
) {
  const goodForMs = Math.min(...limits.map(({ perMs }) => perMs)) + LIMIT_MARGIN_MS;
  const good: ElapsedMs[] = [];
  const forgetOld = (now: ElapsedMs): void => {
    while ((good[0] ?? now) <= now - goodForMs) good.shift();
  };
  return {
    take(now: ElapsedMs): void {
      windows.took(now);
      ceiling?.took(now);
      good.push(now);
      forgetOld(now);
    },
    /** Whether there is a place for a call that leaves now: it counts from now on. */
    leave(now: ElapsedMs): boolean {
      forgetOld(now);
      const taken = good.shift();
      if (taken === undefined) return false;
      windows.move(taken, now);
      ceiling?.left(taken, now);
      return true;
    },
  };
}
