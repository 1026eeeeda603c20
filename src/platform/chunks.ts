import type { Scheduler } from './clock.ts';

/**
 * Long work, written as a generator that yields where other work may run first. There is one
 * thread: an order must not wait for a hundred thousand rows.
 */
export type Chunked<T> = Generator<undefined, T, undefined>;

/**
 * Runs one chunk in each turn of the event loop. Rejects with what the work throws; stops when
 * aborted.
 */
export function inChunks<T>(
  work: Chunked<T>,
  scheduler: Scheduler,
  isAborted: () => boolean = () => false,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = (): void => {
      try {
        if (isAborted()) throw new Error('the work was no longer wanted');
        const step = work.next();
        if (step.done) resolve(step.value);
        else scheduler.endOfTurn(run);
      } catch (error) {
        reject(error);
      }
    };
    run();
  });
}

/** Runs all the work at once, during the start, when no caller is waiting yet. */
export function atOnce<T>(work: Chunked<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
