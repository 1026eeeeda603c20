import { describe, expect, it } from 'vitest';
import { numberOf } from '../../dashboard/src/pure/entry.ts';
import {
  clockTime,
  count,
  dayAndTime,
  duration,
  gain,
  isSameDay,
  rupees,
  sum,
} from '../../dashboard/src/pure/format.ts';

describe('a day in India', () => {
  const at = (text: string): number => Date.parse(text);

  it.each([
    ['2026-11-06T23:59:59+05:30', '2026-11-07T00:00:00+05:30', false],
    ['2026-11-06T00:00:00+05:30', '2026-11-06T23:59:59+05:30', true],
    // Other days in UTC.
    ['2026-11-06T05:00:00+05:30', '2026-11-06T06:00:00+05:30', true],
    ['2026-11-06T10:00:00+05:30', '2027-11-06T10:00:00+05:30', false],
  ])('%s and %s are of one: %s', (one, other, is) => {
    expect(isSameDay(at(one), at(other))).toBe(is);
  });
});

describe('figures', () => {
  it.each([
    [123_456.78, '₹1,23,456.78'],
    [0, '₹0.00'],
    [12_34_56_789, '₹12,34,56,789.00'],
    [1500.0525, '₹1,500.0525'],
    [-1_00_000, '−₹1,00,000.00'],
    [null, 'not known'],
  ])('%s rupees are %s', (amount, text) => expect(rupees(amount)).toBe(text));

  it.each([
    [12.5, '+₹12.50'],
    [-3, '−₹3.00'],
    [0, '₹0.00'],
    [-0.001, '₹0.00'],
    [null, 'not known'],
  ])('a gain of %s is %s', (amount, text) => expect(gain(amount)).toBe(text));

  it('quantities are grouped as in India, and what is not known is not 0', () => {
    expect([count(1_234_567), count(-50), count(null)]).toEqual(['12,34,567', '−50', 'not known']);
  });

  it('a sum has no binary errors, and is not known where one amount is not', () => {
    expect(sum([0.1, 0.2])).toBe(0.3);
    expect(sum([])).toBe(0);
    expect(sum([5, null])).toBeNull();
  });

  it.each([
    ['1500.05', 1500.05],
    [' 1,500 ', 1500],
    ['', null],
    ['1e5', null],
    ['-5', null],
    ['1.23456', null],
  ])('%j is read as %s', (text, value) => expect(numberOf(text)).toBe(value));
});

describe('times', () => {
  it('are those of India, whatever the time zone', () => {
    const now = Date.parse('2026-11-23T18:00:00+05:30');
    expect(clockTime('2026-11-23T04:45:02Z', now)).toBe('10:15:02 IST');
    expect(clockTime('2026-11-23T23:59:59+05:30', now)).toBe('23:59:59 IST');
    expect(dayAndTime('2026-11-24T00:30:00Z')).toBe('Tue 24 Nov, 06:00 IST');
  });

  it('of another day in India have the day: a page stays open over night', () => {
    const morning = Date.parse('2026-11-24T00:00:01+05:30');
    expect(clockTime('2026-11-23T23:59:59+05:30', morning)).toBe('Mon 23 Nov, 23:59:59 IST');
    expect(clockTime(morning, morning)).toBe('00:00:01 IST');
  });

  it('that something took are in ms below a tenth of a second', () => {
    expect([duration(34), duration(340), duration(null)]).toEqual(['34 ms', '0.34 s', 'not known']);
  });
});
