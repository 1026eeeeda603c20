/** Indian Standard Time is UTC+05:30 all year, so plain arithmetic is enough. */
const OFFSET_MS = 19_800_000;
export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const MINUTE_MS = 60_000;

const iso = (at: number): string => new Date(at + OFFSET_MS).toISOString();

/** Days and minutes as text, by number: a simulated day asks for the same one a million times. */
const dates = new Map<number, string>();
const minutes = new Map<number, string>();

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`; callers leave out the zone, because it is not UTC. */
function wall(at: number): string {
  const whole = Math.floor(at);
  const minute = Math.floor(whole / MINUTE_MS);
  let text = minutes.get(minute);
  if (text === undefined) {
    text = iso(at).slice(0, 17);
    if (minutes.size > 10_000) minutes.clear();
    minutes.set(minute, text);
  }
  const ms = whole - minute * MINUTE_MS;
  return `${text}${digits(Math.floor(ms / 1_000), 2)}.${digits(ms % 1_000, 3)}Z`;
}

/** `YYYY-MM-DD`. */
export function istDate(at: number): string {
  const day = Math.floor((at + OFFSET_MS) / DAY_MS);
  let date = dates.get(day);
  if (date === undefined) {
    date = iso(at).slice(0, 10);
    dates.set(day, date);
  }
  return date;
}

/** `YYYY-MM-DD HH:MM:SS`, without a zone, in whole seconds: Kite's form. */
export const istStamp = (at: number): string => wall(at).slice(0, 19).replace('T', ' ');

/** `YYYY-MM-DDTHH:MM:SS+0530`: the form of Kite's candles. */
export const istCandleStamp = (at: number): string => `${wall(at).slice(0, 19)}+0530`;

/** `YYYY-MM-DDTHH:MM:SS.mmm000+05:30`: the form of the primary brokerage's rows. */
export const istIso = (at: number): string => `${wall(at).slice(0, 23)}000+05:30`;

export const istIsoSeconds = (at: number): string => `${wall(at).slice(0, 19)}+05:30`;

/** 0 is Sunday. */
export const istWeekday = (at: number): number => new Date(at + OFFSET_MS).getUTCDay();

export const istMidnight = (at: number): number =>
  Math.floor((at + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS;

/** The instant of a wall-clock time on the day of `at`. */
export const istAt = (at: number, hour: number, minute: number): number =>
  istMidnight(at) + hour * HOUR_MS + minute * MINUTE_MS;

/** Brokers begin a new book and end sessions about 06:00 IST, not at midnight. */
export const brokerDay = (at: number): string => istDate(at - 6 * HOUR_MS);

export const brokerDayStart = (at: number): number => istMidnight(at - 6 * HOUR_MS) + 6 * HOUR_MS;

export const brokerDayEnd = (at: number): number => brokerDayStart(at) + DAY_MS;

/** Reads `YYYY-MM-DD[ HH:MM:SS]` as IST; `NaN` for any other text. */
export function parseIst(text: string): number {
  const normal = text
    .trim()
    .replace(' ', 'T')
    .replace(/\+0530$/, '');
  const full = normal.length === 10 ? `${normal}T00:00:00` : normal;
  return Date.parse(`${full.slice(0, 19)}+05:30`);
}
