import type { Clock } from '../platform/clock.ts';

/**
 * Counts wrong keys by remote address. It never delays a right key: on loopback all callers share
 * one address, and a forgotten script with an old key must not lock its owner out of the kill
 * switch. Keys have 256 random bits and cannot be guessed, so this only limits noise.
 */
export interface FailureLimiter {
  /**
   * Records a wrong key; returns how long the address must wait (ms), 0 while it is below the
   * limit.
   */
  failed(address: string): number;
}

const LIMIT = 10;
const WINDOW_MS = 60_000;
/** The most addresses; the oldest one is dropped, so that many addresses cannot fill the memory. */
const MOST_ADDRESSES = 10_000;

export function createFailureLimiter(clock: Clock): FailureLimiter {
  const failures = new Map<string, number[]>();
  return {
    failed(address) {
      const now = clock.elapsed();
      const recent = (failures.get(address) ?? []).filter((at) => at > now - WINDOW_MS);
      failures.delete(address);
      if (failures.size >= MOST_ADDRESSES) {
        const [oldest] = failures.keys();
        if (oldest !== undefined) failures.delete(oldest);
      }
      const [first] = recent;
      const waitMs = first === undefined || recent.length < LIMIT ? 0 : first + WINDOW_MS - now;
      if (waitMs === 0) recent.push(now);
      failures.set(address, recent);
      return waitMs;
    },
  };
}
