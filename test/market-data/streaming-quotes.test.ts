import { describe, expect, it } from 'vitest';
import type { Quote } from '../../src/domain/quote.ts';
import { createQuoteCache, type QuoteCache } from '../../src/market-data/quote-cache.ts';
import { createTickSubscriptions } from '../../src/market-data/tick-subscriptions.ts';
import { createStreamingQuotes } from '../../src/market-data/streaming-quotes.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { createFakeFeed, tick } from './fake-feed.ts';
import { down, FakePrices, INFY, TCS, upTo } from './support.ts';

/** Quotes with circuit limits, which ticks lack. */
class FakeQuotes extends FakePrices {
  override async quotes(wanted: Parameters<FakePrices['quotes']>[0]) {
    const found = new Map<string, Quote>();
    for (const [name, { lastPrice }] of await this.lastPrices(wanted)) {
      found.set(name, { ...tick(name, lastPrice, 'full'), upperCircuit: 110, lowerCircuit: 90 });
    }
    return found;
  }
}

function bench(capacity?: number) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const source = new FakeQuotes();
  const feed = createFakeFeed(capacity);
  const ticks = createTickSubscriptions(feed, time);
  const quotes = createQuoteCache(source, time, time);
  const streaming = createStreamingQuotes({ cache: quotes, ticks, clock: time, scheduler: time });
  const ask = async (what: 'quotes' | 'lastPrices', wanted = [INFY], maxAgeMs = 1_000) => {
    const answer = await time.settle<Awaited<ReturnType<QuoteCache['lastPrices']>>>(
      streaming[what](wanted, upTo(maxAgeMs)),
    );
    return Object.fromEntries([...answer].map(([name, { value }]) => [name, value.lastPrice]));
  };
  return { time, source, feed, ticks, streaming, ask };
}

describe('interest', () => {
  it('begins when a caller asks twice within a minute', async () => {
    const { time, feed, ask } = bench();
    await time.advance(10_000);
    await ask('lastPrices');
    // Requests for other instruments, and the clean-up that they cause, change nothing.
    await time.advance(50_000);
    await ask('lastPrices', [TCS]);
    await time.advance(10_000);
    await ask('lastPrices');
    expect([...feed.wanted]).toEqual([]);
    await time.advance(59_000);
    await ask('lastPrices');
    expect([...feed.wanted]).toEqual([['NSE:INFY', 'ltp']]);
  });

  it('is in an instrument under the id that the lists of the day have', async () => {
    const { time, feed, ask } = bench();
    for (let read = 0; read < 3; read += 1) await ask('lastPrices');
    feed.send('NSE:INFY', 1_480);
    const moved = { ...INFY, instrumentToken: 2 };
    await time.advance(500);
    // The tick of the former id is not used: it may be that of another instrument by now.
    expect(await ask('lastPrices', [moved])).not.toEqual({ 'NSE:INFY': 1_480 });
    expect(feed.tokens.get('NSE:INFY')).toBe(2);
    feed.send('NSE:INFY', 1_490);
    expect(await ask('lastPrices', [moved])).toEqual({ 'NSE:INFY': 1_490 });
  });

  it('ends with the first tick after a minute without asking', async () => {
    const { time, feed, ask } = bench();
    await ask('lastPrices');
    await ask('lastPrices');
    await time.advance(59_999);
    feed.send('NSE:INFY', 1_480);
    expect([...feed.wanted]).toEqual([['NSE:INFY', 'ltp']]);
    await time.advance(1);
    feed.send('NSE:INFY', 1_481);
    expect([...feed.wanted]).toEqual([]);
    await ask('lastPrices');
    expect([...feed.wanted]).toEqual([]);
  });

  it('in an instrument without ticks ends with any request a minute later', async () => {
    const { time, feed, ask } = bench();
    await ask('lastPrices');
    await ask('lastPrices');
    await time.advance(60_000);
    await ask('lastPrices', [TCS]);
    expect([...feed.wanted]).toEqual([]);
  });

  it('needs no timer, which would keep the process alive', async () => {
    const { time, ask } = bench();
    await ask('quotes');
    await ask('quotes');
    expect(time.pending).toBe(0);
  });

  it('in quotes subscribes to the depth, and later requests for last prices keep it', async () => {
    const { feed, ask } = bench();
    await ask('lastPrices');
    await ask('lastPrices');
    await ask('quotes');
    await ask('lastPrices');
    expect(feed.told).toEqual([
      ['NSE:INFY', 'ltp'],
      ['NSE:INFY', 'full'],
    ]);
  });

  it('above the broker’s limit of subscriptions is served without ticks', async () => {
    const { feed, source, time, ask } = bench(0);
    for (const price of [1, 2, 3]) {
      expect(await ask('lastPrices')).toEqual({ 'NSE:INFY': price });
      await time.advance(2_000);
    }
    expect([source.calls.length, feed.told]).toEqual([3, []]);
  });
});

