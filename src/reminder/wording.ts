import { istDay, istTime } from '../domain/ist.ts';
import { isTradingDay } from '../domain/market-hours.ts';
import type { ReminderDecision } from './policy.ts';
import type { EpochMs } from '../units/branded.ts';

/** What a reminder says. Holds the login's address, and no secret. */
export function reminderText(
  { slot, late, again }: Extract<ReminderDecision, { kind: 'send' }>,
  now: EpochMs,
  login: { readonly url: string; readonly title: string },
): string {
  return [
    slot.number === 0 || late
      ? `Please log in to the ${login.title} for today:`
      : `Still not logged in to the ${login.title} at ${slot.time}:`,
    login.url,
    marketLine(now),
    ...(late ? [`This reminder was due at ${slot.time} and could not be sent then.`] : []),
    ...(again ? ['It may come twice: the gateway stopped while it was being sent.'] : []),
  ].join('\n');
}

function marketLine(now: EpochMs): string {
  const day = istDay(now);
  if (!isTradingDay(day)) return 'There is no trading today.';
  return now < istTime(day, '09:15') ? 'The market opens at 09:15.' : 'The market is open.';
}
