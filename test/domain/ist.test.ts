import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  istDay,
  istIso,
  istTime,
  istTimeOfDay,
  istWeekday,
  nextTokenExpiry,
  parseIstWallTime,
  readableTime,
  tradingDay,
} from '../../src/domain/ist.ts';
import { epochMs, type EpochMs } from '../../src/units/branded.ts';

const at = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));
const HOUR = 3_600_000;

const zoneBefore = process.env['TZ'];
afterAll(() => {
  if (zoneBefore === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zoneBefore;
});

describe.each([
  ['UTC', 0],
  ['Asia/Kolkata', -330],
  ['America/New_York', 300],
])('on a host in %s', (zone, offset) => {
  beforeAll(() => {
    process.env['TZ'] = zone;
  });

  it('the host itself reads times in its own zone', () => {
    expect(new Date('2026-11-20T04:15:30Z').getTimezoneOffset()).toBe(offset);
  });

  describe('the calendar day', () => {
    it.each([
      ['2026-11-06T00:00:00.000', '2026-11-06'],
      ['2026-11-06T23:59:59.999', '2026-11-06'],
      ['2026-11-05T23:59:59.999', '2026-11-05'],
      ['2026-11-06T05:29:59.999', '2026-11-06'],
      ['2026-12-31T23:59:59.999', '2026-12-31'],
      ['2027-01-01T00:00:00.000', '2027-01-01'],
      ['2028-02-29T12:00:00.000', '2028-02-29'],
    ])('of %s is %s', (instant, day) => {
      expect(istDay(at(instant))).toBe(day);
    });
  });

  describe('the broker’s day', () => {
    it.each([
      ['2026-11-06T00:00:00.000', '2026-11-05'],
      ['2026-11-06T05:59:59.999', '2026-11-05'],
      ['2026-11-06T06:00:00.000', '2026-11-06'],
      ['2026-11-06T23:59:59.999', '2026-11-06'],
      ['2027-01-01T05:59:59.999', '2026-12-31'],
      ['2027-01-01T06:00:00.000', '2027-01-01'],
      ['2026-03-01T03:00:00.000', '2026-02-28'],
    ])('at %s is %s', (instant, day) => {
      expect(tradingDay(at(instant))).toBe(day);
    });
  });

  describe('a token', () => {
    it.each([
      ['2026-11-06T00:00:00.000', '2026-11-06T06:00:00.000'],
      ['2026-11-06T05:59:59.999', '2026-11-06T06:00:00.000'],
      // Strictly after: a token issued at 06:00 is valid for a day.
      ['2026-11-06T06:00:00.000', '2026-11-07T06:00:00.000'],
      ['2026-11-06T23:59:59.999', '2026-11-07T06:00:00.000'],
      ['2026-12-31T12:00:00.000', '2027-01-01T06:00:00.000'],
    ])('issued at %s expires at %s', (instant, end) => {
      expect(nextTokenExpiry(at(instant))).toBe(at(end));
    });
  });

  it('an instant is written with its offset', () => {
    expect(istIso(epochMs(Date.parse('2026-12-31T18:30:00.007Z')))).toBe(
      '2027-01-01T00:00:00.007+05:30',
    );
  });

  it.each([
    ['2026-11-23T06:00:00.000', 'Mon 23 Nov, 06:00 IST'],
    ['2026-11-06T23:59:59.999', 'Fri 6 Nov, 23:59 IST'],
    ['2027-01-01T00:00:00.000', 'Fri 1 Jan, 00:00 IST'],
  ])('the instant %s is written for people as %s', (instant, text) => {
    expect(readableTime(at(instant))).toBe(text);
  });

  it('a time of a day is read with and without seconds', () => {
    expect(istTime('2026-11-06', '09:15')).toBe(at('2026-11-06T09:15:00'));
    expect(istTime('2026-11-06', '15:29:59')).toBe(at('2026-11-06T15:29:59'));
  });

  it('the time of day counts from midnight, before 1970 too', () => {
    expect(istTimeOfDay(at('2026-11-06T00:00:00'))).toBe(0);
    expect(istTimeOfDay(at('2026-11-06T05:30:00'))).toBe(5.5 * HOUR);
    expect(istTimeOfDay(at('1969-12-31T23:00:00'))).toBe(23 * HOUR);
  });

  it('the weekday is that of the calendar day', () => {
    expect(['2026-11-06', '2026-11-07', '2026-11-08', '2026-11-09'].map(istWeekday)).toEqual([
      5, 6, 0, 1,
    ]);
  });

  describe('a wall time', () => {
    it.each([
      ['2026-11-06 00:00:00', '2026-11-06T00:00:00'],
      ['2026-11-06 05:59:59', '2026-11-06T05:59:59'],
      ['2026-11-06T09:15:30', '2026-11-06T09:15:30'],
      ['2026-12-31 23:59:59', '2026-12-31T23:59:59'],
      // In New York that hour does not exist; in India it does.
      ['2026-03-08 02:30:00', '2026-03-08T02:30:00'],
    ])('%s is read as IST', (text, instant) => {
      expect(parseIstWallTime(text)).toBe(at(instant));
    });

    it('loses its fraction of a second', () => {
      expect(parseIstWallTime('2026-11-06 09:15:30.987')).toBe(at('2026-11-06T09:15:30'));
    });

    it.each([
      '',
      '2026-11-06',
      '09:15:30',
      '06-11-2026 09:15:30',
      '2026-11-06 9:15:30',
      '2026-11-06 09:15',
      '2026-11-06 09:15:30Z',
      '2026-11-06 09:15:30+05:30',
      '2026-13-06 09:15:30',
      '2026-11-06 25:00:00',
      '2026-11-06 09:60:00',
      '0000-00-00 00:00:00',
      'never',
    ])('cannot be read from %j', (text) => {
      expect(parseIstWallTime(text)).toBeNull();
    });
  });
});
