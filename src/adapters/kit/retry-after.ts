import type { EpochMs } from '../../units/branded.ts';

/** No broker means a longer pause: a wrong Retry-After must not stop orders for the day. */
const LONGEST_MS = 300_000;
const WITHOUT_HEADER_MS = 1_000;

/**
 * What a Retry-After header asks for, in ms from `now` (epoch ms): seconds or an HTTP date (RFC
 * 9110, 10.2.3). At most five minutes; null when it is neither.
 */
export function readRetryAfter(header: string | undefined, now: EpochMs): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_MS);
}

/** How long a rate-limit queue pauses after a 429, ms; null stands for one without Retry-After. */
export function pauseMs(retryAfterMs: number | null): number {
  return retryAfterMs ?? WITHOUT_HEADER_MS;
}
