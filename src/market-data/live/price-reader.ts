import type { InstrumentName } from '../../domain/instrument.ts';
import { isRicher, type TickMode } from '../../domain/tick.ts';
import type {
  Feed,
  LiveInstrument,
  LivePrice,
  PriceMessage,
  ToldPrice,
  Want,
} from './live-price.ts';

/** What a reader has been told of one instrument. */
interface Told extends Want {
  price: LivePrice | null;
  feed: Feed | null;
}

/** One reader's instruments, and which of them have something new. */
export interface ReaderState {
  get(name: InstrumentName): Want | undefined;
  readonly names: () => Iterable<InstrumentName>;
  readonly size: () => number;
  add(live: LiveInstrument, mode: TickMode): Want;
  remove(name: InstrumentName): void;
  take(most: number): readonly PriceMessage[];
}

/**
 * Keeps no queue: an instrument is new or not, and what is told is its latest price. So a reader that takes
 * nothing for long costs no more memory, and is told the price of now when it goes on. Those that have been new
 * for longest are told first.
 */
export function createReaderState(onNew: () => void): ReaderState {
  const wants = new Map<InstrumentName, Told>();
  const fresh = new Set<Told>();
  let seq = 0;

  function note(told: Told): void {
    const wasEmpty = fresh.size === 0;
    fresh.add(told);
    if (wasEmpty) onNew();
  }

  return {
    get: (name) => wants.get(name),
    names: () => wants.keys(),
    size: () => wants.size,
    add(live, mode) {
      const before = wants.get(live.instrument.name);
      if (before) fresh.delete(before);
      const told: Told = { live, mode, price: null, feed: null, note: () => note(told) };
      wants.set(live.instrument.name, told);
      if (live.price !== null || live.feed !== null) note(told);
      return told;
    },
    remove(name) {
      const told = wants.get(name);
      if (told) fresh.delete(told);
      wants.delete(name);
    },
    take(most) {
      const feeds = new Map<Feed, InstrumentName[]>();
      const snapshot: ToldPrice[] = [];
      const ticks: ToldPrice[] = [];
      let count = 0;
      for (const told of fresh) {
        if ((count += 1) > most) break;
        fresh.delete(told);
        const { feed, price, instrument } = told.live;
        if (feed !== null && feed !== told.feed) {
          const names = feeds.get(feed) ?? [];
          names.push(instrument.name);
          feeds.set(feed, names);
          told.feed = feed;
        }
        if (price === null || price === told.price || isRicher(told.mode, price.mode)) continue;
        (told.price === null ? snapshot : ticks).push({ price, mode: told.mode });
        told.price = price;
      }
      const messages: PriceMessage[] = [];
      for (const [feed, instruments] of feeds) {
        messages.push({ type: 'feed', seq: (seq += 1), feed, instruments });
      }
      if (snapshot.length > 0)
        messages.push({ type: 'snapshot', seq: (seq += 1), prices: snapshot });
      if (ticks.length > 0) messages.push({ type: 'ticks', seq: (seq += 1), prices: ticks });
      return messages;
    },
  };
}
