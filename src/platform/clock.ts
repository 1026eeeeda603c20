import { uptime } from 'node:os';
import { elapsedMs, epochMs, type ElapsedMs, type EpochMs } from '../units/branded.ts';

/** The gateway's only source of time. */
export interface Clock {
  /** Epoch milliseconds. May step backwards when the host's clock is set. */
  now(): EpochMs;
  /**
   * Milliseconds since an arbitrary start; never steps, also when the host's clock is changed. It goes on while the
   * computer sleeps where the host tells for how long it did, and stands still meanwhile where it does not.
   */
  elapsed(): ElapsedMs;
}

/** What a host tells of time, all in ms. */
export interface HostTime {
  /** Since 1970; can be set. */
  wall(): number;
  /** Since some moment; never set, and on some hosts without the time of sleep. */
  running(): number;
  /** Since the host was started, the time of sleep included. */
  uptime(): number;
}

/** A smaller difference between clocks can be of their resolution: some hosts tell their uptime in whole seconds. */
const SLEPT_MS = 2_000;
/** The host's uptime is asked for so often at least, and whenever the wall clock has gone further than the running one. */
const ASK_EVERY_MS = 10_000;

/**
 * A clock whose elapsed time includes sleep: otherwise a price or an account that was read before a night would be a
 * second old in the morning (docs/decisions/0067).
 */
export function createClock(host: HostTime): Clock {
  let slept = 0;
  let last = { wall: host.wall(), running: host.running() };
  const uptimeAhead = (): number => host.uptime() - host.running();
  let ahead = uptimeAhead();

  function look(): void {
    const now = { wall: host.wall(), running: host.running() };
    const ran = now.running - last.running;
    if (now.wall - last.wall - ran < SLEPT_MS / 2 && ran < ASK_EVERY_MS) return;
    last = now;
    const further = uptimeAhead() - ahead;
    if (further < SLEPT_MS) return;
    ahead += further;
    slept += further;
  }

  return {
    now: () => epochMs(host.wall()),
    elapsed() {
      look();
      return elapsedMs(host.running() + slept);
    },
  };
}

export const systemClock: Clock = createClock({
  wall: () => Date.now(),
  running: () => performance.now(),
  uptime: () => uptime() * 1_000,
});

/** A moment by both clocks: the running one may stand still while the computer sleeps, the other can be set. */
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

/** Resolves once whatever else is due has had a turn: between the pages of what is read without an end. */
export const turnOfOthers = (scheduler: Scheduler): Promise<void> =>
  new Promise((resolve) => scheduler.endOfTurn(resolve));
