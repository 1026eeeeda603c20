import { describe, expect, it } from 'vitest';
import { readInstant } from '../../src/routes/instant.ts';

const at = Date.parse('2026-11-23T09:15:00+05:30');

describe('an instant in a query', () => {
  it.each([
    ['2026-11-23T09:15:00+05:30', at],
    ['2026-11-23T09:15:00 05:30', at],
    ['2026-11-23T03:45:00Z', at],
    ['2026-11-23T03:45Z', at],
    ['2026-11-23t03:45:00.250z', at + 250],
    ['2026-11-22T22:45:00-05:00', at],
    ['2026-11-23T09:15', at],
    ['2026-11-23 09:15:00', at],
    ['2026-11-23T09:15:00.5', at + 500],
    ['2026-11-23', Date.parse('2026-11-23T00:00:00+05:30')],
  ])('%s is read', (text, instant) => expect(readInstant(text)).toBe(instant));

  it.each([
    '',
    'now',
    '1790000000',
    '2026-02-30',
    '2026-11-23T24:00',
    '2026-11-23T09:60',
    '2026-11-23T09:15:61Z',
    '2026-11-23T09',
    '23-11-2026',
    '2026-11-23T09:15:00+0530',
    '2026-11-23T09:15:00+99:99',
    '2026-11-23T09:15:00 IST',
  ])('%j is not an instant', (text) => expect(readInstant(text)).toBeNull());
});
