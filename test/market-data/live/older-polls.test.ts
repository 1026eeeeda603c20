import { describe, expect, it } from 'vitest';
import { createMarketDataRoute } from '../../../src/market-data/market-data-route.ts';
import { createPriceHub } from '../../../src/market-data/live/price-hub.ts';
import { createQuoteCache } from '../../../src/market-data/quote-cache.ts';
import { createTickSubscriptions } from '../../../src/market-data/tick-subscriptions.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { createFakeFeed } from '../fake-feed.ts';
import { FakePrices, INFY, upTo } from '../support.ts';
import { linesOf } from './support.ts';

describe('a price that was read before the last tick', () => {
  it('is not told after it as a fresh one, where the ticker dies', async () => {
    const time = new VirtualTime('2026-11-06T11:00:00+05:30');
    const feed = createFakeFeed();
    const cache = createQuoteCache(new FakePrices('alt'), time, time);
    const sources = [{ broker: 'alt', cache, ticks: createTickSubscriptions(feed, time) }];
    const parts = {
      ...{ clock: time, scheduler: time, log: silentLog, route: createMarketDataRoute() },
      ...{ sources: () => sources, isOpen: () => true, lookUp: () => null },
    } as unknown as Parameters<typeof createPriceHub>[0];
    const told: Parameters<typeof linesOf>[0][number][] = [];
    const reader = createPriceHub(parts).enter('key', () => void told.push(...reader.take(500)));
    reader.want(INFY, 'ltp');
    feed.send('NSE:INFY', 1_500);
    await time.advance(10_000);
    // Another program asks for a quote, which every caller may have from memory.
    await time.settle(cache.quotes([INFY], upTo(0)));
    await time.advance(300);
    feed.send('NSE:INFY', 1_600);
    await time.advance(50);
    told.length = 0;
    feed.setLive(false);
    await time.advance(100);
    expect(linesOf(told).at(-1)).toBe('ticks NSE:INFY 1600 ticks stale');
    // A read that is newer than the tick takes its place.
    await time.advance(2_000);
    expect(linesOf(told).at(-1)).toMatch(/^ticks NSE:INFY \d polling$/);
  });
});
