import type { Cancel, Clock, Scheduler } from '../../src/platform/clock.ts';
import { elapsedMs, epochMs, type ElapsedMs, type EpochMs } from '../../src/units/branded.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

const isBefore = (left: Timer, right: Timer): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order);

/** A binary heap: a simulated day sets and cancels timers by the hundred thousand. */
class TimerQueue {
  readonly #heap: Timer[] = [];

  push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = timer;
  }

  get size(): number {
    return this.#heap.filter((timer) => !timer.cancelled).length;
  }

  /** The earliest timer that was not cancelled. */
  peek(): Timer | undefined {
    while (this.#heap[0]?.cancelled) this.pop();
    return this.#heap[0];
  }

  pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right]!, heap[left]!) ? right : left;
      if (!isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
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

/** Two seconds in all. */
const REAL_TRIES = 200;
const realPause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 10));

/**
 * A clock and a scheduler that a test moves by hand. Timers fire in the order of their time, and
 * those of one time in the order in which they were set, so a run is the same twice.
 */
export class VirtualTime implements Clock, Scheduler {
  #wall: number;
  #elapsed = 0;
  #sequence = 0;
  readonly #timers = new TimerQueue();

  constructor(start: number | string) {
    this.#wall = typeof start === 'string' ? Date.parse(start) : start;
  }

  now(): EpochMs {
    return epochMs(Math.floor(this.#wall + this.#elapsed));
  }

  elapsed(): ElapsedMs {
    return elapsedMs(this.#elapsed);
  }

  after(ms: number, run: () => void): Cancel {
    // As Node does it: no wait is shorter than a millisecond. A rest of 1e-11 ms, which a difference of
    // two times can leave, would otherwise not move this clock, and the wait would begin again for ever.
    const at = this.#elapsed + (ms > 0 ? Math.max(1, ms) : 0);
    const timer = { at, order: this.#sequence++, run, cancelled: false };
    this.#timers.push(timer);
    return () => {
      timer.cancelled = true;
    };
  }

  endOfTurn(run: () => void): void {
    this.after(0, run);
  }

  /** Sets the wall clock without letting time pass, as a person or a time server does. */
  stepWall(ms: number): void {
    this.#wall += ms;
  }

  /** Lets `ms` pass in which the process does nothing: it waits for the disk. No timer fires meanwhile. */
  standStill(ms: number): void {
    this.#elapsed += ms;
  }

  /** Timers that are set and neither due nor cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  #isDue(limit: number): boolean {
    const next = this.#timers.peek();
    return next !== undefined && next.at <= limit;
  }

  /** Fires the next timer, if it is due by `limit` (elapsed ms); false when there is none. */
  fireNext(limit = Infinity): boolean {
    const next = this.#timers.peek();
    if (!next || next.at > limit) return false;
    this.#timers.pop();
    this.#elapsed = Math.max(this.#elapsed, next.at);
    next.run();
    return true;
  }

  /** Lets `ms` pass: every timer due in it fires, and what it sets going runs before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await drain();
    while (this.fireNext(until)) await drain();
    this.#elapsed = Math.max(this.#elapsed, until);
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
      if (this.fireNext(limit)) continue;
      // What the machine itself does (a file, a compression) takes real time, and more of it while the machine is busy.
      for (let tries = 0; !settled && tries < REAL_TRIES && !this.#isDue(limit); tries += 1) {
        await drain(20);
        if (!settled && tries > 0) await realPause();
      }
      if (settled) return promise;
      if (!this.fireNext(limit)) throw new Error('nothing left to wait for, and not settled');
    }
  }
}
