const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/**
 * Reads an expiry as the broker writes it and returns the day `YYYY-MM-DD`: `2026-08-27…`,
 * `08/27/2026…` (month first, as in positions) or `27-Aug-2026`. Null for any other form, and for a
 * day that does not exist.
 */
export function expiryDay(text: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text);
  if (iso) return realDay(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const american = /^(\d{2})\/(\d{2})\/(\d{4})(?!\d)/.exec(text);
  if (american) return realDay(Number(american[3]), Number(american[1]), Number(american[2]));
  const worded = /^(\d{1,2})[- ]([A-Z]{3})[- ](\d{4})(?!\d)/i.exec(text);
  if (!worded) return null;
  const [, date, monthName = '', year] = worded;
  return realDay(Number(year), MONTHS.indexOf(monthName.toUpperCase()) + 1, Number(date));
}

/** Checked without Date, which turns 30 February into March and is slow for 100,000 rows. */
function realDay(year: number, month: number, date: number): string | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const long = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  if (long === undefined || date < 1 || date > long) return null;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`;
}
