const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * What to tell a person whose clock is wrong; null when it is not known to be. `aheadMs` is how far
 * it is ahead of the broker's, negative when it is behind.
 */
export function clockAdvice(aheadMs: number | undefined): string | null {
  if (aheadMs === undefined) return null;
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  return (
    `This computer's clock is ${duration(Math.abs(aheadMs))} ${where} the broker's: set it ` +
    'right. Otherwise the gateway ends the day and the login at a wrong time.'
  );
}

function duration(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${Math.round(ms / DAY_MS)} days`;
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