/** Asks twice, so that ticks come. */
async function interested(what: 'quotes' | 'lastPrices', wanted = [INFY]) {
  const made = bench();
  await made.ask(what, wanted);
  await made.ask(what, wanted);
  await made.time.advance(5_000);
  made.source.calls.splice(0);
  return made;
}

describe('a last price', () => {
  it('comes from a tick that is recent enough for the caller', async () => {
    const { time, source, feed, ask } = await interested('lastPrices');
    feed.send('NSE:INFY', 1_480);
    await time.advance(999);
    expect([await ask('lastPrices'), source.calls]).toEqual([{ 'NSE:INFY': 1_480 }, []]);
    await time.advance(1);
    expect(await ask('lastPrices')).toEqual({ 'NSE:INFY': 1 });
    expect(source.calls).toHaveLength(1);
  });

  it('never comes from a tick for a caller who wants a value of now', async () => {
    const { source, feed, ask } = await interested('lastPrices');
    feed.send('NSE:INFY', 1_480);
    await ask('lastPrices', [INFY], 0);
    expect(source.calls).toHaveLength(1);
  });

  it('has the age of its tick', async () => {
    const { time, feed, streaming } = await interested('lastPrices');
    feed.send('NSE:INFY', 1_480);
    const at = time.elapsed();
    await time.advance(400);
    const answer = await time.settle(streaming.lastPrices([INFY], upTo(1_000)));
    expect(answer.get('NSE:INFY')).toEqual({
      value: { instrument: 'NSE:INFY', lastPrice: 1_480 },
      asked: at,
      askedAt: time.now() - 400,
    });
  });

  it('is requested only for instruments without a tick', async () => {
    const { source, feed, ask } = await interested('lastPrices', [INFY, TCS]);
    feed.send('NSE:INFY', 1_480);
    expect(await ask('lastPrices', [INFY, TCS])).toEqual({ 'NSE:INFY': 1_480, 'NSE:TCS': 1 });
    expect(source.calls).toEqual([['NSE:TCS']]);
  });

  it('of 0 counts as no price', async () => {
    const { source, feed, ask } = await interested('lastPrices');
    feed.send('NSE:INFY', 0);
    expect([await ask('lastPrices'), source.calls.length]).toEqual([{ 'NSE:INFY': 1 }, 1]);
  });

  it('fails when it has to be requested and cannot be, whatever ticks there are of others', async () => {
    const { source, feed, streaming, time } = await interested('lastPrices', [INFY, TCS]);
    feed.send('NSE:INFY', 1_480);
    source.failures.push(down('alt'));
    await expect(time.settle(streaming.lastPrices([INFY, TCS], upTo(1_000)))).rejects.toThrow(
      'down',
    );
  });
});

describe('a quote', () => {
  it('comes from a tick with depth, and has the circuit limits of the last answer', async () => {
    const { time, source, feed, streaming } = await interested('quotes');
    feed.send('NSE:INFY', 1_480);
    const answer = await time.settle(streaming.quotes([INFY], upTo(1_000)));
    expect(answer.get('NSE:INFY')?.value).toEqual({
      ...tick('NSE:INFY', 1_480, 'full'),
      ...{ upperCircuit: 110, lowerCircuit: 90 },
    });
    expect(source.calls).toEqual([]);
  });

  it('does not come from a tick with only a last price', async () => {
    const { time, source, feed, ticks, ask } = bench();
    await ask('quotes');
    await time.advance(5_000);
    ticks.subscribe([INFY], 'ltp', () => undefined);
    feed.send('NSE:INFY', 1_480);
    expect([await ask('quotes'), source.calls.length]).toEqual([{ 'NSE:INFY': 2 }, 2]);
  });

  it('has circuit limits that are less than ten minutes old', async () => {
    const { time, source, feed, ask } = bench();
    await ask('quotes');
    const at = time.elapsed();
    await ask('quotes');
    const askAt = async (seconds: number): Promise<void> => {
      await time.advance(at + seconds * 1_000 - time.elapsed() - 500);
      feed.send('NSE:INFY', 1_480);
      await time.advance(500);
      await ask('quotes');
    };
    // In this case no clean-up has run for a while when the ten minutes are over.
    for (let round = 1; round <= 15; round += 1) await askAt(round * 39);
    const before = source.calls.length;
    await askAt(599.5);
    expect(source.calls).toHaveLength(before);
    await askAt(600.5);
    expect(source.calls).toHaveLength(before + 1);
  });

  it('is requested every ten minutes, for its circuit limits', async () => {
    const { time, source, feed, ask } = await interested('quotes');
    for (let minute = 0; minute < 21; minute += 1) {
      await time.advance(30_000);
      feed.send('NSE:INFY', 1_480);
      await ask('quotes');
      await time.advance(30_000);
      feed.send('NSE:INFY', 1_481);
      expect(Object.keys(await ask('quotes'))).toEqual(['NSE:INFY']);
    }
    expect(source.calls).toHaveLength(2);
  });
});
