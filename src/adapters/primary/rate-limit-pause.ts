/** The pause after a 429 without Retry-After, and the longest pause that we accept. */
const DEFAULT_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** How long a limiter pauses after a 429, ms; null stands for a reply without Retry-After. */
export function pauseMs(retryAfterMs: number | null): number {
  return Math.min(retryAfterMs ?? DEFAULT_PAUSE_MS, LONGEST_PAUSE_MS);
}
