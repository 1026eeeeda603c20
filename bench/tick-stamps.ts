/** The range of a price of a tick: four bytes of paise. */
const RANGE = 4_000_000_000;

/** Now, in hundredths of a millisecond, as the price of a tick in paise; never 0. */
export const stampNow = (): number =>
  1 + (Math.floor((performance.timeOrigin + performance.now()) * 100) % RANGE);

/** How long ago a stamp was made, ms. */
export const sinceStamp = (paise: number): number =>
  ((stampNow() - Math.round(paise) + RANGE) % RANGE) / 100;
