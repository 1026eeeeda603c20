import {
  type CalendarDay,
  epochMs,
  type EpochMs,
  plus,
  type TradingDay,
} from '../units/branded.ts';

/**
 * Indian Standard Time: UTC+05:30 all year. Computed by a fixed offset, never by the host's time
 * zone, so that the gateway gives the same times wherever it runs.
 */
const IST_OFFSET_MS = 5.5 * 3_600_000;
const DAY_MS = 86_400_000;

/** The text of a day, by its number since 1970, and its beginning in UTC, by its text. */
const dayText = remembered((day: number): CalendarDay => {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
});
const dayStart = remembered((day: string) => Date.parse(`${day}T00:00:00Z`));
const timeOfDay = remembered((time: string) => Date.parse(`1970-01-01T${time}Z`));

/** Days and times of day are few, and asked for at every read of a book. */
function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return (key) => {
    let value = values.get(key);
    if (value === undefined) {
      value = compute(key);
      if (values.size >= 10_000) values.clear();
      values.set(key, value);
    }
    return value;
  };
}

/** IST calendar day of an instant, `YYYY-MM-DD`. */
export function istDay(at: EpochMs): CalendarDay {
  return dayText(Math.floor((at + IST_OFFSET_MS) / DAY_MS));
}

/** Epoch ms of an IST wall-clock time on an IST calendar day. `time` is `HH:MM` or `HH:MM:SS`. */
export function istTime(day: string, time: string): EpochMs {
  return epochMs(dayStart(day) + timeOfDay(time) - IST_OFFSET_MS);
}

/** ISO 8601 with +05:30, the format of every time in an answer. */
export function istIso(at: EpochMs): string {
  return new Date(at + IST_OFFSET_MS).toISOString().replace('Z', '+05:30');
}

/** A time for people to read: `Mon 23 Nov, 06:00 IST`. */
export function readableTime(at: EpochMs): string {
  // `Mon, 23 Nov 2026 06:00:00 GMT`, in every locale.
  const [weekday, day, month, , time] = new Date(at + IST_OFFSET_MS).toUTCString().split(' ');
  return `${weekday?.slice(0, 3)} ${Number(day)} ${month}, ${time?.slice(0, 5)} IST`;
}

/** A time of a day that nobody doubts, for people to read: `10:15:03 IST`. */
export const readableSecond = (at: EpochMs): string => `${istIso(at).slice(11, 19)} IST`;

/** A day for people to read: `Mon 23 Nov, 2026`. */
export function readableDay(day: string): string {
  const [weekday, date, month, year] = new Date(dayStart(day)).toUTCString().split(' ');
  return `${weekday?.slice(0, 3)} ${Number(date)} ${month}, ${year}`;
}

/** Milliseconds since IST midnight. */
export function istTimeOfDay(at: EpochMs): number {
  return (((at + IST_OFFSET_MS) % DAY_MS) + DAY_MS) % DAY_MS;
}

/** 0 is Sunday. */
export function istWeekday(day: string): number {
  return new Date(dayStart(day)).getUTCDay();
}

/**
 * Reads a broker's IST wall time without a zone, `yyyy-mm-dd hh:mm:ss`; null when it is not one.
 */
export function parseIstWallTime(text: string): EpochMs | null {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(\.\d+)?$/.exec(text);
  if (!match?.[1] || !match[2]) return null;
  const at = istTime(match[1], match[2]);
  return Number.isNaN(at) ? null : at;
}

/**
 * The broker's day of an instant. It begins at 06:00 IST, when tokens expire and yesterday's order
 * book is cleared (docs/spec/token.md). `YYYY-MM-DD`.
 */
export function tradingDay(at: EpochMs): TradingDay {
  const date: string = istDay(plus(at, -6 * 3_600_000));
  return date;
}

/** The next 06:00 IST strictly after an instant: when a token issued at that instant expires. */
export function nextTokenExpiry(at: EpochMs): EpochMs {
  const today = istTime(istDay(at), '06:00');
  return at < today ? today : plus(today, DAY_MS);
}
