/**
 * What a Retry-After header asks for, in ms from `now` (epoch ms): seconds or an HTTP date (RFC
 * 9110, 10.2.3). Null when it is neither. The caller limits values that are too long to be meant.
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
