/** When the book is read for an uncertain order: ms after it became so, then every 5 s. */
const POINTS = [250, 500, 1_000, 2_000, 4_000];
const THEN_EVERY = 5_000;
/** Once the market has closed, nothing is in a hurry any more, and brokers count the reads of a day. */
const AFTER_HOURS = 60_000;

/**
 * The next instant at which the book is due for something uncertain since `since`, given that the
 * last read began at `last` (-Infinity when there was none). All in the same milliseconds. `quiet`: the
 * market is shut, and has been for a while. Many that are uncertain share their reads.
 */
export function nextResolvingRead(since: number, last: number, quiet: boolean): number {
  const passed = last - since;
  const point = POINTS.find((each) => each > passed);
  if (point !== undefined) return since + point;
  return last + (quiet ? AFTER_HOURS : THEN_EVERY);
}
