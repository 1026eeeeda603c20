import type { CandleInterval } from '../../domain/candle.ts';
import { istDay, istTime, istWeekday } from '../../domain/ist.ts';

/** Epoch ms; `to` is not within. */
export interface Page {
  readonly from: number;
  readonly to: number;
}

const DAY_MS = 86_400_000;

/**
 * The widest window of one call, ms (docs/spec/primary-brokerage.md, "Candles"): a wider one is cut
 * without a word. 15 days are documented for the hours, and clients keep to 14.
 */
export function widestWindow(interval: CandleInterval): number {
  const minutes = /^(\d+)minute$/.exec(interval);
  if (!minutes) return 365 * DAY_MS;
  return (Number(minutes[1]) < 60 ? 7 : 14) * DAY_MS;
}

/** The windows that together are [from, to), oldest first. No candle lies across a border. */
export function historyPages(interval: CandleInterval, from: number, to: number): readonly Page[] {
  const pages: Page[] = [];
  for (let start = from; start < to;) {
    const end = Math.min(to, wholeCandlesUpTo(interval, start + widestWindow(interval)));
    pages.push({ from: start, to: end });
    start = end;
  }
  return pages;
}

/** The last instant up to `at` at which a candle of that width begins: a day, a Monday, a first. */
function wholeCandlesUpTo(interval: CandleInterval, at: number): number {
  const day = istDay(at);
  if (interval === '1month') return istTime(`${day.slice(0, 7)}-01`, '00:00');
  const midnight = istTime(day, '00:00');
  if (interval !== '1week') return midnight;
  return midnight - ((istWeekday(day) + 6) % 7) * DAY_MS;
}
