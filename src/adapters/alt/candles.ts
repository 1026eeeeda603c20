import type { Candle, CandleInterval, CandleQuery } from '../../domain/candle.ts';
import { BrokerError } from '../../domain/outcome.ts';
import { istIso } from '../../domain/ist.ts';
import type { GuardedCalls } from './calls.ts';
import type { KiteClient } from './client.ts';
import { toCandle } from './mapping-quotes.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import { candlesReply, parseAs } from './schemas.ts';
import { earlier, epochMs, plus, type EpochMs } from '../../units/branded.ts';

/**
 * The broker's name of each interval, and the longest span of one call in days. It has no others.
 */
const WIDTHS: Partial<Record<CandleInterval, { readonly name: string; readonly days: number }>> = {
  '1minute': { name: 'minute', days: 60 },
  '3minute': { name: '3minute', days: 100 },
  '5minute': { name: '5minute', days: 100 },
  '10minute': { name: '10minute', days: 100 },
  '15minute': { name: '15minute', days: 200 },
  '30minute': { name: '30minute', days: 200 },
  '60minute': { name: '60minute', days: 400 },
  '1day': { name: 'day', days: 2_000 },
};

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** More calls would delay every other read of candles by half a minute or more. */
const MOST_PAGES = 100;

export interface Page {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Consecutive spans of at most `days`; `to` is exclusive. The broker counts in whole seconds. */
export function pagesOf(from: EpochMs, to: EpochMs, days: number): readonly Page[] {
  const pages: Page[] = [];
  const first = epochMs(Math.ceil(from / SECOND_MS) * SECOND_MS);
  for (let start = first; start < to; start = plus(start, days * DAY_MS)) {
    pages.push({ from: start, to: earlier(plus(start, days * DAY_MS), to) });
  }
  return pages;
}

export interface CandlesParts {
  readonly client: KiteClient;
  readonly guardedCalls: GuardedCalls;
  readonly queues: RateLimitQueues;
}

/**
 * Candles (docs/spec/kite-limits.md): as many calls as the span needs, one after the other. One
 * call that fails fails the whole read: a missing page would look like a time without trades.
 */
export function createCandles(parts: CandlesParts) {
  const { client, guardedCalls, queues } = parts;
  return async (query: CandleQuery): Promise<readonly Candle[]> => {
    const { instrument, interval, from, to } = query;
    const width = WIDTHS[interval];
    if (width === undefined) throw unasked(`this broker has no candles of ${interval}`);
    const instrumentToken = instrument.instrumentToken;
    if (instrumentToken === null) throw unasked(`${instrument.name} is not known to this broker`);
    if (!(from >= 0 && to <= LAST_INSTANT))
      throw unasked('from and to are out of range: both must be epoch ms');
    if (to - from > MOST_PAGES * width.days * DAY_MS) {
      throw unasked(`at most ${MOST_PAGES * width.days} days of ${interval} at once`);
    }
    const found = new Map<number, Candle>();
    for (const page of pagesOf(from, to, width.days)) {
      const candles = await guardedCalls.read(
        queues.historical,
        (token) =>
          client.historical(
            token,
            instrumentToken,
            width.name,
            wallClock(page.from),
            // The broker's end is inclusive.
            wallClock(plus(page.to, -1)),
          ),
        (data) => parseAs(candlesReply, data).candles.map(toCandle),
      );
      for (const candle of candles) {
        if (candle.at >= from && candle.at < to) found.set(candle.at, candle);
      }
    }
    return [...found.values()].sort((left, right) => left.at - right.at);
  };
}

const LAST_INSTANT = Date.UTC(2100, 0, 1);

function unasked(message: string): BrokerError {
  return new BrokerError('alt', { kind: 'not_sent', reason: 'not_open', message });
}

/** IST wall time as the broker takes it: `yyyy-mm-dd hh:mm:ss`. */
function wallClock(at: EpochMs): string {
  return istIso(at).slice(0, 19).replace('T', ' ');
}
