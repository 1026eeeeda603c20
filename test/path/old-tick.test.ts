import { describe, expect, it } from 'vitest';
import { hubBench, linesOf } from '../market-data/live/support.ts';
import { INFY } from '../market-data/support.ts';

describe('a tick of before an outage of the ticker', () => {
  it('is not told as the present price after it, nor ends the polling', async () => {
    const { time, feed, ticks, alt, reader } = hubBench();
    // A program that reads GET /quotes has the instrument subscribed to.
    ticks.subscribe([INFY], 'full', () => undefined);
    feed.send('NSE:INFY', 1_500);
    await time.advance(500);
    feed.setLive(false);
    await time.advance(1_000);
    feed.setLive(true);
    const one = reader();
    one.want(INFY, 'ltp');
    // The new connection sends nothing of it.
    await time.advance(60_000);
    expect(linesOf(one.told).slice(0, 2)).not.toContain('snapshot NSE:INFY 1500 ticks');
    expect(alt.calls.length).toBeGreaterThan(0);
  });

  it('does not take the place of a newer polled price', async () => {
    const { time, feed, ticks, reader } = hubBench();
    ticks.subscribe([INFY], 'full', () => undefined);
    const one = reader('key_a');
    one.want(INFY, 'ltp');
    feed.send('NSE:INFY', 1_500);
    await time.advance(500);
    feed.setLive(false);
    await time.advance(1_500);
    feed.setLive(true);
    one.told.length = 0;
    reader('key_b').want(INFY, 'full');
    await time.advance(60_000);
    const said = linesOf(one.told);
    expect(said).not.toContain('ticks NSE:INFY 1500 ticks');
    expect(said.at(-1)).toMatch(/polling$/);
  });
});
