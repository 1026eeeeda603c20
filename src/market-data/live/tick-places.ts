import type { BrokerId } from '../../domain/broker.ts';
import { BrokerError } from '../../domain/outcome.ts';
import { isRicher, type Tick, type TickMode } from '../../domain/tick.ts';
import type { TickSubscriptions } from '../tick-subscriptions.ts';
import type { LiveInstrument } from './live-price.ts';

export interface TickSource {
  readonly broker: BrokerId;
  readonly ticks: TickSubscriptions;
}

/**
 * Which instruments have a place at a broker's ticker. The broker limits the places; where they do not
 * suffice, callers have the same number each, or all that they want where that is less. What has no place is polled.
 */
export interface TickPlaces {
  /** Takes a place, or the mode that is wanted now. False where there is none for it. */
  take(live: LiveInstrument): boolean;
  release(live: LiveInstrument): void;
  /** Where its ticks come from; null without a place. */
  sourceOf(live: LiveInstrument): TickSource | null;
  /** Those with a place. */
  all(): Iterable<LiveInstrument>;
  /** A caller has begun or ceased to want an instrument that has a place. */
  recount(live: LiveInstrument, caller: string): void;
  /** Gives places to those that wait for one, the caller with the fewest first. */
  offer(): void;
}

export interface TickPlacesParts {
  /** Those with ticks, in the order of the market-data route. */
  readonly sources: () => readonly TickSource[];
  readonly onTick: (live: LiveInstrument, tick: Tick, broker: BrokerId) => void;
  /** Another caller has its place now. */
  readonly onTaken: (live: LiveInstrument) => void;
}

interface Place {
  readonly source: TickSource;
  readonly mode: TickMode;
  readonly leave: () => void;
}

/** `full`: the broker has no further place. `unknown`: no broker has ticks of it. */
type Refusal = 'full' | 'unknown';

/** So many are offered a place at once: orders go between. */
const OFFERS = 200;

export function createTickPlaces(parts: TickPlacesParts): TickPlaces {
  const places = new Map<LiveInstrument, Place>();
  const waiting = new Set<LiveInstrument>();
  /** Instruments with a place, by caller: one that several callers want counts for each. */
  const held = new Map<string, Set<LiveInstrument>>();

  const countOf = (caller: string): number => held.get(caller)?.size ?? 0;
  /** An instrument of several callers counts as that of the one who has the fewest. */
  const fewest = (live: LiveInstrument): number =>
    Math.min(...[...live.callers.keys()].map(countOf));

  function subscribe(live: LiveInstrument): Place | Refusal {
    let refusal: Refusal = 'unknown';
    for (const source of parts.sources()) {
      try {
        const onTick = (tick: Tick): void => {
          // The first ticks after a change of the mode can be of the mode before.
          if (!isRicher(live.mode, tick.mode)) parts.onTick(live, tick, source.broker);
        };
        const leave = source.ticks.subscribe([live.instrument], live.mode, onTick);
        return { source, mode: live.mode, leave };
      } catch (error) {
        if (!(error instanceof BrokerError)) throw error;
        const { failure } = error;
        if (failure.kind === 'not_sent' && failure.reason === 'no_permit') refusal = 'full';
      }
    }
    return refusal;
  }

  function hold(live: LiveInstrument, place: Place): void {
    places.set(live, place);
    waiting.delete(live);
    for (const caller of live.callers.keys()) {
      held.set(caller, (held.get(caller) ?? new Set()).add(live));
    }
  }

  function free(live: LiveInstrument): void {
    places.get(live)?.leave();
    places.delete(live);
    for (const caller of live.callers.keys()) uncount(live, caller);
  }

  function uncount(live: LiveInstrument, caller: string): void {
    const own = held.get(caller);
    if (own?.delete(live) && own.size === 0) held.delete(caller);
  }

  /** Frees the place of a caller who has at least two more than `than`; false where nobody has. */
  function freeOneOfMany(than: number): boolean {
    let most: ReadonlySet<LiveInstrument> | null = null;
    for (const own of held.values()) if (own.size > (most?.size ?? than + 1)) most = own;
    for (const live of most ?? []) {
      // One that a caller with few places wants stays.
      if (fewest(live) <= than + 1) continue;
      free(live);
      waiting.add(live);
      parts.onTaken(live);
      return true;
    }
    return false;
  }

  function take(live: LiveInstrument): boolean {
    const before = places.get(live);
    if (before?.mode === live.mode) return true;
    let found = subscribe(live);
    if (found === 'full' && freeOneOfMany(fewest(live))) found = subscribe(live);
    if (typeof found === 'string') {
      // A place that it has stays, in its old mode.
      if (found === 'full' && !before) waiting.add(live);
      return before !== undefined;
    }
    before?.leave();
    hold(live, found);
    return true;
  }

  return {
    take,
    release(live) {
      waiting.delete(live);
      if (places.has(live)) free(live);
    },
    sourceOf: (live) => places.get(live)?.source ?? null,
    all: () => places.keys(),
    recount(live, caller) {
      if (!places.has(live)) return;
      if (live.callers.has(caller)) held.set(caller, (held.get(caller) ?? new Set()).add(live));
      else uncount(live, caller);
    },
    offer() {
      const byNeed = [...waiting].map((live) => ({ live, count: fewest(live) }));
      byNeed.sort((a, b) => a.count - b.count);
      for (const { live } of byNeed.slice(0, OFFERS)) if (!take(live)) return;
    },
  };
}
