import { describe, expect, it } from 'vitest';
import { asMarketData, createMarketDataRoute } from '../../src/market-data/market-data-route.ts';
import { createQuoteCache } from '../../src/market-data/quote-cache.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { down, FakePrices, INFY } from './support.ts';

function bench() {
  const time = new VirtualTime(0);
  const alt = new FakePrices('alt');
  const primary = new FakePrices('primary');
  const caches = [alt, primary].map((source) => createQuoteCache(source, time, time));
  const route = createMarketDataRoute();
  const ask = (which = caches) =>
    time.settle(route.lastPrices([INFY], { maxAgeMs: 0, olderMs: 0, caches: which }));
  return { time, alt, primary, caches, route, ask };
}

describe('market data', () => {
  it('comes from the first broker, and the next is not asked', async () => {
    const { ask, primary } = bench();
    expect((await ask())?.broker).toBe('alt');
    expect(primary.calls).toEqual([]);
  });

  it('comes from the next broker within the call, when the first fails', async () => {
    const { ask, alt } = bench();
    alt.failures.push(down('alt'));
    const answer = await ask();
    expect(answer?.broker).toBe('primary');
    expect(answer?.values.get('NSE:INFY')?.value.lastPrice).toBe(1);
  });

  it('does not come from another broker when the first does not know the instrument', async () => {
    const { ask, alt, primary } = bench();
    alt.unknown.add('NSE:INFY');
    expect((await ask())?.values.size).toBe(0);
    expect(primary.calls).toEqual([]);
  });

  it('fails with the first broker’s error when all fail', async () => {
    const { ask, alt, primary } = bench();
    alt.failures.push(down('alt'));
    primary.failures.push(down('primary'));
    await expect(ask()).rejects.toMatchObject({ broker: 'alt' });
    expect(primary.calls).toHaveLength(1);
  });

  it('does not fail over for an error of the gateway itself', async () => {
    const { ask, alt, primary } = bench();
    const bug = new TypeError('x is not a function');
    alt.failures.push(bug);
    await expect(ask()).rejects.toBe(bug);
    expect(primary.calls).toEqual([]);
  });

  it('fails for an empty route', async () => {
    expect(await bench().ask([])).toBeNull();
  });
});

describe('the route as one broker’s prices', () => {
  it('returns plain values that are recent enough for paper fills', async () => {
    const { time, caches, route, alt } = bench();
    const market = asMarketData(route, () => caches, 'paper');
    const first = await time.settle(market.lastPrices([INFY]));
    expect([market.broker, first.get('NSE:INFY')?.lastPrice]).toEqual(['paper', 1]);
    await time.advance(3_000);
    expect((await time.settle(market.lastPrices([INFY]))).get('NSE:INFY')?.lastPrice).toBe(2);
    expect((await time.settle(market.quotes([INFY]))).get('NSE:INFY')?.lastPrice).toBe(3);
    expect(alt.calls).toHaveLength(3);
  });

  it('fails when no broker can be asked, and never returns an empty map', async () => {
    const { time, route } = bench();
    const market = asMarketData(route, () => [], 'paper');
    await expect(time.settle(market.quotes([INFY]))).rejects.toMatchObject({
      broker: 'paper',
      failure: { kind: 'not_sent', reason: 'not_open' },
    });
  });
});

describe('a broker that does not answer', () => {
  it('is late after a second: the next one is asked within the call', async () => {
    const { time, alt, primary, ask } = bench();
    alt.hold = true;
    const answer = ask();
    await time.advance(999);
    expect(primary.calls).toEqual([]);
    expect((await answer)?.broker).toBe('primary');
    expect(time.elapsed()).toBeLessThan(1_100);
  });

  it('is asked together with the next one while it is late', async () => {
    const { time, alt, ask } = bench();
    alt.hold = true;
    await ask();
    const asked = time.elapsed();
    expect((await ask())?.broker).toBe('primary');
    expect(time.elapsed() - asked).toBeLessThan(10);
  });

  it('is asked alone once it answers again', async () => {
    const { time, alt, primary, ask } = bench();
    alt.hold = true;
    await ask();
    alt.hold = false;
    alt.release();
    await time.advance(10);
    primary.calls.length = 0;
    alt.hold = true;
    const answer = ask();
    await time.advance(900);
    alt.release();
    expect((await answer)?.broker).toBe('alt');
    expect(primary.calls).toEqual([]);
  });

  it('gives the error of the first one where the next one fails as well', async () => {
    const { time, alt, primary, ask } = bench();
    alt.hold = true;
    primary.failures.push(down('primary'));
    const answer = ask();
    const failed = expect(answer).rejects.toMatchObject({ broker: 'alt' });
    await time.advance(2_000);
    alt.failures.push(down('alt'));
    alt.release();
    await failed;
  });

  it('does not keep a fresh price in memory from being given', async () => {
    const { time, alt, primary, caches, route } = bench();
    await time.settle(route.lastPrices([INFY], { maxAgeMs: 60_000, olderMs: 60_000, caches }));
    alt.hold = true;
    const held = route.lastPrices([INFY], { maxAgeMs: 0, olderMs: 0, caches: caches.slice(0, 1) });
    await time.advance(1_500);
    const ages = { maxAgeMs: 60_000, olderMs: 60_000 };
    const answer = await time.settle(route.lastPrices([INFY], { ...ages, caches }));
    expect([answer?.broker, primary.calls]).toEqual(['alt', []]);
    alt.release();
    await time.settle(held);
  });
});
