import { istDay, istTime } from '../domain/ist.ts';
import { isTradingDay } from '../domain/market-hours.ts';
import type { EpochMs } from '../units/branded.ts';

export interface ReminderSettings {
  /** `HH:MM` IST: when the first reminder of a day is due. */
  readonly at: string;
  readonly days: 'daily' | 'trading';
}

/** Minutes after the first time at which a day's reminders are due: 09:00, 09:10 and 09:14. */
const MINUTES_AFTER = [0, 10, 14];
/** After the market's close, the login can wait for the next morning. */
const USEFUL_UNTIL = '15:30';
/** A reminder that is sent within this time is not called late. */
const PUNCTUAL_MS = 60_000;

/** One time at which a reminder is due. */
export interface Slot {
  /** `2026-11-06T09:00`, IST: identifies the slot. */
  readonly key: string;
  /** `HH:MM` IST. */
  readonly time: string;
  /** Epoch ms. */
  readonly at: EpochMs;
  /** 0 is the first of its day. */
  readonly number: number;
}

/**
 * What is known about a slot. `sending` is written before the message leaves. If it is found at a
 * start, the message may have been sent, and is sent once more, with `again`. After a second such
 * stop it is not repeated.
 */
export interface SlotRecord {
  readonly key: string;
  readonly state: 'sending' | 'owed' | 'sent' | 'not_needed' | 'covered' | 'refused';
  readonly again: boolean;
}

export type ReminderDecision =
  /** Nothing is due. */
  | { readonly kind: 'wait' }
  /** There is a session: these slots need no message any more. */
  | { readonly kind: 'not_needed'; readonly keys: readonly string[] }
  | {
      readonly kind: 'send';
      readonly slot: Slot;
      /** Earlier slots that this message covers. */
      readonly covers: readonly string[];
      readonly late: boolean;
      /** A message for this slot may have been sent before the process ended. */
      readonly again: boolean;
    };

/** The times of day at which a reminder can be due, `HH:MM` IST, earliest first. */
export function reminderTimes(at: string): readonly string[] {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  return MINUTES_AFTER.map((after) => {
    const total = hour * 60 + minute + after;
    return `${two(Math.floor(total / 60))}:${two(total % 60)}`;
  });
}

const two = (count: number): string => String(count).padStart(2, '0');

/** Pure: independent of the host's time zone, and correct for a clock that steps. */
export function decideReminder(given: {
  readonly now: EpochMs;
  readonly settings: ReminderSettings;
  /** Whether there is no session. */
  readonly needed: boolean;
  readonly records: readonly SlotRecord[];
}): ReminderDecision {
  const { now, settings, needed, records } = given;
  const day = istDay(now);
  if (settings.days === 'trading' && !isTradingDay(day)) return { kind: 'wait' };
  if (now >= istTime(day, USEFUL_UNTIL)) return { kind: 'wait' };
  const recordOf = (slot: Slot): SlotRecord | undefined =>
    records.find((record) => record.key === slot.key);
  const open = slotsOf(day, settings.at).filter(
    (slot) => slot.at <= now && !isSettled(recordOf(slot)),
  );
  const slot = open.at(-1);
  if (slot === undefined) return { kind: 'wait' };
  if (!needed) return { kind: 'not_needed', keys: open.map(({ key }) => key) };
  return {
    kind: 'send',
    slot,
    covers: open.slice(0, -1).map(({ key }) => key),
    late: now - slot.at > PUNCTUAL_MS,
    again: recordOf(slot)?.state === 'sending',
  };
}

function slotsOf(day: string, at: string): Slot[] {
  return reminderTimes(at).map((time, number) => ({
    key: `${day}T${time}`,
    time,
    at: istTime(day, time),
    number,
  }));
}

/** Whether a slot needs no message any more. */
export function isSettled(record: SlotRecord | undefined): boolean {
  if (record === undefined || record.state === 'owed') return false;
  return record.state !== 'sending' || record.again;
}
