import { describe, expect, it } from 'vitest';
import {
  closeOf,
  holidaysKnown,
  isMarketOpen,
  isTradingDay,
  nextTradingDay,
} from '../../src/domain/market-hours.ts';
import { epochMs, type EpochMs } from '../../src/units/branded.ts';

const at = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));

describe('a trading day', () => {
  it.each([
    '2026-01-15',
    '2026-01-26',
    '2026-03-03',
    '2026-03-26',
    '2026-03-31',
    '2026-04-03',
    '2026-04-14',
    '2026-05-01',
    '2026-05-28',
    '2026-06-26',
    '2026-09-14',
    '2026-10-02',
    '2026-10-20',
    '2026-11-10',
    '2026-11-24',
    '2026-12-25',
  ])('is not the holiday %s', (day) => {
    expect(isTradingDay(day)).toBe(false);
  });

  it('is every weekday of 2026 but sixteen', () => {
    let count = 0;
    for (let day = '2025-12-31'; (day = nextTradingDay(day)) < '2027';) count += 1;
    // 261 weekdays less 16 holidays; none of the sixteen is on a weekend.
    expect(count).toBe(261 - 16);
  });

  it('is not on a weekend', () => {
    expect(isTradingDay('2026-11-07')).toBe(false);
    expect(isTradingDay('2026-11-08')).toBe(false);
    expect(isTradingDay('2026-11-06')).toBe(true);
    expect(isTradingDay('2026-11-09')).toBe(true);
  });

  it('is every weekday in a year without a list, and the absence is reported', () => {
    expect(holidaysKnown('2027-01-26')).toBe(false);
    expect(isTradingDay('2027-01-26')).toBe(true);
    expect(isTradingDay('2027-01-23')).toBe(false);
    expect(holidaysKnown('2026-01-26')).toBe(true);
  });
});

describe('the next trading day', () => {
  it.each([
    ['after an ordinary day', '2026-11-05', '2026-11-06'],
    ['over a weekend', '2026-11-06', '2026-11-09'],
    ['from within a weekend', '2026-11-07', '2026-11-09'],
    ['over a holiday', '2026-11-09', '2026-11-11'],
    ['over a holiday and a weekend', '2026-12-24', '2026-12-28'],
    ['over a weekend and a holiday', '2026-09-11', '2026-09-15'],
    ['over the end of a year', '2026-12-31', '2027-01-01'],
  ])('%s', (_how, day, next) => {
    expect(nextTradingDay(day)).toBe(next);
  });
});

describe('the market', () => {
  it.each([
    ['2026-11-06T08:59:59.999', false],
    ['2026-11-06T09:00:00.000', true],
    ['2026-11-06T12:00:00.000', true],
    ['2026-11-06T15:29:59.999', true],
    ['2026-11-06T15:30:00.000', false],
    ['2026-11-06T00:00:00.000', false],
    ['2026-11-07T11:00:00.000', false],
    ['2026-11-10T11:00:00.000', false],
    // Still Thursday in London, and Friday morning in India.
    ['2026-11-06T05:00:00.000', false],
  ])('at %s is open: %s', (instant, open) => {
    expect(isMarketOpen(at(instant), 'NSE')).toBe(open);
  });

  it.each([
    ['NSE', '15:30'],
    ['BSE', '15:30'],
    ['NFO', '15:40'],
    ['BFO', '15:40'],
    ['CDS', '17:00'],
    ['MCX', '23:55'],
  ])('of %s closes at %s', (exchange, close) => {
    const end = at(`2026-11-06T${close}:00`);
    expect(closeOf(exchange)).toBe(close);
    expect([isMarketOpen(epochMs(end - 1), exchange), isMarketOpen(end, exchange)]).toEqual([
      true,
      false,
    ]);
  });
});
