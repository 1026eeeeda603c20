/** A 429 without Retry-After, and the longest pause that one may ask for. */
const DEFAULT_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** How long a bucket rests after a 429; null is one that does not say. */
export function pauseMs(retryAfterMs: number | null): number {
  return Math.min(retryAfterMs ?? DEFAULT_PAUSE_MS, LONGEST_PAUSE_MS);
}
