import { hasOtherIds, type Instrument, type InstrumentName } from '../domain/instrument.ts';
import { isRicher, type Tick, type TickFeed, type TickMode } from '../domain/tick.ts';
import type { Clock } from '../platform/clock.ts';
import type { Dated } from './quote-cache.ts';

export type TickListener = (tick: Tick) => void;

/**
 * One broker's ticks, shared: each instrument is subscribed to once, in the richest mode that a
 * listener needs.
 */
export interface TickSubscriptions {
  /** The last tick, with the time of its arrival; null before the first one of the subscription. */
  last(instrument: InstrumentName): Dated<Tick> | null;
  /** See TickFeed: whether the last tick of an instrument that is subscribed to is the price of now. */
  isLive(instrument: Instrument): boolean;
  onLive(listener: () => void): () => void;
  /**
   * Calls the listener with each tick until the returned function is called. Ticks may be richer
   * than `mode`. Throws a BrokerError `not_sent`, and subscribes to nothing, when the broker cannot
   * send one of the instruments.
   */
  subscribe(instruments: readonly Instrument[], mode: TickMode, listener: TickListener): () => void;
}

interface Wish {
  readonly mode: TickMode;
  readonly listener: TickListener;
}

interface Entry {
  /** The edition of the lists that was subscribed to last. */
  instrument: Instrument;
  readonly wishes: Set<Wish>;
  /** The mode last set at the feed. */
  mode: TickMode | null;
  last: Dated<Tick> | null;
}

export function createTickSubscriptions(feed: TickFeed, clock: Clock): TickSubscriptions {
  const entries = new Map<InstrumentName, Entry>();

  feed.onTick((tick) => {
    const entry = entries.get(tick.instrument);
    if (!entry) return;
    entry.last = { value: tick, askedAt: clock.now(), asked: clock.elapsed() };
    for (const { listener } of [...entry.wishes]) listener(tick);
  });

  // A connection that is open again has sent nothing yet: what came before it is not the price of now.
  feed.onLive(() => {
    for (const entry of entries.values()) if (!feed.isLive(entry.instrument)) entry.last = null;
  });

  function add(instrument: Instrument, wish: Wish): void {
    const entry = entries.get(instrument.name) ?? {
      ...{ instrument, wishes: new Set<Wish>(), mode: null, last: null },
    };
    if (hasOtherIds(entry.instrument, instrument)) move(entry, instrument);
    if (entry.mode === null || isRicher(wish.mode, entry.mode)) {
      feed.want(instrument, wish.mode);
      entry.mode = wish.mode;
    }
    entry.wishes.add(wish);
    entries.set(instrument.name, entry);
  }

  /** The lists have the instrument under other ids: all its subscribers have its ticks under these from now on. */
  function move(entry: Entry, instrument: Instrument): void {
    const { mode } = entry;
    if (mode !== null) feed.want(entry.instrument, null);
    [entry.instrument, entry.mode, entry.last] = [instrument, null, null];
    if (mode === null) return;
    feed.want(instrument, mode);
    entry.mode = mode;
  }

  function remove(name: InstrumentName, wish: Wish): void {
    const entry = entries.get(name);
    if (!entry?.wishes.delete(wish)) return;
    const mode = richest(entry.wishes);
    if (mode === null) entries.delete(name);
    if (mode === entry.mode) return;
    entry.mode = mode;
    feed.want(entry.instrument, mode);
  }

  return {
    last: (instrument) => entries.get(instrument)?.last ?? null,
    isLive: feed.isLive.bind(feed),
    onLive: feed.onLive.bind(feed),
    subscribe(instruments, mode, listener) {
      const wish = { mode, listener };
      const names = [...new Set(instruments.map(({ name }) => name))];
      const unsubscribe = (): void => {
        for (const name of names) remove(name, wish);
      };
      try {
        for (const instrument of instruments) add(instrument, wish);
      } catch (error) {
        unsubscribe();
        throw error;
      }
      return unsubscribe;
    },
  };
}

function richest(wishes: ReadonlySet<Wish>): TickMode | null {
  let found: TickMode | null = null;
  for (const { mode } of wishes) if (found === null || isRicher(mode, found)) found = mode;
  return found;
}
