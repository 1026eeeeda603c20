import type { Cancel, Clock, Scheduler } from './clock.ts';
import { createPlaces, createWindows, type LimitWindow } from './limit-windows.ts';
import { must } from './values.ts';
import { LONG_AGO, later, plus, type ElapsedMs } from '../units/branded.ts';

export interface LimitState {
  /**
   * `left`: calls that the window still allows now, not counting those that wait. `reserved`: places of
   * the window that the calls of callers leave free.
   */
  readonly windows: readonly (LimitWindow & { readonly left: number; readonly reserved: number })[];
  readonly waiting: number;
  /** Calls that waited for a place and got one since the start, and how long all together, ms. */
  readonly waited: { readonly calls: number; readonly ms: number };
  /** How long no call may leave, ms; 0 when there is no pause. */
  readonly pausedMs: number;
}

/**
 * What a call is for, the most urgent first: a way out (a cancel, or an order that only reduces a
 * position), what watches orders and accounts, and what a caller asks for.
 */
export const PRIORITIES = ['way_out', 'watch', 'caller'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How the calls of callers make room for more urgent ones of the same limit. */
export interface CallersShare {
  /** Places of a window that callers leave free. */
  readonly spare: (window: LimitWindow) => number;
  /** So many of their calls wait at most; a further one is refused at once. */
  readonly mostWaiting: number;
}

/** A fifth of each window is for ways out. Any number of orders may wait for the rest. */
export const KEPT_FOR_WAYS_OUT: CallersShare = {
  spare: ({ count }) => Math.ceil(count / 5),
  mostWaiting: Infinity,
};

const NONE_SPARE = (): number => 0;
const NOTHING = (): void => undefined;
const IDLE = { waiting: 0, waited: { calls: 0, ms: 0 }, pausedMs: 0 };

export interface Limiter {
  /**
   * Waits in a fair queue for a place in every window. False when `waitMs` passed without one, or
   * at once when none can become free in time, or when too many calls of callers wait already. With
   * a CallersShare the more urgent calls go first, and of equally urgent ones the first that came;
   * without one all go in the order in which they came. A way out waits for ten seconds of a pause
   * at most.
   */
  acquire(waitMs: number, priority?: Priority): Promise<boolean>;
  /**
   * To be asked in the turn in which a request is written, where something takes time between its place and
   * the write, such as a commit or a connection: brokers count arrivals. True where it may leave, and its
   * place counts from now on. A place is good for the shortest window; a call whose place is older takes
   * another one. Where none is free, it is false: the call waits for one (`acquire`), and asks again.
   */
  mayLeave(priority?: Priority): boolean;
  /**
   * Counts calls that an earlier process has made, by how long ago each was, ms, the oldest first. To be called
   * before the first call of this process.
   */
  countEarlier(agoMs: readonly number[]): void;
  /** Lets no call leave before this many ms have passed, as a broker's Retry-After asks. */
  pause(ms: number): void;
  state(): LimitState;
}

/** A limit that several limiters share. */
export interface Ceiling {
  /** When the next call may leave such that `spare` places remain for others, in elapsed ms. */
  nextFree(spare: number): number;
  took(now: ElapsedMs): void;
  /** The place that was taken at `taken` counts from `now` on. */
  left(taken: ElapsedMs, now: ElapsedMs): void;
  state(): LimitState;
}

/** A broker that asks for a longer pause is asked again after this, for a way out, ms. */
const LONGEST_PAUSE_OF_A_WAY_OUT_MS = 10_000;

interface Waiter {
  readonly resolve: (granted: boolean) => void;
  readonly priority: Priority;
  readonly since: ElapsedMs;
  cancelDeadline: Cancel;
}

export function createCeiling(clock: Clock, window: LimitWindow): Ceiling {
  const windows = createWindows([window]);
  return {
    nextFree: (spare) => windows.nextFree(() => spare),
    took: (now) => windows.took(now),
    left: (taken, now) => windows.move(taken, now),
    state: () => ({ windows: windows.left(clock.elapsed(), NONE_SPARE), ...IDLE }),
  };
}

/**
 * Rolling windows. A call that gives up leaves the queue and uses no
 * place. Windows use elapsed time, so that a step of the wall clock neither allows a burst nor
 * blocks every call. `under` is a limit shared with other limiters; `spare` of its places are kept
 * for them, so that one kind of call never waits for another. With `callers`, calls are served by
 * priority (docs/spec/kite-limits.md, "Reads that watch orders go first").
 */
export function createLimiter(
  clock: Clock,
  scheduler: Scheduler,
  limits: readonly LimitWindow[],
  under?: { readonly ceiling: Ceiling; readonly spare: number },
  callers?: CallersShare,
): Limiter {
  const windows = createWindows(limits);
  const { queues, queueOf, waiting, mustQueue, isCrowded } = createQueues(callers);
  const { granted, waited } = createWaits();
  const places = createPlaces(windows, under?.ceiling, limits);
  let pausedUntil = LONG_AGO;
  let wayOutPausedUntil = LONG_AGO;
  let cancelWake: Cancel | null = null;

  /** When a window has a place, in elapsed ms; at or before `now` means at once. */
  const placeFree = (priority: Priority): number =>
    Math.max(
      windows.nextFree(priority === 'caller' ? (callers?.spare ?? NONE_SPARE) : NONE_SPARE),
      under?.ceiling.nextFree(under.spare) ?? -Infinity,
    );
  const pauseOf = (priority: Priority): number =>
    priority === 'way_out' ? wayOutPausedUntil : pausedUntil;

  function serve(): void {
    cancelWake?.();
    cancelWake = null;
    const now = clock.elapsed();
    let next = Infinity;
    for (const queue of queues) next = Math.min(next, serveQueue(queue, now));
    if (waiting() > 0) cancelWake = scheduler.after(Math.ceil(next - now), serve);
  }

  /** Serves those that may leave now; when the next one may, in elapsed ms. */
  function serveQueue(queue: Set<Waiter>, now: ElapsedMs): number {
    let next = Infinity;
    for (const waiter of queue) {
      const place = placeFree(waiter.priority);
      const pause = pauseOf(waiter.priority);
      if (place > now || pause > now) next = Math.min(next, Math.max(place, pause));
      if (place > now) break;
      // In one queue only a pause lets a way out overtake: the windows are the same for all.
      if (pause > now) continue;
      queue.delete(waiter);
      waiter.cancelDeadline();
      places.take(now);
      granted(waiter, now);
    }
    return next;
  }

  return {
    acquire(waitMs, priority = 'watch') {
      const now = clock.elapsed();
      const free = Math.max(placeFree(priority), pauseOf(priority));
      if (free <= now && !mustQueue(priority)) {
        places.take(now);
        return Promise.resolve(true);
      }
      // No place becomes free earlier than this, even when other callers give up.
      if (waitMs <= 0 || free > now + waitMs || isCrowded(priority)) return Promise.resolve(false);
      const queue = queueOf(priority);
      return new Promise((resolve) => {
        const waiter: Waiter = { resolve, priority, since: now, cancelDeadline: NOTHING };
        waiter.cancelDeadline = scheduler.after(waitMs, () => giveUp(queue, waiter));
        queue.add(waiter);
        if (queue.size === 1 || priority === 'way_out') serve();
      });
    },
    mayLeave(priority = 'watch') {
      const now = clock.elapsed();
      if (places.leave(now)) return true;
      // As with a good place, a pause that has begun since does not hold it back.
      if (placeFree(priority) > now) return false;
      places.take(now);
      return places.leave(now);
    },
    countEarlier(agoMs) {
      const now = clock.elapsed();
      for (const ago of agoMs) windows.took(plus(now, -ago));
    },
    pause(ms) {
      if (!Number.isFinite(ms)) return;
      const now = clock.elapsed();
      pausedUntil = later(pausedUntil, plus(now, ms));
      const shorter = Math.min(ms, LONGEST_PAUSE_OF_A_WAY_OUT_MS);
      wayOutPausedUntil = later(wayOutPausedUntil, plus(now, shorter));
      serve();
    },
    state() {
      const now = clock.elapsed();
      return {
        windows: windows.left(now, callers?.spare ?? NONE_SPARE),
        waiting: waiting(),
        waited: waited(),
        pausedMs: Math.max(0, pausedUntil - now),
      };
    },
  };
}

function giveUp(queue: Set<Waiter>, waiter: Waiter): void {
  if (queue.delete(waiter)) waiter.resolve(false);
}

/** How long the calls waited that got a place. */
function createWaits() {
  let waited = IDLE.waited;
  return {
    granted({ since, resolve }: Waiter, now: ElapsedMs): void {
      waited = { calls: waited.calls + 1, ms: waited.ms + now - since };
      resolve(true);
    },
    waited: (): LimitState['waited'] => waited,
  };
}

/** Those that wait. Without a share for callers there is one queue for all. */
function createQueues(callers: CallersShare | undefined) {
  /** The most urgent first; in each, in the order in which they came. */
  const queues = PRIORITIES.map(() => new Set<Waiter>());
  const rankOf = (priority: Priority): number => (callers ? PRIORITIES.indexOf(priority) : 0);
  const queueOf = (priority: Priority): Set<Waiter> =>
    must(queues[rankOf(priority)], 'there is a queue for each priority');
  return {
    queues,
    queueOf,
    waiting: (): number => queues.reduce((sum, { size }) => sum + size, 0),
    mustQueue(priority: Priority): boolean {
      const ahead = queues.slice(0, rankOf(priority) + 1);
      // A way out passes those that only wait for the end of a pause.
      return priority === 'way_out'
        ? ahead.some((queue) => [...queue].some((each) => each.priority === 'way_out'))
        : ahead.some(({ size }) => size > 0);
    },
    isCrowded: (priority: Priority): boolean =>
      callers !== undefined &&
      priority === 'caller' &&
      queueOf(priority).size >= callers.mostWaiting,
  };
}
