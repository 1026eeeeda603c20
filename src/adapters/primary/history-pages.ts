import type { CandleInterval } from '../../domain/candle.ts';
import { istDay, istTime, istWeekday } from '../../domain/ist.ts';
import { earlier, plus, type EpochMs } from '../../units/branded.ts';

/** Epoch ms; `to` is exclusive. */
export interface Page {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

const DAY_MS = 86_400_000;

/**
 * The widest window of one call, ms (docs/spec/primary-brokerage.md, "Candles"). The broker cuts a
 * wider one short without saying so. It documents 15 days for hourly candles; its clients keep to
 * 14.
 */
export function widestWindow(interval: CandleInterval): number {
  const minutes = /^(\d+)minute$/.exec(interval);
  if (!minutes) return 365 * DAY_MS;
  return (Number(minutes[1]) < 60 ? 7 : 14) * DAY_MS;
}

/** The windows that together make up [from, to), oldest first. No candle crosses a border. */
export function historyPages(
  interval: CandleInterval,
  from: EpochMs,
  to: EpochMs,
): readonly Page[] {
  const pages: Page[] = [];
  for (let start = from; start < to;) {
    const end = earlier(to, wholeCandlesUpTo(interval, plus(start, widestWindow(interval))));
    pages.push({ from: start, to: end });
    start = end;
  }
  return pages;
}

/**
 * The last instant at or before `at` where a candle of that width begins: a day, a Monday, or the
 * first of a month.
 */
function wholeCandlesUpTo(interval: CandleInterval, at: EpochMs): EpochMs {
  const day = istDay(at);
  if (interval === '1month') return istTime(`${day.slice(0, 7)}-01`, '00:00');
  const midnight = istTime(day, '00:00');
  if (interval !== '1week') return midnight;
  return plus(midnight, -((istWeekday(day) + 6) % 7) * DAY_MS);
}
