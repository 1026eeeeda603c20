import type { Clock } from '../../src/platform/clock.ts';
import type { Cancel, Scheduler } from '../../src/platform/scheduler.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Lets everything run that waits for nothing but the present: promises, and streams in memory. */
export function drain(turns = 1): Promise<void> {
  return new Promise((resolve) => {
    const turn = (left: number): void => {
      setImmediate(() => (left > 1 ? turn(left - 1) : resolve()));
    };
    turn(turns);
  });
}

/**
 * A clock and a scheduler that a test moves by hand. Timers fire in the order of their time, and
 * those of one time in the order in which they were set, so a run is the same twice.
 */
export class VirtualTime implements Clock, Scheduler {
  #wall: number;
  #elapsed = 0;
  #sequence = 0;
  #timers: Timer[] = [];

  constructor(start: number | string) {
    this.#wall = typeof start === 'string' ? Date.parse(start) : start;
  }

  now(): number {
    return this.#wall + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(ms: number, run: () => void): Cancel {
    const timer = { at: this.#elapsed + Math.max(0, ms), order: this.#sequence++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  endOfTurn(run: () => void): void {
    this.after(0, run);
  }

  /** Sets the wall clock without letting time pass, as a person or a time server does. */
  stepWall(ms: number): void {
    this.#wall += ms;
  }

  get pending(): number {
    return this.#timers.length;
  }

  #next(): Timer | undefined {
    return this.#timers.reduce<Timer | undefined>(
      (first, timer) =>
        first === undefined ||
        timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
          ? timer
          : first,
      undefined,
    );
  }

  /** Fires the next timer, if it is due by `limit` (elapsed ms); false when there is none. */
  fireNext(limit = Infinity): boolean {
    const next = this.#next();
    if (!next || next.at > limit) return false;
    this.#timers = this.#timers.filter((each) => each !== next);
    this.#elapsed = Math.max(this.#elapsed, next.at);
    next.run();
    return true;
  }

  /** Lets `ms` pass: every timer due in it fires, and what it sets going runs before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await drain();
    while (this.fireNext(until)) await drain();
    this.#elapsed = until;
    await drain();
  }

  /** Moves to an instant, ISO 8601 or epoch ms. */
  async advanceTo(instant: number | string): Promise<void> {
    const at = typeof instant === 'string' ? Date.parse(instant) : instant;
    await this.advance(Math.max(0, at - this.now()));
  }

  /** Lets as little time pass as a promise needs to settle; gives up after `limitMs` of it. */
  async settle<T>(promise: Promise<T>, limitMs = 600_000): Promise<T> {
    let settled = false;
    const mark = (): void => {
      settled = true;
    };
    promise.then(mark, mark);
    const limit = this.#elapsed + limitMs;
    for (;;) {
      await drain();
      if (settled) return promise;
      if (!this.fireNext(limit)) {
        await drain(20);
        if (settled) return promise;
        if (!this.fireNext(limit)) throw new Error('nothing left to wait for, and not settled');
      }
    }
  }
}
