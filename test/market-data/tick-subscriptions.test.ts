import { describe, expect, it } from 'vitest';
import { BrokerError } from '../../src/domain/outcome.ts';
import type { Tick } from '../../src/domain/tick.ts';
import { createTickSubscriptions } from '../../src/market-data/tick-subscriptions.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { createFakeFeed } from './fake-feed.ts';
import { INFY, TCS } from './support.ts';

function bench(capacity?: number) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const feed = createFakeFeed(capacity);
  const subscriptions = createTickSubscriptions(feed, time);
  const heard: [string, number][] = [];
  const hear = ({ instrument, lastPrice }: Tick): void => void heard.push([instrument, lastPrice]);
  return { time, feed, subscriptions, heard, hear };
}

describe('a subscriber', () => {
  it('gets the ticks of its own instruments until it unsubscribes', () => {
    const { feed, subscriptions, heard, hear } = bench();
    const leave = subscriptions.subscribe([INFY], 'ltp', hear);
    subscriptions.subscribe([TCS], 'ltp', () => undefined);
    feed.send('NSE:INFY', 1);
    feed.send('NSE:TCS', 2);
    leave();
    feed.send('NSE:INFY', 3);
    expect(heard).toEqual([['NSE:INFY', 1]]);
  });

  it('may unsubscribe twice, and while it handles a tick', () => {
    const { feed, subscriptions, heard, hear } = bench();
    const leave = subscriptions.subscribe([INFY], 'ltp', () => leave());
    subscriptions.subscribe([INFY], 'ltp', hear);
    feed.send('NSE:INFY', 1);
    leave();
    feed.send('NSE:INFY', 2);
    expect(heard).toEqual([
      ['NSE:INFY', 1],
      ['NSE:INFY', 2],
    ]);
    expect([...feed.wanted]).toEqual([['NSE:INFY', 'ltp']]);
  });

  it('is refused as a whole when one of its instruments is not available', () => {
    const { feed, subscriptions, hear } = bench(1);
    expect(() => subscriptions.subscribe([INFY, TCS], 'ltp', hear)).toThrow(BrokerError);
    expect([...feed.wanted]).toEqual([]);
    subscriptions.subscribe([TCS], 'ltp', hear);
    expect([...feed.wanted]).toEqual([['NSE:TCS', 'ltp']]);
  });
});

describe('an instrument', () => {
  it('whose id the lists of the day have changed has its ticks under the new one, for all its subscribers', () => {
    const { feed, subscriptions, heard, hear } = bench();
    const leave = subscriptions.subscribe([{ ...INFY, instrumentToken: 1 }], 'full', hear);
    feed.send('NSE:INFY', 1);
    const leaveNew = subscriptions.subscribe([{ ...INFY, instrumentToken: 2 }], 'ltp', hear);
    expect([feed.tokens.get('NSE:INFY'), feed.wanted.get('NSE:INFY')]).toEqual([2, 'full']);
    // The last tick may be that of another instrument by now.
    expect(subscriptions.last('NSE:INFY')).toBeNull();
    feed.send('NSE:INFY', 2);
    expect(heard.map(([, price]) => price)).toEqual([1, 2, 2]);
    leave();
    leaveNew();
    expect(feed.told).toEqual([
      ['NSE:INFY', 'full'],
      ['NSE:INFY', null],
      ['NSE:INFY', 'full'],
      ['NSE:INFY', 'ltp'],
      ['NSE:INFY', null],
    ]);
  });

  it('is subscribed once, in the fullest mode that any subscriber wants', () => {
    const { feed, subscriptions, hear } = bench();
    const leaves = (['quote', 'ltp', 'full', 'quote'] as const).map((mode) =>
      subscriptions.subscribe([INFY, INFY], mode, hear),
    );
    for (const leave of leaves.toReversed()) leave();
    expect(feed.told).toEqual([
      ['NSE:INFY', 'quote'],
      ['NSE:INFY', 'full'],
      ['NSE:INFY', 'quote'],
      ['NSE:INFY', null],
    ]);
  });
});

describe('the last tick', () => {
  it('has the time of its arrival', async () => {
    const { time, feed, subscriptions, hear } = bench();
    subscriptions.subscribe([INFY], 'ltp', hear);
    expect(subscriptions.last('NSE:INFY')).toBeNull();
    await time.advance(700);
    feed.send('NSE:INFY', 1);
    feed.send('NSE:INFY', 2);
    await time.advance(300);
    expect(subscriptions.last('NSE:INFY')).toMatchObject({
      value: { lastPrice: 2 },
      asked: 700,
      askedAt: Date.parse('2026-11-06T11:00:00.700+05:30'),
    });
  });

  it('is forgotten with the last subscriber, so that the next one gets no old price', () => {
    const { feed, subscriptions, hear } = bench();
    const leave = subscriptions.subscribe([INFY], 'ltp', hear);
    feed.send('NSE:INFY', 1);
    leave();
    subscriptions.subscribe([INFY], 'ltp', hear);
    expect(subscriptions.last('NSE:INFY')).toBeNull();
  });
});
