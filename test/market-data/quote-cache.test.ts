import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { createQuoteCache } from '../../src/market-data/quote-cache.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { down, FakePrices, INFY, named, TCS, upTo } from './support.ts';

function bench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const source = new FakePrices();
  const cache = createQuoteCache(source, time, time);
  /** The prices by name; resolves without time passing. */
  const ask = async (wanted: readonly Instrument[], maxAgeMs = 1_000) => {
    const answer = await time.settle(cache.lastPrices(wanted, upTo(maxAgeMs)));
    return Object.fromEntries([...answer].map(([name, { value }]) => [name, value.lastPrice]));
  };
  return { time, source, cache, ask };
}

describe('calls of one turn', () => {
  it('are sent as one, with each instrument once', async () => {
    const { source, ask } = bench();
    const answers = await Promise.all([ask([INFY]), ask([INFY, TCS]), ask([TCS])]);
    expect(source.calls).toEqual([['NSE:INFY', 'NSE:TCS']]);
    expect(answers).toEqual([{ 'NSE:INFY': 1 }, { 'NSE:INFY': 1, 'NSE:TCS': 1 }, { 'NSE:TCS': 1 }]);
  });

  it('fail together, and the next call asks the broker again', async () => {
    const { source, ask } = bench();
    source.failures.push(down('alt'));
    const results = await Promise.allSettled([ask([INFY]), ask([TCS])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask([INFY])).toEqual({ 'NSE:INFY': 2 });
  });

  it('for quotes serve last prices too; only other instruments need their own call', async () => {
    const { time, source, cache } = bench();
    const answers = [cache.quotes([INFY], upTo(0)), cache.lastPrices([INFY, TCS], upTo(0))];
    const [, prices] = await time.settle(Promise.all(answers));
    expect(source.calls).toEqual([['NSE:INFY'], ['NSE:TCS']]);
    expect([...(prices?.values() ?? [])].map(({ value }) => value)).toEqual([
      { instrument: 'NSE:INFY', lastPrice: 1 },
      { instrument: 'NSE:TCS', lastPrice: 2 },
    ]);
  });
});

describe('an answer', () => {
  it('is used until it is older than the caller allows', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    await time.advance(999);
    expect(await ask([INFY], 2_000)).toEqual({ 'NSE:INFY': 1 });
    await time.advance(1);
    expect(source.calls).toHaveLength(1);
    expect(await ask([INFY], 1_000)).toEqual({ 'NSE:INFY': 2 });
  });

  it('is not used for a caller who wants a value of now', async () => {
    const { source, ask } = bench();
    await ask([INFY], 0);
    await ask([INFY], 0);
    expect(source.calls).toHaveLength(2);
  });

  it('is refreshed only when it is too old', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    await time.advance(900);
    await ask([INFY, TCS]);
    expect(source.calls[1]).toEqual(['NSE:TCS']);
  });

  it('has the time of the request, not of the reply', async () => {
    const { time, source, cache } = bench();
    source.hold = true;
    const answer = cache.lastPrices([INFY], upTo(0));
    await time.advance(700);
    source.release();
    const dated = (await time.settle(answer)).get('NSE:INFY');
    expect(dated).toMatchObject({ asked: 0, askedAt: time.now() - 700 });
  });

  it('keeps its age when the wall clock is set', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    time.stepWall(-3_600_000);
    await time.advance(1_000);
    await ask([INFY]);
    expect(source.calls).toHaveLength(2);
  });

  it('is not used for a caller who came after its request left', async () => {
    const { time, source, ask, cache } = bench();
    source.hold = true;
    const first = cache.lastPrices([INFY], upTo(0));
    await time.advance(100);
    const second = cache.lastPrices([INFY], upTo(0));
    source.hold = false;
    source.release();
    const answers = await time.settle(Promise.all([first, second]));
    expect(answers[1]?.get('NSE:INFY')?.value.lastPrice).toBe(2);
    expect(source.calls).toHaveLength(2);
    expect(await ask([INFY])).toEqual({ 'NSE:INFY': 2 });
  });
});

describe('an instrument that the broker does not know', () => {
  it('is absent, and the other instruments are answered', async () => {
    const { source, ask } = bench();
    source.unknown.add('NSE:TCS');
    expect(await ask([INFY, TCS])).toEqual({ 'NSE:INFY': 1 });
  });

  it('is absent even when it was known before', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    source.unknown.add('NSE:INFY');
    await time.advance(5_000);
    expect(await ask([INFY])).toEqual({});
  });
});

describe('a value past half its age', () => {
  it('is returned at once, and refreshed in the background', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    await time.advance(500);
    expect(await ask([INFY])).toEqual({ 'NSE:INFY': 1 });
    await time.advance(0);
    expect(source.calls).toHaveLength(2);
    await time.advance(600);
    // The first is too old by now, so the second is returned.
    expect(await ask([INFY])).toEqual({ 'NSE:INFY': 2 });
  });

  it('has one refresh at a time', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    await time.advance(600);
    source.hold = true;
    for (let call = 0; call < 3; call += 1) {
      await ask([INFY]);
      await time.advance(10);
    }
    expect(source.calls).toHaveLength(2);
    source.release();
    await time.advance(0);
  });

  it('is still returned when its refresh fails; the first caller who has to wait gets the error', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    await time.advance(600);
    source.failures.push(down('alt'));
    expect(await ask([INFY])).toEqual({ 'NSE:INFY': 1 });
    await time.advance(500);
    source.failures.push(down('alt'));
    await expect(ask([INFY])).rejects.toThrow('down');
  });
});

describe('a value that nobody asks for', () => {
  it('is forgotten after a minute', async () => {
    const { time, source, ask } = bench();
    await ask([INFY]);
    await time.advance(60_001);
    await ask([TCS]);
    expect(await ask([INFY], 120_000)).toEqual({ 'NSE:INFY': 3 });
    expect(source.calls).toHaveLength(3);
  });

  it('causes no request without instruments', async () => {
    const { source, ask } = bench();
    expect(await ask([])).toEqual({});
    expect(source.calls).toEqual([]);
    expect(await ask([named('NSE:X')])).toEqual({ 'NSE:X': 1 });
  });
});
