import type { BrokerId } from '../../domain/broker.ts';
import type { Tick } from '../../domain/tick.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Dated } from '../quote-cache.ts';
import type { Feed, FeedSource, LiveInstrument, LivePrice } from './live-price.ts';
import type { Polled } from './polling.ts';

/** A polled price that is older than this is stale; and no ticker is silent for so long. */
export const STALE_MS = 5_000;

/** Changes of what is known of an instrument. Each tells its readers. */
export interface LiveStates {
  setFeed(live: LiveInstrument, source: FeedSource, broker: BrokerId | null): void;
  ticked(live: LiveInstrument, tick: Dated<Tick>, broker: BrokerId): void;
  polled(live: LiveInstrument, polled: Polled): void;
  /** Nobody knows what happened in the last seconds, because its ticker was silent. */
  markSilent(live: LiveInstrument): void;
  /** Of an instrument that is polled. */
  markIfOld(live: LiveInstrument): void;
}

export function createLiveStates(clock: Clock): LiveStates {
  const feedOf = sharedFeeds();

  function tell(live: LiveInstrument): void {
    for (const { note } of live.wants) note();
  }

  function setPrice(live: LiveInstrument, price: Omit<LivePrice, 'instrument'>): void {
    live.price = { ...price, instrument: live.instrument.name };
    tell(live);
  }

  return {
    setFeed(live, source, broker) {
      const feed = feedOf(source, broker);
      if (live.feed === feed) return;
      live.feed = feed;
      tell(live);
    },
    ticked(live, { value, askedAt, asked }, broker) {
      live.feed = feedOf('ticks', broker);
      setPrice(live, {
        ...{ lastPrice: value.lastPrice, mode: value.mode, quote: value, broker },
        ...{ source: 'ticks', stale: false, receivedAt: askedAt, received: asked },
      });
    },
    polled(live, { broker, dated, quote }) {
      live.feed = feedOf('polling', broker);
      // A tick of a moment ago is newer, also where its ticker has been silent since.
      const { price } = live;
      const isNewer = price !== null && dated.asked > price.received;
      const isAsNew = price !== null && price.stale && dated.asked === price.received;
      if (price !== null && !isNewer && !isAsNew) return tell(live);
      setPrice(live, {
        ...{ lastPrice: dated.value.lastPrice, quote, broker, source: 'polling' },
        // An answer to a request for quotes has all figures.
        mode: quote === null ? 'ltp' : 'full',
        stale: clock.elapsed() - dated.asked > STALE_MS,
        ...{ receivedAt: dated.askedAt, received: dated.asked },
      });
    },
    markSilent(live) {
      if (live.price) setPrice(live, { ...live.price, stale: true });
    },
    markIfOld(live) {
      const { price } = live;
      if (!price || price.stale || clock.elapsed() - price.received <= STALE_MS) return;
      setPrice(live, { ...price, stale: true });
    },
  };
}

/** One object for each source and broker, so that readers can compare them. */
function sharedFeeds(): (source: FeedSource, broker: BrokerId | null) => Feed {
  const feeds = new Map<string, Feed>();
  return (source, broker) => {
    const key = `${source} ${broker ?? ''}`;
    const feed = feeds.get(key) ?? { source, broker };
    feeds.set(key, feed);
    return feed;
  };
}
