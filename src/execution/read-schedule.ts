/** When the book is read for an uncertain order: ms after it became so, then every 5 s. */
const POINTS = [250, 500, 1_000, 2_000, 4_000];
const THEN_EVERY = 5_000;
/** Once the market has closed and its close is settled, nothing is in a hurry any more. */
const AFTER_HOURS = 60_000;

/**
 * The next instant at which the book is due for something uncertain since `since`, given that the
 * last read began at `last` (-Infinity when there was none). All in the same milliseconds. `settled`:
 * the day's last book has been read whole, or could have been for a while.
 */
export function nextResolvingRead(since: number, last: number, settled: boolean): number {
  const passed = last - since;
  const point = POINTS.find((each) => each > passed);
  if (point !== undefined) return since + point;
  if (settled) return last + AFTER_HOURS;
  const final = POINTS.at(-1)!;
  return since + final + THEN_EVERY * (Math.floor((passed - final) / THEN_EVERY) + 1);
}
