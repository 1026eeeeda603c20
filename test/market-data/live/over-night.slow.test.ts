import { describe, expect, it } from 'vitest';
import { instrument } from '../../execution/support/makers.ts';
import { hubBench, lastOf, linesOf } from './support.ts';

const FUTURE = instrument({
  ...{ name: 'NFO:NIFTY26NOVFUT', exchange: 'NFO', tradingSymbol: 'NIFTY26NOVFUT' },
  ...{ segment: 'DERIVATIVE', expiry: '2026-11-06', instrumentToken: 7 },
});
const SHARE = instrument({ name: 'NSE:INFY', instrumentToken: 1, securityId: '1594' });
const HOUR_MS = 3_600_000;

describe('a stream that goes on over night', () => {
  it('has no price of a contract that has expired, which frees its place and is not polled', async () => {
    const { time, feed, alt, primary, reader } = hubBench({ places: 1 });
    const one = reader();
    one.want(FUTURE, 'ltp');
    one.want(SHARE, 'ltp');
    feed.send(FUTURE.name, 24_000);
    // It trades until the end of its last day.
    await time.advance(12 * HOUR_MS);
    expect([...feed.wanted.keys()]).toEqual([FUTURE.name]);
    one.told.length = 0;
    await time.advance(1.1 * HOUR_MS);
    expect([...feed.wanted.keys()]).toEqual([SHARE.name]);
    const ofFuture = linesOf(one.told).filter((line) => line.includes(FUTURE.name));
    expect(ofFuture).toEqual([
      `feed none null ${FUTURE.name}`,
      `ticks ${FUTURE.name} 24000 ticks stale`,
    ]);
    expect([...alt.calls, ...primary.calls].flat()).not.toContain(FUTURE.name);

    // Who wants more of it later, or less, is told the same.
    const later = reader('key_b');
    later.want(FUTURE, 'full');
    await time.advance(10_000);
    expect(linesOf(later.told)).toEqual([`feed none null ${FUTURE.name}`]);
    one.unwant(FUTURE.name);
    later.leave();
    await time.advance(10_000);
    expect([...alt.calls, ...primary.calls].flat()).not.toContain(FUTURE.name);
    expect([...feed.wanted.keys()]).toEqual([SHARE.name]);
  });

  it('goes on with a contract that had expired only by a clock that was a day ahead', async () => {
    const { time, feed, reader } = hubBench();
    const one = reader();
    one.want(FUTURE, 'ltp');
    feed.send(FUTURE.name, 24_000);
    time.stepWall(24 * HOUR_MS);
    await time.advance(5_000);
    expect([...feed.wanted.keys()]).toEqual([]);
    time.stepWall(-24 * HOUR_MS);
    await time.advance(5_000);
    expect([...feed.wanted.keys()]).toEqual([FUTURE.name]);
    feed.send(FUTURE.name, 24_010);
    await time.advance(0);
    expect(lastOf(one.told, FUTURE.name)).toBe(24_010);
  });

  it('has the prices of an instrument under the id that the list of the day has', async () => {
    const { time, feed, lists, reader } = hubBench();
    const one = reader();
    one.want(SHARE, 'ltp');
    feed.send(SHARE.name, 1_500);
    lists.set(SHARE.name, SHARE);
    await time.advance(20_000);
    expect([feed.tokens.get(SHARE.name), feed.told.length]).toEqual([1, 1]);
    lists.set(SHARE.name, { ...SHARE, instrumentToken: 2 });
    await time.advance(2_000);
    expect(feed.tokens.get(SHARE.name)).toBe(2);
    // The price under the former id may be that of another instrument by now.
    expect(linesOf(one.told).at(2)).toBe(`ticks ${SHARE.name} 1500 ticks stale`);
    feed.send(SHARE.name, 1_510);
    await time.advance(0);
    expect(lastOf(one.told, SHARE.name)).toBe(1_510);
  });

  it('is told no price that was asked for under the former id', async () => {
    const { time, open, lists, alt, reader } = hubBench({ places: 0 });
    open.delete('primary');
    const one = reader();
    alt.hold = true;
    one.want(SHARE, 'ltp');
    await time.advance(500);
    lists.set(SHARE.name, { ...SHARE, instrumentToken: 2 });
    await time.advance(1_000);
    expect(alt.calls).toHaveLength(1);
    alt.hold = false;
    alt.release();
    await time.advance(2_000);
    // The price is the number of the request.
    expect(linesOf(one.told)[1]).toBe(`snapshot ${SHARE.name} 2 polling`);
  });

  it('goes on as it was where a list lacks the instrument, or only now has an id of it', async () => {
    const { time, feed, lists, alt, reader } = hubBench();
    const one = reader();
    const early = { ...SHARE, securityId: null };
    one.want(early, 'ltp');
    feed.send(SHARE.name, 1_500);
    await time.advance(20_000);
    lists.set(SHARE.name, SHARE);
    await time.advance(20_000);
    lists.set(SHARE.name, { ...SHARE, instrumentToken: null });
    await time.advance(20_000);
    expect(linesOf(one.told)).toEqual([
      `feed ticks alt ${SHARE.name}`,
      `snapshot ${SHARE.name} 1500 ticks`,
    ]);
    expect([feed.tokens.get(SHARE.name), alt.calls]).toEqual([1, []]);
  });

  it('looks at each of many instruments within minutes, and at none once nobody streams', async () => {
    const { time, feed, lists, reader, hub } = hubBench();
    const all = Array.from({ length: 1_000 }, (_, at) =>
      instrument({ name: `NSE:S${at}`, instrumentToken: 10 + at }),
    );
    const one = reader();
    for (const each of all) {
      one.want(each, 'ltp');
      lists.set(each.name, { ...each, instrumentToken: 100_000 + (each.instrumentToken ?? 0) });
    }
    await time.advance(60_000);
    expect([...feed.tokens.values()].every((token) => (token ?? 0) > 100_000)).toBe(true);
    one.leave();
    await time.advance(5_000);
    expect(time.pending).toBe(0);
    hub.stop();
  });
});
