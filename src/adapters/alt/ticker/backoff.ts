import type { Ids } from '../../../platform/ids.ts';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * How long to wait before attempt `failures` + 1, ms: doubling up to a minute, and by half at
 * random, so that gateways that lost one server do not come back to it as one.
 */
export function pauseAfter(failures: number, ids: Ids): number {
  const full = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures);
  const share = Number.parseInt(ids.secret(4), 16) / 2 ** 32;
  return Math.round(full * (0.5 + share / 2));
}
