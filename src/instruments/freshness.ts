/**
 * When a list of instruments counts as today's (docs/spec/instruments.md, "When they are loaded").
 * The alternative broker publishes its list at about 08:30 IST; a list read in the minutes after
 * may still be the old one, so there is a second boundary.
 */
const BOUNDARIES_MS = [clockTime(8, 30), clockTime(8, 50)] as const;

const IST_OFFSET_MS = clockTime(5, 30);
const DAY_MS = clockTime(24, 0);

/** The spec's cache time of the primary brokerage's list. */
export const HOUR_MS = clockTime(1, 0);

/** In an older list, ids and lots are too unreliable to trade on. */
export const OLDEST_MS = 7 * DAY_MS;

/**
 * Increases by one at each boundary: at two instants of one edition the broker gives the same list.
 */
export function editionOf(at: number): number {
  const ist = at + IST_OFFSET_MS;
  const sinceMidnight = ((ist % DAY_MS) + DAY_MS) % DAY_MS;
  const passed = BOUNDARIES_MS.filter((boundary) => sinceMidnight >= boundary).length;
  return Math.floor(ist / DAY_MS) * BOUNDARIES_MS.length + passed;
}

/**
 * Whether a list that was requested at `fetchedAt` must be read again. One from the future was read
 * under a wrong clock, so its age is unknown.
 */
export function isOutdated(fetchedAt: number, now: number, freshForMs: number | null): boolean {
  if (fetchedAt > now || editionOf(fetchedAt) !== editionOf(now)) return true;
  return freshForMs !== null && now - fetchedAt >= freshForMs;
}

export function isTooOld(fetchedAt: number, now: number): boolean {
  return Math.abs(now - fetchedAt) > OLDEST_MS;
}

function clockTime(hours: number, minutes: number): number {
  return (hours * 60 + minutes) * 60_000;
}
