import { describe, expect, it } from 'vitest';
import type { Instrument, InstrumentName } from '../../src/domain/instrument.ts';
import { BrokerError } from '../../src/domain/outcome.ts';
import type { MarketData } from '../../src/domain/ports.ts';
import type { LastPrice, Quote } from '../../src/domain/quote.ts';
import { createMarketDataRoute } from '../../src/market-data/market-data-route.ts';
import { createQuoteCache } from '../../src/market-data/quote-cache.ts';
import { createLimiter } from '../../src/platform/call-limits.ts';
import { sleep } from '../../src/platform/clock.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { down, FakePrices, INFY, TCS, upTo } from './support.ts';

const REPLY_MS = 80;
const PERMIT_MS = 3_000;

/** A broker that allows one call a second and gives up on a permit after three seconds. */
class OneCallASecond implements MarketData {
  readonly broker = 'alt';
  readonly #time: VirtualTime;
  readonly #limiter;
  /** When each request left, in elapsed ms. */
  readonly left: number[] = [];

  constructor(time: VirtualTime) {
    this.#time = time;
    this.#limiter = createLimiter(time, time, [{ count: 1, perMs: 1_000 }]);
  }

  async lastPrices(
    wanted: readonly Instrument[],
    leaves?: () => void,
  ): Promise<ReadonlyMap<InstrumentName, LastPrice>> {
    if (!(await this.#limiter.acquire(PERMIT_MS))) {
      const message = 'no permit';
      throw new BrokerError('alt', { kind: 'not_sent', reason: 'no_permit', message });
    }
    leaves?.();
    this.left.push(this.#time.elapsed());
    const lastPrice = this.#time.elapsed();
    await sleep(this.#time, REPLY_MS);
    return new Map(wanted.map(({ name }) => [name, { instrument: name, lastPrice }]));
  }

  async quotes(wanted: readonly Instrument[], leaves?: () => void) {
    return (await this.lastPrices(wanted, leaves)) as ReadonlyMap<InstrumentName, Quote>;
  }
}

interface Seen {
  readonly waitedMs: number;
  /** Between the value's own time and its answer, ms; null for a failure. */
  readonly ageMs: number | null;
}

/** `callers` of one price, each asking again `pauseMs` after its last answer, for ten seconds. */
async function poll(callers: number, pauseMs: number) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const source = new OneCallASecond(time);
  const cache = createQuoteCache(source, time, time);
  const seen: Seen[] = [];

  async function caller(kind: 'quotes' | 'lastPrices'): Promise<void> {
    while (time.elapsed() < 10_000) {
      const begun = time.elapsed();
      const dated = await cache[kind]([INFY], upTo(1_000)).then(
        (answer) => answer.get('NSE:INFY') ?? null,
        () => null,
      );
      const now = time.elapsed();
      seen.push({ waitedMs: now - begun, ageMs: dated && now - dated.value.lastPrice });
      if (dated !== null) expect(dated.asked).toBe(dated.value.lastPrice);
      await sleep(time, pauseMs);
    }
  }

  const all = Array.from({ length: callers }, (_, index) =>
    caller(index % 2 === 0 ? 'quotes' : 'lastPrices'),
  );
  await time.settle(Promise.all(all), 60_000);
  return { seen, source };
}

describe('callers of one price at a broker that allows one call a second', () => {
  it('are all answered within little more than a second, sixteen at once', async () => {
    const { seen, source } = await poll(16, 20);
    expect(seen.filter(({ ageMs }) => ageMs === null)).toEqual([]);
    expect(seen.length).toBeGreaterThan(1_000);
    expect(Math.max(...seen.map(({ waitedMs }) => waitedMs))).toBeLessThan(1_300);
    // One price serves both kinds of call, so no more requests leave than for one caller.
    expect(source.left.length).toBeLessThanOrEqual(11);
  });

  it('get no value older than they allow, plus the time of the reply', async () => {
    const { seen } = await poll(16, 20);
    expect(Math.max(...seen.map(({ ageMs }) => ageMs ?? 0))).toBeLessThan(1_000 + REPLY_MS);
  });

  it('mostly do not wait when there is only one caller', async () => {
    const { seen } = await poll(1, 50);
    const waiting = seen.filter(({ waitedMs }) => waitedMs > REPLY_MS + 50);
    expect(waiting.length).toBeLessThan(3);
    expect(seen.length).toBeGreaterThan(100);
  });
});

describe('the reads of one broker', () => {
  function bench() {
    const time = new VirtualTime(0);
    const source = new FakePrices();
    return { time, source, cache: createQuoteCache(source, time, time) };
  }

  it('run one at a time; later callers share the next one', async () => {
    const { time, source, cache } = bench();
    source.hold = true;
    const first = cache.lastPrices([INFY], upTo(0));
    await time.advance(10);
    const others = [
      cache.quotes([TCS], upTo(0)),
      cache.lastPrices([TCS], upTo(0)),
      cache.quotes([INFY], upTo(0)),
    ];
    await time.advance(10);
    expect(source.calls).toEqual([['NSE:INFY']]);
    source.hold = false;
    source.release();
    await time.settle(Promise.all([first, ...others]));
    expect(source.calls).toEqual([['NSE:INFY'], ['NSE:TCS', 'NSE:INFY']]);
  });

  it('still give last prices when the read of quotes fails', async () => {
    const { time, source, cache } = bench();
    source.failures.push(down('alt'));
    const quotes = cache.quotes([INFY], upTo(0));
    const prices = cache.lastPrices([INFY], upTo(0));
    const results = await time.settle(Promise.allSettled([quotes, prices]));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('continue after a failure', async () => {
    const { time, source, cache } = bench();
    source.hold = true;
    source.failures.push(down('alt'));
    const first = cache.lastPrices([INFY], upTo(0));
    await time.advance(10);
    const second = cache.lastPrices([TCS], upTo(0));
    source.hold = false;
    source.release();
    const results = await time.settle(Promise.allSettled([first, second]));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe('a broker that cannot be read', () => {
  function bench() {
    const time = new VirtualTime(0);
    const source = new FakePrices();
    const other = new FakePrices('primary');
    const caches = [source, other].map((each) => createQuoteCache(each, time, time));
    const route = createMarketDataRoute();
    const ask = (olderMs: number, which = caches.slice(0, 1)) =>
      time.settle(route.lastPrices([INFY], { maxAgeMs: 1_000, olderMs, caches: which }));
    return { time, source, other, caches, ask };
  }

  it('still answers with a price that is younger than the stated age', async () => {
    const { time, source, ask } = bench();
    await ask(5_000);
    await time.advance(4_999);
    source.failures.push(down('alt'));
    expect((await ask(5_000))?.values.get('NSE:INFY')).toMatchObject({ asked: 0 });
    await time.advance(1);
    source.failures.push(down('alt'));
    await expect(ask(5_000)).rejects.toThrow('down');
  });

  it('does not serve an older price while another broker can be read', async () => {
    const { time, source, ask, caches } = bench();
    await ask(5_000);
    await time.advance(2_000);
    source.failures.push(down('alt'));
    expect((await ask(5_000, caches))?.broker).toBe('primary');
  });

  it('fails for a caller who allows nothing older', async () => {
    const { time, source, ask } = bench();
    await ask(1_000);
    await time.advance(2_000);
    source.failures.push(down('alt'));
    await expect(ask(1_000)).rejects.toThrow('down');
  });
});
