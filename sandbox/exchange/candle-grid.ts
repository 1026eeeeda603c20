import { DAY_MS, HOUR_MS, istAt, istMidnight } from '../kernel/ist.ts';
import { isTradingDay } from './calendar.ts';
import type { MarketMode } from './calendar.ts';
import type { Instrument } from './instrument.ts';
import type { Candle, Prices } from './prices.ts';

/**
 * Candles of one instrument in [from, to), oldest first; there are none while the market is closed.
 */
export type CandleReader = (
  instrument: Instrument,
  from: number,
  to: number,
  widthMs: number,
) => Candle[];

/** The first and last instant of a session; always open, it is the whole calendar day. */
function session(day: number, mode: MarketMode): [number, number] | null {
  if (mode === 'always-open') return [istMidnight(day), istMidnight(day) + DAY_MS];
  return isTradingDay(day) ? [istAt(day, 9, 15), istAt(day, 15, 30)] : null;
}

function merge(candles: readonly Candle[], at: number): Candle | null {
  const first = candles[0];
  const last = candles.at(-1);
  if (!first || !last) return null;
  return {
    at,
    open: first.open,
    high: Math.max(...candles.map((one) => one.high)),
    low: Math.min(...candles.map((one) => one.low)),
    close: last.close,
    volume: candles.reduce((sum, one) => sum + one.volume, 0),
  };
}

/** Combines days into weeks or months of equal length; each begins with its first trading day. */
function grouped(days: readonly Candle[], widthMs: number): Candle[] {
  const groups = Map.groupBy(days, (day) => Math.floor(day.at / widthMs));
  return [...groups.values()].flatMap((own) => merge(own, own[0]?.at ?? 0) ?? []);
}

/** There are no candles after `now`, and the last one is incomplete. */
export function createCandleReader(
  prices: Prices,
  mode: MarketMode,
  now: () => number,
): CandleReader {
  return (instrument, from, to, widthMs) => {
    const end = Math.min(to, now() + 1);
    const candles: Candle[] = [];
    for (let day = istMidnight(from); day < end; day += DAY_MS) {
      const hours = session(day, mode);
      if (!hours) continue;
      const [opens, closes] = hours;
      if (widthMs >= DAY_MS) {
        const upTo = Math.min(closes, end);
        const hourly = upTo > opens ? prices.candles(instrument, opens, upTo, HOUR_MS) : [];
        const whole = merge(hourly, day);
        if (whole && day >= from) candles.push(whole);
        continue;
      }
      const skipped = Math.max(0, Math.ceil((from - opens) / widthMs));
      const start = opens + skipped * widthMs;
      const stop = Math.min(closes, end);
      if (start < stop) candles.push(...prices.candles(instrument, start, stop, widthMs));
    }
    return widthMs > DAY_MS ? grouped(candles, widthMs) : candles;
  };
}
