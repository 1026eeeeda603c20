import { elapsedMs, epochMs, type ElapsedMs, type EpochMs } from '../units/branded.ts';

/** The gateway's only source of time. */
export interface Clock {
  /** Epoch milliseconds. May step backwards when the host's clock is set. */
  now(): EpochMs;
  /** Milliseconds since an arbitrary start; never steps, also when the host's clock is changed. */
  elapsed(): ElapsedMs;
}

export const systemClock: Clock = {
  now: () => epochMs(Date.now()),
  elapsed: () => elapsedMs(performance.now()),
};

/** A moment by both clocks: the running one stands still while the computer sleeps, the other can be set. */
export interface Moment {
  readonly elapsed: ElapsedMs;
  readonly at: EpochMs;
}

export const momentOf = (clock: Clock): Moment => ({ elapsed: clock.elapsed(), at: clock.now() });

/** How long ago a moment was, ms, by the clock that says more. */
export const ageOf = (clock: Clock, { elapsed, at }: Moment): number =>
  Math.max(clock.elapsed() - elapsed, clock.now() - at);

export type Cancel = () => void;

/** Timers. A port, so that a test or a simulation can run through a day in a moment. */
export interface Scheduler {
  /** Runs once after `ms`; the returned function cancels. */
  after(ms: number, run: () => void): Cancel;
  /** Runs after the present turn of the event loop; commits are grouped by it. */
  endOfTurn(run: () => void): void;
}

/** The longest delay that the host's timers accept; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemScheduler: Scheduler = {
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
  endOfTurn(run) {
    setImmediate(run);
  },
};

/** Waits; ends early, without an error, when `signal` aborts. */
export function sleep(scheduler: Scheduler, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = scheduler.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
