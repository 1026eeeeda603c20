import { describe, expect, it } from 'vitest';
import { STALE_MS } from '../../../src/market-data/live/live-states.ts';
import { down, INFY, TCS } from '../support.ts';
import { hubBench, linesOf } from './support.ts';

describe('when the ticker dies', () => {
  it('polling takes over at once, and ticks once they are there again', async () => {
    const { time, feed, alt, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'ltp');
    feed.send('NSE:INFY', 1_500);
    await time.advance(60_000);
    one.told.length = 0;
    feed.setLive(false);
    await time.advance(100);
    expect(linesOf(one.told.splice(0))).toEqual([
      'feed polling alt NSE:INFY',
      'ticks NSE:INFY 1500 ticks stale',
      'ticks NSE:INFY 1 polling',
    ]);
    feed.setLive(true);
    await time.advance(2_000);
    // A connection that is there and has sent nothing yet proves nothing.
    expect(linesOf(one.told.splice(0))).toEqual([
      'ticks NSE:INFY 2 polling',
      'ticks NSE:INFY 3 polling',
    ]);
    feed.send('NSE:INFY', 1_510);
    await time.advance(5_000);
    expect(linesOf(one.told)).toEqual(['feed ticks alt NSE:INFY', 'ticks NSE:INFY 1510 ticks']);
    expect(alt.calls).toHaveLength(3);
  });

  it('the next broker is asked where the first one fails, and the first one when it answers', async () => {
    const { time, feed, alt, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'ltp');
    feed.send('NSE:INFY', 1_500);
    await time.advance(0);
    one.told.length = 0;
    alt.failures.push(down('alt'), down('alt'));
    feed.setLive(false);
    await time.advance(2_500);
    expect(linesOf(one.told).filter((line) => line.startsWith('feed'))).toEqual([
      'feed polling alt NSE:INFY',
      'feed polling primary NSE:INFY',
      'feed polling alt NSE:INFY',
    ]);
  });

  it('and no broker answers, that is told, and prices are stale once they are old', async () => {
    const { time, alt, primary, reader } = hubBench({ places: 0 });
    const one = reader();
    one.want(INFY, 'ltp');
    await time.advance(100);
    one.told.length = 0;
    for (let count = 0; count < 20; count += 1) {
      alt.failures.push(down('alt'));
      primary.failures.push(down('primary'));
    }
    await time.advance(STALE_MS - 200);
    expect(linesOf(one.told.splice(0))).toEqual(['feed none null NSE:INFY']);
    await time.advance(1_500);
    expect(linesOf(one.told)).toEqual(['ticks NSE:INFY 1 polling stale']);
  });

  it('with the session, the next broker of the route is asked', async () => {
    const { time, feed, open, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'ltp');
    one.want(TCS, 'ltp');
    feed.send('NSE:INFY', 1_500);
    feed.send('NSE:TCS', 4_000);
    await time.advance(0);
    one.told.length = 0;
    open.delete('alt');
    feed.setLive(false);
    await time.advance(100);
    expect(linesOf(one.told)).toEqual([
      'feed polling primary NSE:INFY,NSE:TCS',
      'ticks NSE:INFY 1500 ticks stale,NSE:TCS 4000 ticks stale',
      'ticks NSE:INFY 1 polling,NSE:TCS 1 polling',
    ]);
  });

  it('an instrument that trades seldom is not stale while the ticker lives', async () => {
    const { time, feed, alt, reader } = hubBench();
    const one = reader();
    one.want(INFY, 'ltp');
    feed.send('NSE:INFY', 1_500);
    await time.advance(600_000);
    expect(linesOf(one.told)).toEqual(['feed ticks alt NSE:INFY', 'snapshot NSE:INFY 1500 ticks']);
    expect(alt.calls).toEqual([]);
  });
});
