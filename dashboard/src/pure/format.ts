/** Figures and times as a person in India reads them. */

const RUPEES = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const COUNT = new Intl.NumberFormat('en-IN');

/** `₹1,23,456.78`; "not known" for null, which is never shown as nothing. */
export function rupees(amount: number | null): string {
  return amount === null ? 'not known' : RUPEES.format(amount).replace(/^-/, '−');
}

/** The same for what was made or lost, rounded to paise: `+₹12.50`, `−₹3.00`, `₹0.00`. */
export function gain(amount: number | null): string {
  if (amount === null) return 'not known';
  const paise = Math.round(amount * 100) / 100;
  return `${paise > 0 ? '+' : ''}${rupees(paise === 0 ? 0 : paise)}`;
}

/** `1,23,456`; "not known" for null. */
export function count(quantity: number | null): string {
  return quantity === null ? 'not known' : COUNT.format(quantity).replace(/^-/, '−');
}

const ZONE = 'Asia/Kolkata';
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: ZONE, hour: '2-digit', minute: '2-digit', second: '2-digit' },
});
const DAY = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: ZONE, weekday: 'short', day: 'numeric', month: 'short' },
});
const MINUTE = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: ZONE, hour: '2-digit', minute: '2-digit' },
});

/**
 * `10:15:02 IST`, whatever the time zone of the machine; of another day in India than `now` with that day, since a page stays open over
 * night. Takes ISO 8601, or epoch ms.
 */
export function clockTime(at: string | number, now: number): string {
  const date = new Date(at);
  const time = `${CLOCK.format(date)} IST`;
  return isSameDay(date.getTime(), now) ? time : `${dayOf(date)}, ${time}`;
}

/** `Mon 23 Nov` */
const dayOf = (date: Date): string => DAY.format(date).replace(',', '');

/** `Mon 23 Nov, 06:00 IST` */
export function dayAndTime(at: string | number): string {
  const date = new Date(at);
  return `${dayOf(date)}, ${MINUTE.format(date)} IST`;
}

/** `Mon 23 Nov`, of a day as in `2026-11-23`. */
export const dayText = (day: string): string => dayOf(new Date(`${day}T12:00:00+05:30`));

const DATE = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE });

/** Whether two times (epoch ms) are of one day in India. */
export const isSameDay = (one: number, other: number): boolean =>
  DATE.format(one) === DATE.format(other);

/** `0.34 s`, `340 ms` below a tenth; "not known" for null. */
export function duration(ms: number | null): string {
  if (ms === null) return 'not known';
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** Adds rupees without the errors of binary fractions; null where one of them is not known. */
export function sum(amounts: readonly (number | null)[]): number | null {
  let tenThousandths = 0;
  for (const amount of amounts) {
    if (amount === null) return null;
    tenThousandths += Math.round(amount * 10_000);
  }
  return tenThousandths / 10_000;
}
