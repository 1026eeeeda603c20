import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { historyPages } from '../../../src/adapters/primary/history-pages.ts';
import { CANDLE_INTERVALS } from '../../../src/domain/candle.ts';
import { istIso, istWeekday } from '../../../src/domain/ist.ts';
import { epochMs, type EpochMs } from '../../../src/units/branded.ts';

const DAY_MS = 86_400_000;
const at = (text: string): EpochMs => epochMs(Date.parse(`${text}+05:30`));
const MOST_DAYS = { minutes: 7, hours: 14, days: 365 };

const anyWindow = fc
  .tuple(
    fc.integer({ min: at('2015-01-01T00:00:00'), max: at('2026-12-31T00:00:00') }),
    fc.integer({ min: 1, max: 900 * DAY_MS }),
  )
  .map(([from, width]) => ({ from, to: from + width }));

describe('the pages of a history', () => {
  it('cover the window without gaps or overlaps', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CANDLE_INTERVALS), anyWindow, (interval, { from, to }) => {
        const pages = historyPages(interval, epochMs(from), epochMs(to));
        expect(pages[0]?.from).toBe(from);
        expect(pages.at(-1)?.to).toBe(to);
        const wrong = pages.filter(
          (page, index) => page.to <= page.from || page.from !== (pages[index - 1]?.to ?? from),
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it.each([
    ...[
      '1minute',
      '2minute',
      '3minute',
      '4minute',
      '5minute',
      '10minute',
      '15minute',
      '30minute',
    ].map((interval) => [interval, MOST_DAYS.minutes] as const),
    ...['60minute', '120minute', '180minute', '240minute'].map(
      (interval) => [interval, MOST_DAYS.hours] as const,
    ),
    ...['1day', '1week', '1month'].map((interval) => [interval, MOST_DAYS.days] as const),
  ])('of %s are no wider than %i days', (interval, days) => {
    fc.assert(
      fc.property(anyWindow, ({ from, to }) => {
        const pages = historyPages(interval as '1day', epochMs(from), epochMs(to));
        expect(pages.filter((page) => page.to - page.from > days * DAY_MS)).toEqual([]);
      }),
    );
  });

  const borders = (interval: '1minute' | '1week' | '1month'): readonly string[] =>
    historyPages(interval, at('2020-05-13T11:17:00'), at('2026-11-19T09:15:00'))
      .slice(1)
      .map((page) => istIso(page.from));

  it.each(['1minute', '1week', '1month'] as const)('of %s meet at midnight', (interval) => {
    expect(borders(interval).length).toBeGreaterThan(3);
    for (const border of borders(interval)) expect(border).toContain('T00:00:00.000+05:30');
  });

  it('of weeks meet on Mondays, of months on the first, so that no candle is split', () => {
    for (const border of borders('1week')) expect(istWeekday(border.slice(0, 10))).toBe(1);
    for (const border of borders('1month')) expect(border.slice(8, 10)).toBe('01');
  });

  it('are an empty list for an empty window', () => {
    expect(historyPages('1day', at('2026-11-19T00:00:00'), at('2026-11-19T00:00:00'))).toEqual([]);
  });
});
