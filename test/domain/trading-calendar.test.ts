import { describe, expect, it } from 'vitest';
import { tradingCalendar } from '../../src/domain/trading-calendar.ts';
import { epochMs } from '../../src/units/branded.ts';

const at = (text: string) => epochMs(Date.parse(`${text}+05:30`));
const of = (text: string, year?: string) => tradingCalendar(at(text), year);
const hoursOf = (exchange: string, text: string) =>
  of(text).exchanges.find((each) => each.exchange === exchange);

describe('the calendar', () => {
  it('has the holidays of the year in which it is asked', () => {
    const { year, holidays, specialSessions } = of('2026-11-23T09:30');
    expect([year, holidays?.length, holidays?.at(-1)]).toEqual(['2026', 16, '2026-12-25']);
    expect(specialSessions).toEqual([{ day: '2026-11-08', name: 'Muhurat' }]);
  });

  it('says that it does not know those of another year, and not that there are none', () => {
    expect(of('2026-11-23T09:30', '2027').holidays).toBeNull();
  });

  it('tells today and the next trading day: 24 November is a holiday', () => {
    expect(of('2026-11-23T09:30')).toMatchObject({
      ...{ today: '2026-11-23', isTradingDay: true, nextTradingDay: '2026-11-25' },
    });
    expect(of('2026-11-24T09:30').isTradingDay).toBe(false);
  });

  it.each([
    ['NSE', '2026-11-23T15:29', true, '15:30'],
    ['NSE', '2026-11-23T15:30', false, '15:30'],
    ['NFO', '2026-11-23T15:39', true, '15:40'],
    ['MCX', '2026-11-23T23:00', true, '23:55'],
    ['NSE', '2026-11-24T10:00', false, '15:30'],
  ])('of %s at %s: accepts orders %s, until %s', (exchange, time, openNow, close) => {
    expect(hoursOf(exchange, time)).toMatchObject({ openNow, close, ordersFrom: '09:00' });
  });

  it('has no sessions and no holidays of exchanges for which they are not known', () => {
    expect(hoursOf('MCX', '2026-11-23T10:00')).toMatchObject({ sessions: [], sameHolidays: false });
  });
});
