import { afterEach, describe, expect, it } from 'vitest';
import { decideReminder, reminderTimes, type SlotRecord } from '../../src/reminder/policy.ts';
import { epochMs, type EpochMs } from '../../src/units/branded.ts';

/** IST. 6 November 2026 is a Friday, the 7th a Saturday, the 10th a holiday. */
const at = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));

function decide(
  now: string,
  more: Partial<Parameters<typeof decideReminder>[0]> & {
    states?: Record<string, SlotRecord['state']>;
  } = {},
) {
  const { states = {}, ...given } = more;
  return decideReminder({
    now: at(now),
    settings: { at: '09:00', days: 'daily' },
    needed: true,
    records: Object.entries(states).map(([key, state]) => ({ key, state, again: false })),
    ...given,
  });
}

const sentKey = (decision: ReturnType<typeof decide>): string | null =>
  decision.kind === 'send' ? decision.slot.key : null;

describe('the time of a reminder', () => {
  const before = process.env['TZ'];
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  it.each([
    ['UTC', 0],
    ['Asia/Kolkata', -330],
    ['America/New_York', 300],
  ])('is 09:00, 09:10 and 09:14 IST on a host in %s', (zone, offset) => {
    process.env['TZ'] = zone;
    expect(new Date('2026-11-06T03:30:00Z').getTimezoneOffset()).toBe(offset);
    expect(reminderTimes('09:00')).toEqual(['09:00', '09:10', '09:14']);
    expect(decide('2026-11-06T08:59:59').kind).toBe('wait');
    expect(sentKey(decide('2026-11-06T09:00:00'))).toBe('2026-11-06T09:00');
    expect(sentKey(decide('2026-11-06T09:10:00'))).toBe('2026-11-06T09:10');
    expect(sentKey(decide('2026-11-06T09:14:00'))).toBe('2026-11-06T09:14');
  });

  it('follows the setting, also past the hour', () => {
    expect(reminderTimes('08:55')).toEqual(['08:55', '09:05', '09:09']);
    const settings = { at: '08:55', days: 'daily' } as const;
    expect(decide('2026-11-06T08:54:59', { settings }).kind).toBe('wait');
    expect(sentKey(decide('2026-11-06T09:05:00', { settings }))).toBe('2026-11-06T09:05');
  });

  it('is skipped while there is a session, and not made up for later', () => {
    expect(decide('2026-11-06T09:10:00', { needed: false })).toEqual({
      kind: 'not_needed',
      keys: ['2026-11-06T09:00', '2026-11-06T09:10'],
    });
  });

  it.each(['sent', 'not_needed', 'covered', 'refused'] as const)(
    'comes once: not after %s',
    (state) => {
      const states = { '2026-11-06T09:00': state };
      expect(decide('2026-11-06T09:09:59', { states }).kind).toBe('wait');
      expect(sentKey(decide('2026-11-06T09:10:00', { states }))).toBe('2026-11-06T09:10');
    },
  );

  it('comes again after a message that could not be sent', () => {
    const states = { '2026-11-06T09:00': 'owed' } as const;
    expect(decide('2026-11-06T09:01:00', { states })).toMatchObject({ kind: 'send', again: false });
  });

  it('comes late once for all that were missed; later ones come on time', () => {
    const decision = decide('2026-11-06T09:12:00');
    expect(decision).toMatchObject({
      kind: 'send',
      slot: { key: '2026-11-06T09:10' },
      covers: ['2026-11-06T09:00'],
      late: true,
    });
    const states = { '2026-11-06T09:00': 'covered', '2026-11-06T09:10': 'sent' } as const;
    expect(decide('2026-11-06T09:13:59', { states }).kind).toBe('wait');
    expect(sentKey(decide('2026-11-06T09:14:00', { states }))).toBe('2026-11-06T09:14');
  });

  it('does not count as late within a minute', () => {
    expect(decide('2026-11-06T09:01:00')).toMatchObject({ late: false });
    expect(decide('2026-11-06T09:01:01')).toMatchObject({ late: true });
  });

  it('ends with the close of the market', () => {
    expect(decide('2026-11-06T15:29:59').kind).toBe('send');
    expect(decide('2026-11-06T15:30:00').kind).toBe('wait');
  });

  it('is on each day, or on trading days only', () => {
    const trading = { settings: { at: '09:00', days: 'trading' } } as const;
    for (const day of ['2026-11-07', '2026-11-10']) {
      expect(decide(`${day}T09:00:00`).kind).toBe('send');
      expect(decide(`${day}T09:00:00`, trading).kind).toBe('wait');
    }
    expect(decide('2026-11-09T09:00:00', trading).kind).toBe('send');
  });

  it('does not come again when the clock is set back into the same day', () => {
    const states = {
      '2026-11-06T09:00': 'sent',
      '2026-11-07T09:00': 'sent',
    } as const;
    expect(decide('2026-11-06T09:05:00', { states }).kind).toBe('wait');
  });

  it('comes once more when the process ended while sending, and never a third time', () => {
    const states = { '2026-11-06T09:00': 'sending' } as const;
    expect(decide('2026-11-06T09:02:00', { states })).toMatchObject({ kind: 'send', again: true });
    const records = [{ key: '2026-11-06T09:00', state: 'sending', again: true }] as const;
    expect(decide('2026-11-06T09:02:00', { records }).kind).toBe('wait');
  });
});
