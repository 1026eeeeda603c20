/**
 * When a list of instruments is of today (docs/spec/instruments.md, "When they are loaded"). The
 * alternative broker makes its list anew at about 08:30 IST; one that was read in the minutes after
 * may still be the old one, so there is a second boundary.
 */
const BOUNDARIES_MS = [clockTime(8, 30), clockTime(8, 50)] as const;

const IST_OFFSET_MS = clockTime(5, 30);
const DAY_MS = clockTime(24, 0);

/** The spec's cache of the primary brokerage's list. */
export const HOUR_MS = clockTime(1, 0);

/** Older than this, ids and lots say too little to trade on. */
export const OLDEST_MS = 7 * DAY_MS;

/** Counts up by one at each boundary: two instants of one edition would be given the same list. */
export function editionOf(at: number): number {
  const ist = at + IST_OFFSET_MS;
  const sinceMidnight = ((ist % DAY_MS) + DAY_MS) % DAY_MS;
  const passed = BOUNDARIES_MS.filter((boundary) => sinceMidnight >= boundary).length;
  return Math.floor(ist / DAY_MS) * BOUNDARIES_MS.length + passed;
}

/**
 * Whether a list that was asked for at `fetchedAt` has to be asked for again. One from the future was
 * read under a wrong clock: nobody knows how old it is.
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
