/** At most `count` requests in any `perMs`. */
export interface RequestWindow {
  readonly count: number;
  readonly perMs: number;
}

/** Kite's limits on order requests (docs/spec/kite-limits.md). */
export const ORDER_WINDOWS: readonly RequestWindow[] = [
  { count: 10, perMs: 1_000 },
  { count: 400, perMs: 60_000 },
];

/**
 * The time after `from` at which the last of `count` requests can arrive at the earliest, ms, where nobody
 * else sends any: each as soon as every window has a place for it. `before` are the arrivals until then,
 * oldest first, which still take places.
 */
export function leastMs(
  before: readonly number[],
  from: number,
  count: number,
  windows: readonly RequestWindow[],
): number {
  const arrivals = [...before];
  for (let sent = 0; sent < count; sent += 1) {
    const free = windows.map((window) => {
      const oldest = arrivals.at(-window.count);
      return oldest === undefined ? from : oldest + window.perMs;
    });
    arrivals.push(Math.max(from, arrivals.at(-1) ?? from, ...free));
  }
  return Math.max(0, (arrivals.at(-1) ?? from) - from);
}
