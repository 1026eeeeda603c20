import { describe, expect, it } from 'vitest';
import { expiryDay } from '../../../src/adapters/primary/expiry-day.ts';

describe('an expiry', () => {
  it.each([
    ['2026-11-24', '2026-11-24'],
    ['2026-11-24 14:30:00', '2026-11-24'],
    ['2026-11-24T14:30:00+05:30', '2026-11-24'],
    ['11/24/2026 14:00', '2026-11-24'],
    ['24-Nov-2026', '2026-11-24'],
    ['3 NOV 2026', '2026-11-03'],
  ])('%s is the day %s', (text, day) => expect(expiryDay(text)).toBe(day));

  it.each(['', '0', 'NA', '2026-02-30', '2026-13-01', '24/11/2026', '24-Foo-2026', '2026-11-241'])(
    '%j is not a date',
    (text) => expect(expiryDay(text)).toBeNull(),
  );
});
