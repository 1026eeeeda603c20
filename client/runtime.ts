/** What the client takes from the program that it runs in. Tests give their own. */
export interface Runtime {
  readonly fetch: typeof fetch;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** Calls `run` after `ms`, unless the function that it returns was called before. */
  after(ms: number, run: () => void): () => void;
  /** A text that no call has had before. */
  newKey(): string;
}

/** The clock, the timers and the random numbers of Node and of browsers. */
export const systemRuntime: Runtime = {
  fetch: (input, init) => fetch(input, init),
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  newKey,
};

/**
 * A new idempotency key: 32 hexadecimal digits at random. To find an order again after a crash of your own program,
 * make the key first, write it down, and place the order with it.
 */
export function newKey(): string {
  // crypto.randomUUID is missing on pages that did not come by https.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
