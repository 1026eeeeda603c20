import type { SandboxClock } from '../kernel/ports.ts';

/** How a caller waits for an answer. The naive script and the caller of the gateway have the same one. */
export interface Patience {
  readonly clock: SandboxClock;
  /** Then the caller gives the request up, in ms. */
  readonly timeoutMs: number;
}

/** Told of each request before it is sent, and of each that was given up. */
export interface Watch {
  sends(attempt: number): void;
  hearsNothing(why: 'time_out' | 'connection'): void;
}

const MOST_ATTEMPTS = 40;
/** The wait after a connection that failed: the server may be about to start. */
const PAUSE_MS = 500;

/** Sends, and sends again what was not answered. Rejects after forty attempts. */
export async function untilAnswered<T>(
  send: (signal: AbortSignal) => Promise<T>,
  { clock, timeoutMs }: Patience,
  watch: Watch,
): Promise<T> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const abort = new AbortController();
    const cancel = clock.after(timeoutMs, () => abort.abort());
    watch.sends(attempt);
    try {
      return await send(abort.signal);
    } catch (error) {
      // Only fetch fails in this way: an answer that cannot be read is a mistake of the demo.
      if (!abort.signal.aborted && !(error instanceof TypeError)) throw error;
      watch.hearsNothing(abort.signal.aborted ? 'time_out' : 'connection');
      if (!abort.signal.aborted) await pause(clock, PAUSE_MS);
    } finally {
      cancel();
    }
  }
  throw new Error(`no answer to ${MOST_ATTEMPTS} requests`);
}

export const pause = (clock: SandboxClock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
