import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { TickMode } from '../../domain/tick.ts';
import type { PriceMessage } from './live-price.ts';
import { createLiveInstruments } from './live-instruments.ts';
import { createReaderState } from './price-reader.ts';
import type { PriceHubParts } from './price-sources.ts';

/**
 * Prices as they come, for many readers (docs/streaming.md). Each instrument is subscribed to once at the broker,
 * however many want it; what its ticks do not carry is polled in rounds that leave places of the rate limit for other callers.
 */
export interface PriceHub {
  /**
   * `caller` is the key of the reader: callers share the broker's limits fairly, however many readers each has.
   * `ready` is called, after the present turn, when something is there to take, and not again before
   * the reader has taken everything.
   */
  enter(caller: string, ready: () => void): PriceReader;
  stop(): void;
}

export interface PriceReader {
  /**
   * Wants an instrument from now on, or in another mode than before: its next price comes as a snapshot.
   * False where the key of this reader has as many as it may have (MOST_OF_CALLER).
   */
  want(instrument: Instrument, mode: TickMode): boolean;
  /** False where it was not wanted. */
  unwant(name: InstrumentName): boolean;
  names(): readonly InstrumentName[];
  /** What is new, of at most `most` instruments; empty when nothing is. */
  take(most: number): readonly PriceMessage[];
  leave(): void;
}

/** Instruments of all readers of one caller together: as many as one connection of Kite's ticker carries. */
export const MOST_OF_CALLER = 3_000;
/** So long readers are told of what is new before other work goes between, ms. */
const TELL_MS = 2;

export function createPriceHub(parts: PriceHubParts): PriceHub {
  const { clock, scheduler } = parts;
  const lives = createLiveInstruments(parts);
  const counts = new Map<string, number>();
  const waiting = new Set<() => void>();
  let isPlanned = false;

  function plan(): void {
    if (isPlanned || waiting.size === 0) return;
    isPlanned = true;
    scheduler.endOfTurn(tell);
  }

  function tell(): void {
    isPlanned = false;
    const until = clock.elapsed() + TELL_MS;
    for (const ready of waiting) {
      waiting.delete(ready);
      ready();
      if (clock.elapsed() > until) break;
    }
    plan();
  }

  function count(caller: string, by: 1 | -1): void {
    const next = (counts.get(caller) ?? 0) + by;
    if (next > 0) counts.set(caller, next);
    else counts.delete(caller);
  }

  function enter(caller: string, onReady: () => void): PriceReader {
    const ready = (): void => onReady();
    const state = createReaderState(() => {
      waiting.add(ready);
      plan();
    });
    let hasLeft = false;

    function unwant(name: InstrumentName): boolean {
      const want = state.get(name);
      if (!want) return false;
      state.remove(name);
      lives.remove(want, caller);
      count(caller, -1);
      return true;
    }

    return {
      want(instrument, mode) {
        if (hasLeft) return false;
        const before = state.get(instrument.name);
        if (before?.mode === mode) return true;
        if (!before && (counts.get(caller) ?? 0) >= MOST_OF_CALLER) return false;
        const live = lives.of(instrument);
        const want = state.add(live, mode);
        lives.add(want, caller);
        if (before) lives.remove(before, caller);
        else count(caller, 1);
        return true;
      },
      unwant,
      names: () => [...state.names()],
      take: state.take,
      leave() {
        hasLeft = true;
        for (const name of [...state.names()]) unwant(name);
        waiting.delete(ready);
      },
    };
  }

  return { enter, stop: lives.stop };
}
