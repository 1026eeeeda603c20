import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import { isRicher, type Tick, type TickMode } from '../../domain/tick.ts';
import { messageOf } from '../../platform/values.ts';
import type { Dated } from '../quote-cache.ts';
import { createListWatch } from './list-watch.ts';
import type { LiveInstrument, Want } from './live-price.ts';
import { createLiveStates, STALE_MS } from './live-states.ts';
import { createPolling } from './polling.ts';
import type { PriceHubParts } from './price-sources.ts';
import { createTickPlaces } from './tick-places.ts';

/** What readers want, each instrument once, with its latest price and where that comes from. */
export interface LiveInstruments {
  of(instrument: Instrument): LiveInstrument;
  add(want: Want, caller: string): void;
  remove(want: Want, caller: string): void;
  stop(): void;
}

/** A new subscription at a live ticker sends its first tick within this time; otherwise it is polled. */
export const FIRST_TICK_MS = 500;

export function createLiveInstruments(parts: PriceHubParts): LiveInstruments {
  const lives = new Map<InstrumentName, LiveInstrument>();
  const isWanted = (live: LiveInstrument): boolean => lives.get(live.instrument.name) === live;
  const sourcing = createSourcing(parts, isWanted);
  const { places, polling } = sourcing;
  const listWatch = createListWatch({
    ...{ clock: parts.clock, scheduler: parts.scheduler, lookUp: parts.lookUp, isWanted },
    ...{ all: () => lives.values(), onExpired: sourcing.end, onBack: sourcing.resume },
    onOther(live, now) {
      sourcing.release(live);
      live.instrument = now;
      sourcing.follow(live);
    },
  });

  function recount(live: LiveInstrument, caller: string): void {
    places.recount(live, caller);
    polling.recount(live, caller);
  }

  return {
    stop() {
      polling.stop();
      listWatch.stop();
    },
    of(instrument) {
      const known = lives.get(instrument.name);
      if (known) return known;
      const live: LiveInstrument = {
        ...{ instrument, wants: new Set<Want>(), callers: new Map<string, number>() },
        ...{ mode: 'ltp', price: null, feed: null, isCarried: false, isOver: false },
      };
      lives.set(instrument.name, live);
      listWatch.begin();
      return live;
    },
    add(want, caller) {
      const { live, mode } = want;
      const isFirst = live.wants.size === 0;
      live.wants.add(want);
      live.callers.set(caller, (live.callers.get(caller) ?? 0) + 1);
      recount(live, caller);
      if (!isFirst && !isRicher(mode, live.mode)) return;
      live.mode = mode;
      sourcing.follow(live);
    },
    remove(want, caller) {
      const { live } = want;
      live.wants.delete(want);
      if (live.wants.size === 0) {
        places.release(live);
        polling.remove(live);
        lives.delete(live.instrument.name);
        return;
      }
      const left = (live.callers.get(caller) ?? 1) - 1;
      if (left > 0) live.callers.set(caller, left);
      else live.callers.delete(caller);
      recount(live, caller);
      const mode = richest(live.wants);
      if (mode === live.mode) return;
      live.mode = mode;
      if (!live.isOver) places.take(live);
    },
  };
}

function richest(wants: ReadonlySet<Want>): TickMode {
  let found: TickMode = 'ltp';
  for (const { mode } of wants) if (isRicher(mode, found)) found = mode;
  return found;
}

/** From where each instrument has its price: ticks where they carry it, and rounds of polling otherwise. */
function createSourcing(parts: PriceHubParts, isWanted: (live: LiveInstrument) => boolean) {
  const { clock, scheduler } = parts;
  const states = createLiveStates(clock);
  const openSources = () => parts.sources().filter(({ broker }) => parts.isOpen(broker));

  const places = createTickPlaces({
    sources: () =>
      parts.sources().flatMap(({ broker, ticks }) => (ticks === null ? [] : { broker, ticks })),
    onTick: (live, tick, broker) =>
      heard(live, { value: tick, askedAt: clock.now(), asked: clock.elapsed() }, broker),
    onTaken: lose,
  });
  const polling = createPolling({
    ...parts,
    caches: () => openSources().map(({ cache }) => cache),
    onPrice: states.polled,
    onNone: (live, broker) => states.setFeed(live, 'none', broker),
    onUnexpected: (error) =>
      parts.log.error('a round of polled prices failed', { reason: messageOf(error) }),
    onBeat() {
      for (const live of polling.all()) states.markIfOld(live);
      places.offer();
    },
  });
  const isLive = (live: LiveInstrument): boolean =>
    places.sourceOf(live)?.ticks.isLive(live.instrument) ?? false;

  function heard(live: LiveInstrument, tick: Dated<Tick>, broker: BrokerId): void {
    // Nothing has been traded yet: a read from the broker may give more.
    if (tick.value.lastPrice <= 0) return;
    if (!live.isCarried) polling.remove(live);
    live.isCarried = true;
    states.ticked(live, tick, broker);
  }

  function lose(live: LiveInstrument): void {
    if (live.isCarried) poll(live);
  }

  function poll(live: LiveInstrument): void {
    live.isCarried = false;
    const [first] = openSources();
    states.setFeed(live, first ? 'polling' : 'none', first?.broker ?? null);
    polling.add(live);
  }

  const watchTickers = createTickerWatch(parts, () => {
    for (const live of [...places.all()]) {
      if (!live.isCarried || isLive(live)) continue;
      states.markSilent(live);
      lose(live);
    }
  });

  /** The last tick, where it is of this mode and no older than a ticker can have been silent. */
  function usableTick(live: LiveInstrument): Dated<Tick> | null {
    const last = places.sourceOf(live)?.ticks.last(live.instrument.name) ?? null;
    if (last === null || isRicher(live.mode, last.value.mode) || !isLive(live)) return null;
    return last.asked > clock.elapsed() - STALE_MS ? last : null;
  }

  /** Subscribes to its ticks in the mode of now; it is polled until the first of them, where that is late. */
  function follow(live: LiveInstrument): void {
    if (live.isOver) return;
    watchTickers();
    const hasPlace = places.take(live);
    const source = places.sourceOf(live);
    const last = usableTick(live);
    if (source && last) return heard(live, last, source.broker);
    live.isCarried = false;
    if (polling.has(live)) return;
    if (!hasPlace || !isLive(live)) return poll(live);
    scheduler.after(FIRST_TICK_MS, () => {
      if (isWanted(live) && !live.isOver && !live.isCarried && !polling.has(live)) poll(live);
    });
  }

  /** Ends what was asked of brokers for it; its last price may not be that of now. */
  function release(live: LiveInstrument): void {
    places.release(live);
    polling.remove(live);
    live.isCarried = false;
    states.markSilent(live);
  }

  /** It has expired. */
  function end(live: LiveInstrument): void {
    release(live);
    live.isOver = true;
    states.setFeed(live, 'none', null);
  }

  /** It has not expired after all. */
  function resume(live: LiveInstrument): void {
    live.isOver = false;
    follow(live);
  }

  return { places, polling, follow, release, end, resume };
}

/** Calls `onEnd` whenever a connection of a ticker may have ended; the returned function looks for further tickers. */
function createTickerWatch(
  { sources }: Pick<PriceHubParts, 'sources'>,
  onEnd: () => void,
): () => void {
  const watched = new Set<BrokerId>();
  return () => {
    for (const { broker, ticks } of sources()) {
      if (ticks === null || watched.has(broker)) continue;
      watched.add(broker);
      ticks.onLive(onEnd);
    }
  };
}
