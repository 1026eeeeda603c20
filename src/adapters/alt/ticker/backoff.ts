import type { Ids } from '../../../platform/ids.ts';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * How long to wait after `failures` failures in a row, ms: doubles up to a minute, with half of it
 * random, so that gateways that lost one server do not all return at once.
 */
export function pauseAfter(failures: number, ids: Ids): number {
  const full = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures);
  const share = Number.parseInt(ids.secret(4), 16) / 2 ** 32;
  return Math.round(full * (0.5 + share / 2));
}
