import type { Candle, CandleInterval, CandleQuery } from '../../domain/candle.ts';
import type { Clock } from '../../platform/clock.ts';
import { mapCandles } from './candle-mapping.ts';
import { namesBadCode, type CodeBook } from './code-book.ts';
import type { DataClient } from './data-client.ts';
import { historyPages, widestWindow, type Page } from './history-pages.ts';
import { notServed } from './not-served.ts';

export interface CandlesParts {
  readonly client: DataClient;
  /** Separate from the codes of quotes: a code without candles may still have a quote. */
  readonly codes: CodeBook;
  readonly clock: Clock;
}

/** More pages would delay every other read of market data by half a minute or more. */
const MOST_PAGES = 100;

/**
 * Candles of any range, read page by page (docs/spec/primary-brokerage.md, "Candles"). One page
 * that fails fails the whole read: half a history would look like all of it.
 */
export function createCandles({ client, codes, clock }: CandlesParts) {
  async function page(query: CandleQuery, { from, to }: Page): Promise<readonly Candle[]> {
    for (;;) {
      const code = codes.codeOf(query.instrument);
      if (code === null) throw notServed(`${query.instrument.name} has no candles at this broker`);
      try {
        return mapCandles(await client.historical(query.interval, [code], from, to), code);
      } catch (error) {
        if (!namesBadCode(error)) throw error;
        codes.setAside(code);
      }
    }
  }

  return async (query: CandleQuery): Promise<readonly Candle[]> => {
    const { interval, from, to } = query;
    // Pages that lie in the future are left out, except the first: our clock may be slow.
    const pages = historyPages(interval, from, to).filter(
      (each) => each.from === from || each.from <= clock.now(),
    );
    if (pages.length > MOST_PAGES) throw notServed(tooWide(interval));
    const byTime = new Map<number, Candle>();
    for (const each of pages) {
      // Two pages can share the candle at their border: the later page has it complete.
      for (const candle of await page(query, each)) byTime.set(candle.at, candle);
    }
    return [...byTime.values()]
      .filter(({ at }) => at >= from && at < to)
      .sort((left, right) => left.at - right.at);
  };
}

function tooWide(interval: CandleInterval): string {
  return `at most ${Math.floor((MOST_PAGES * widestWindow(interval)) / 86_400_000)} days of ${interval} at once`;
}
