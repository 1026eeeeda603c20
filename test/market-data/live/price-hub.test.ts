import { describe, expect, it } from 'vitest';
import { FIRST_TICK_MS } from '../../../src/market-data/live/live-instruments.ts';
import { MOST_OF_CALLER } from '../../../src/market-data/live/price-hub.ts';
import { INFY, named, TCS } from '../support.ts';
import { hubBench, lastOf, linesOf, many } from './support.ts';

describe('a reader', () => {
  it('is told the first price of an instrument as a snapshot, and then its ticks', async () => {
    const { time, feed, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'ltp');
    one.want(TCS, 'ltp');
    feed.send('NSE:INFY', 1_500);
    await time.advance(0);
    feed.send('NSE:INFY', 1_501);
    feed.send('NSE:TCS', 4_000);
    await time.advance(0);
    expect(linesOf(one.told)).toEqual([
      'feed ticks alt NSE:INFY',
      'snapshot NSE:INFY 1500 ticks',
      'feed ticks alt NSE:TCS',
      'snapshot NSE:TCS 4000 ticks',
      'ticks NSE:INFY 1501 ticks',
    ]);
    expect(one.told.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is told the tick that is there already, without a request', async () => {
    const { time, feed, alt, reader } = hubBench();
    reader('key_a').want(INFY, 'full');
    feed.send('NSE:INFY', 1_500);
    const later = reader('key_b');
    later.want(INFY, 'ltp');
    await time.advance(10_000);
    expect(linesOf(later.told)).toEqual([
      'feed ticks alt NSE:INFY',
      'snapshot NSE:INFY 1500 ticks',
    ]);
    expect(alt.calls).toEqual([]);
  });

  it('that takes nothing is told once, and then the latest price of each, not those before', async () => {
    const { time, feed, reader } = hubBench();
    const slow = reader();
    slow.state.isSlow = true;
    slow.want(INFY, 'ltp');
    slow.want(TCS, 'ltp');
    for (let price = 1; price <= 1_000; price += 1) {
      feed.send('NSE:INFY', price);
      feed.send('NSE:TCS', 2 * price);
      await time.advance(1);
    }
    expect(slow.state.calls).toBe(1);
    slow.takeAll();
    expect(linesOf(slow.told)).toEqual([
      'feed ticks alt NSE:INFY,NSE:TCS',
      'snapshot NSE:INFY 1000 ticks,NSE:TCS 2000 ticks',
    ]);
  });

  it('takes so many at a time, those that have been new for longest first', async () => {
    const { time, feed, reader } = hubBench();
    const slow = reader();
    slow.state.isSlow = true;
    for (const each of many(5)) slow.want(each, 'ltp');
    for (const at of [0, 1, 2, 3, 4, 0, 1]) feed.send(`NSE:S${at}`, 100 + at);
    await time.advance(0);
    expect(linesOf(slow.take(2))).toEqual([
      'feed ticks alt NSE:S0,NSE:S1',
      'snapshot NSE:S0 100 ticks,NSE:S1 101 ticks',
    ]);
    feed.send('NSE:S0', 200);
    expect(linesOf(slow.take(3)).at(-1)).toBe(
      'snapshot NSE:S2 102 ticks,NSE:S3 103 ticks,NSE:S4 104 ticks',
    );
    expect(linesOf(slow.take(3))).toEqual(['ticks NSE:S0 200 ticks']);
  });

  it('is told nothing of an instrument after it was unsubscribed from, or after it left', async () => {
    const { time, feed, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'ltp');
    one.want(TCS, 'ltp');
    feed.send('NSE:INFY', 1_500);
    expect([one.unwant('NSE:INFY'), one.unwant('NSE:INFY')]).toEqual([true, false]);
    await time.advance(0);
    one.leave();
    feed.send('NSE:TCS', 1);
    await time.advance(0);
    expect(one.told).toEqual([]);
    expect([...feed.wanted]).toEqual([]);
  });

  it('in a richer mode than another waits for a price that has its figures', async () => {
    const { time, feed, reader } = hubBench();
    const plain = reader('key_a');
    plain.want(INFY, 'ltp');
    feed.send('NSE:INFY', 1_500);
    const rich = reader('key_b');
    rich.want(INFY, 'full');
    await time.advance(0);
    expect(linesOf(rich.told)).toEqual(['feed ticks alt NSE:INFY']);
    feed.send('NSE:INFY', 1_501);
    await time.advance(0);
    expect(lastOf(rich.told, 'NSE:INFY')).toBe(1_501);
    expect(rich.told.at(-1)).toMatchObject({
      type: 'snapshot',
      prices: [{ mode: 'full', price: { mode: 'full' } }],
    });
    expect(plain.told.at(-1)).toMatchObject({ type: 'ticks', prices: [{ mode: 'ltp' }] });
    rich.leave();
    expect([...feed.wanted]).toEqual([['NSE:INFY', 'ltp']]);
  });

  it('is refused more instruments than one key may have, over all its readers', () => {
    const { reader } = hubBench();
    const [one, two, other] = [reader(), reader(), reader('key_b')];
    const all = many(MOST_OF_CALLER);
    for (const each of all.slice(0, 1_000)) one.want(each, 'ltp');
    for (const each of all.slice(1_000)) two.want(each, 'ltp');
    expect([two.want(INFY, 'ltp'), other.want(INFY, 'ltp')]).toEqual([false, true]);
    // Another mode of what it has needs no further place.
    expect(two.want(all.at(-1)!, 'full')).toBe(true);
    one.leave();
    expect(two.want(INFY, 'ltp')).toBe(true);
  });
});

describe('a tick', () => {
  it('of the mode before is not used: the figures of the new one are missing', async () => {
    const { time, feed, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'full');
    feed.send('NSE:INFY', 1_500, 'ltp');
    await time.advance(0);
    expect(one.told).toEqual([]);
    feed.send('NSE:INFY', 1_501);
    await time.advance(0);
    expect(lastOf(one.told, 'NSE:INFY')).toBe(1_501);
  });

  it('of some time ago, of another subscription, is not told: the ticker may have been silent', async () => {
    const { time, feed, ticks, reader } = hubBench();
    ticks.subscribe([INFY], 'ltp', () => undefined);
    feed.send('NSE:INFY', 1_500);
    await time.advance(10_000);
    const one = reader();
    one.want(INFY, 'ltp');
    await time.advance(FIRST_TICK_MS);
    expect(linesOf(one.told)).toEqual(['feed polling alt NSE:INFY', 'snapshot NSE:INFY 1 polling']);
  });
});

describe('an instrument without ticks', () => {
  it('is polled each second, by one request for all of them', async () => {
    const { time, alt, reader } = hubBench({ places: 0 });
    const one = reader();
    one.want(INFY, 'ltp');
    one.want(TCS, 'ltp');
    await time.advance(2_100);
    expect(alt.calls).toEqual([
      ['NSE:INFY', 'NSE:TCS'],
      ['NSE:INFY', 'NSE:TCS'],
      ['NSE:INFY', 'NSE:TCS'],
    ]);
    expect(linesOf(one.told).slice(0, 3)).toEqual([
      'feed polling alt NSE:INFY,NSE:TCS',
      'snapshot NSE:INFY 1 polling,NSE:TCS 1 polling',
      'ticks NSE:INFY 2 polling,NSE:TCS 2 polling',
    ]);
    one.leave();
    alt.calls.length = 0;
    await time.advance(5_000);
    expect(alt.calls).toEqual([]);
  });

  it('at a live ticker is polled until its first tick, where that is late', async () => {
    const { time, feed, alt, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'quote');
    await time.advance(FIRST_TICK_MS - 1);
    expect(alt.calls).toEqual([]);
    await time.advance(1_000);
    expect(alt.calls).toHaveLength(1);
    feed.send('NSE:INFY', 1_500);
    await time.advance(10_000);
    expect(alt.calls).toHaveLength(1);
    expect(linesOf(one.told)).toEqual([
      'feed polling alt NSE:INFY',
      'snapshot NSE:INFY 1 polling',
      'feed ticks alt NSE:INFY',
      'ticks NSE:INFY 1500 ticks',
    ]);
  });

  it('has no price where no broker knows it, and that is told', async () => {
    const { time, alt, reader } = hubBench({ places: 0 });
    alt.unknown.add('NSE:GHOST');
    const one = reader();
    one.want(named('NSE:GHOST'), 'full');
    await time.advance(3_000);
    expect(linesOf(one.told)).toEqual(['feed polling alt NSE:GHOST', 'feed none alt NSE:GHOST']);
  });

  it('leaves places of the rate limit to other callers: a round is one request', async () => {
    const { time, alt, reader } = hubBench({ places: 0, atOnce: 10 });
    const one = reader();
    for (const each of many(95)) one.want(each, 'ltp');
    await time.advance(9_999);
    expect(alt.calls.map((call) => call.length)).toEqual(Array(10).fill(10));
    expect(new Set(alt.calls.flat())).toHaveLength(95);
  });
});
