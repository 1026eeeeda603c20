import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { BrokerError } from '../../src/domain/outcome.ts';
import { createQuoteCache } from '../../src/market-data/quote-cache.ts';
import { sleep } from '../../src/platform/clock.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { FakePrices, INFY, named, TCS, upTo } from './support.ts';

/** A broker that answers for two instruments a request, each after a second. */
class TwoASecond extends FakePrices {
  readonly atOnce = { quotes: 2, lastPrices: 2 };
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    super();
    this.#time = time;
  }

  override async lastPrices(wanted: readonly Instrument[]) {
    const prices = super.lastPrices(wanted);
    // It may fail before anybody awaits it.
    prices.catch(() => undefined);
    await sleep(this.#time, 1_000);
    return prices;
  }
}

function bench() {
  const time = new VirtualTime(0);
  const source = new TwoASecond(time);
  return { time, source, cache: createQuoteCache(source, time, time) };
}

const [A, B, C, D, E] = ['A', 'B', 'C', 'D', 'E'].map((name) => named(`NSE:${name}`)) as [
  Instrument,
  Instrument,
  Instrument,
  Instrument,
  Instrument,
];

describe('more instruments than one request holds', () => {
  it('are read oldest first', async () => {
    const { time, source, cache } = bench();
    await time.settle(cache.lastPrices([A, B], upTo(0)), 5_000);
    await time.settle(cache.lastPrices([C, D], upTo(0)), 5_000);
    source.calls.length = 0;
    const all = cache.lastPrices([D, C, B, A], upTo(0));
    await time.settle(all, 5_000);
    expect(source.calls).toEqual([
      ['NSE:B', 'NSE:A'],
      ['NSE:D', 'NSE:C'],
    ]);
  });

  it('are each answered when their request is, not when the last one is', async () => {
    const { time, cache } = bench();
    const first = cache.lastPrices([A], upTo(0));
    const others = cache.lastPrices([B, C, D, E], upTo(0));
    await time.settle(first, 1_500);
    expect(time.elapsed()).toBeLessThanOrEqual(1_500);
    await time.settle(others, 5_000);
  });

  it('that nobody has read are not all read before those whose prices grow old', async () => {
    const { time, source, cache } = bench();
    await time.settle(cache.lastPrices([A], upTo(0)), 5_000);
    await time.advance(9_000);
    const newOnes = Array.from({ length: 8 }, (_, index) => named(`NSE:NEW${index}`));
    source.calls.length = 0;
    const unread = cache.lastPrices(newOnes, upTo(0));
    await time.settle(cache.lastPrices([A], upTo(0)), 20_000);
    expect(source.calls.findIndex((call) => call.includes('NSE:A'))).toBeLessThanOrEqual(1);
    await time.settle(unread, 20_000);
  });

  it('are all read in the end, however many new ones are asked for meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ at: fc.nat(20_000), name: fc.nat(60) }), { maxLength: 80 }),
        async (asks) => {
          const { time, source, cache } = bench();
          const waits: Promise<number>[] = [];
          for (const { at, name } of [...asks].sort((a, b) => a.at - b.at)) {
            await time.advance(Math.max(0, at - time.elapsed()));
            const asked = time.elapsed();
            const answer = cache.lastPrices([named(`NSE:${name}`)], upTo(0));
            waits.push(answer.then(() => time.elapsed() - asked));
          }
          const waited = await time.settle(Promise.all(waits), 200_000);
          // Each waits for what had waited when it came, and for what came within the five seconds that an
          // instrument without a price is counted as.
          expect(Math.max(0, ...waited)).toBeLessThanOrEqual((asks.length / 2 + 8) * 1_000);
          expect(Math.max(0, ...source.calls.map((call) => call.length))).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('a request that the broker refused for its rate limit', () => {
  const refused = (): BrokerError =>
    new BrokerError('alt', {
      kind: 'http',
      status: 429,
      code: null,
      message: 'Too many requests',
      retryAfterMs: null,
    });

  it('is sent once more, and its callers wait for that', async () => {
    const { time, source, cache } = bench();
    source.failures.push(refused());
    const answer = await time.settle(cache.lastPrices([A, B], upTo(0)), 5_000);
    expect(answer.size).toBe(2);
    expect(source.calls).toEqual([
      ['NSE:A', 'NSE:B'],
      ['NSE:A', 'NSE:B'],
    ]);
  });

  it('fails when it is refused again', async () => {
    const { time, source, cache } = bench();
    source.failures.push(refused(), refused());
    await expect(time.settle(cache.lastPrices([A], upTo(0)), 5_000)).rejects.toThrow('Too many');
    expect(source.calls).toHaveLength(2);
  });

  it('is one with what other callers have asked for meanwhile', async () => {
    const { time, source, cache } = bench();
    source.hold = true;
    const first = cache.lastPrices([A], upTo(0));
    await time.advance(10);
    const second = cache.lastPrices([A], upTo(0));
    source.failures.push(refused());
    source.hold = false;
    source.release();
    await time.settle(Promise.all([first, second]), 5_000);
    expect(source.calls).toEqual([['NSE:A'], ['NSE:A']]);
  });
});

describe('an older price', () => {
  const AGES = { maxAgeMs: 1_000, olderMs: 5_000 };

  it('is given where reading a newer one takes long', async () => {
    const { time, source, cache } = bench();
    await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    await time.advance(2_000);
    const asked = time.elapsed();
    const answer = await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    expect([answer.get('NSE:INFY')?.value.lastPrice, time.elapsed() - asked]).toEqual([1, 500]);
    expect(source.calls).toHaveLength(2);
  });

  it('is not given above the age that is allowed', async () => {
    const { time, cache } = bench();
    await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    await time.advance(5_000);
    const answer = await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    expect(answer.get('NSE:INFY')?.value.lastPrice).toBe(2);
  });

  it('is not given where the broker lets all that is wanted be read soon', async () => {
    const { time, source } = bench();
    const cache = createQuoteCache(Object.assign(source, { servesMs: 1_500 }), time, time);
    await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    await time.advance(2_000);
    const answer = await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    expect(answer.get('NSE:INFY')?.value.lastPrice).toBe(2);
  });

  it('is not given where a newer one came while the caller waited for another instrument', async () => {
    const { time, cache } = bench();
    await time.settle(cache.lastPrices([INFY], upTo(0)), 5_000);
    await time.advance(500);
    const renewing = cache.lastPrices([INFY], upTo(0));
    await time.advance(100);
    const answer = cache.lastPrices([INFY, TCS], upTo(5_000));
    await time.settle(renewing, 5_000);
    expect((await time.settle(answer, 5_000)).get('NSE:INFY')?.value.lastPrice).toBe(2);
  });

  it('is not given for one instrument while another has none', async () => {
    const { time, cache } = bench();
    await time.settle(cache.lastPrices([INFY], AGES), 5_000);
    await time.advance(2_000);
    const answer = await time.settle(cache.lastPrices([INFY, TCS], AGES), 5_000);
    expect([...answer.values()].map(({ value }) => value.lastPrice)).toEqual([2, 2]);
  });
});
