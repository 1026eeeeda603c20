import type { BrokerId } from '../domain/broker.ts';
import {
  type BrokerInstruments,
  type Instrument,
  type InstrumentLookup,
  plainSymbolOf,
} from '../domain/instrument.ts';
import { istDay } from '../domain/ist.ts';
import type { InstrumentSource } from '../domain/ports.ts';
import { atOnce, type Chunked, inChunks } from '../platform/chunks.ts';
import { type Clock, type Scheduler, sleep } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import { type Clashes, joinMasters, type Master } from './join.ts';
import type { KeptLists } from './kept-lists.ts';
import { createListIndex, type ListIndex, type OwnRefusal } from './list-index.ts';
import { listingOf } from './plain-symbols.ts';
import type { ListState } from './source-list.ts';
import type { InstrumentQuery, SearchPage, SearchPlace } from './search.ts';
import {
  createInstrumentLists,
  type InstrumentLists,
  type SourceState,
} from './instrument-lists.ts';

export interface InstrumentDirectory extends InstrumentLookup {
  /**
   * Loads the lists, and those of today where they are available soon. Resolves also when a source
   * could not be read; never waits long while there is a list to use.
   */
  ensureLoaded(): Promise<void>;
  /**
   * By name, by exchange and security id, or by the symbol alone where that is one instrument's; null when no
   * list has it, or it has expired.
   */
  resolve(text: string): Instrument | null;
  /** What has the symbol that a text without an exchange is; none for any other text. */
  listings(text: string): readonly Instrument[];
  /** Best match first; without expired contracts. */
  search(query: InstrumentQuery): SearchPage;
  size(): number;
  /** The instruments as one broker's own lists have them. */
  ofBroker(broker: BrokerId): BrokerInstruments;
  /**
   * Why no order for the instrument may go to this broker; null where one may, as at a broker
   * without lists.
   */
  refusal(broker: BrokerId, instrument: Instrument): OwnRefusal | null;
  /** The state of each broker's lists, in the order of the sources. */
  lists(): readonly SourceState[];
  /** After this, no list that is still being read is used or written. */
  stop(): void;
}

export type { InstrumentQuery, ListState, SearchPage, SearchPlace, SourceState };

export interface DirectoryParts {
  readonly sources: readonly InstrumentSource[];
  /** Why a source cannot be read now; null when it can. */
  readonly blocked: (source: InstrumentSource) => string | null;
  /** Null keeps nothing on disk. */
  readonly kept: KeptLists | null;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** The longest wait for a newer list while there is a usable one. */
const WAIT_MS = 3_000;

/**
 * All brokers' lists as one: read from disk at the start, and from the brokers when they are due.
 */
export function createInstrumentDirectory(parts: DirectoryParts): InstrumentDirectory {
  const { clock, scheduler, log } = parts;
  const sources = parts.sources.map((source) =>
    createInstrumentLists({ ...parts, source, onNewLists: rebuild }),
  );
  const today = (): string => istDay(clock.now());
  const hasLists = (broker: BrokerId): boolean =>
    parts.sources.some((source) => source.broker === broker);
  let building: Promise<void> | null = null;
  let isStale = false;
  let stopped = false;
  let index = firstIndex();

  /**
   * The index of the lists on disk. It is built at once, because no order waits during the start.
   */
  function firstIndex(): ListIndex {
    try {
      return atOnce(indexOf(mastersOf(sources), today(), tellClashes));
    } catch (error) {
      tellFailure(error);
      for (const source of sources) source.forget();
      return atOnce(indexOf([], today(), tellClashes));
    }
  }

  /** Builds one index at a time: a list that arrives meanwhile goes into the next one. */
  function rebuild(): Promise<void> {
    isStale = true;
    building ??= build().finally(() => {
      building = null;
    });
    return building;
  }

  async function build(): Promise<void> {
    while (isStale && !stopped) {
      isStale = false;
      try {
        const work = indexOf(mastersOf(sources), today(), tellClashes);
        index = await inChunks(work, scheduler, () => stopped);
      } catch (error) {
        if (!stopped) tellFailure(error);
      }
    }
  }

  function tellFailure(error: unknown): void {
    const reason = messageOf(error);
    log.error('the instrument lists could not be joined', { reason });
  }

  function tellClashes(clashes: Clashes): void {
    for (const [kind, { count, example }] of Object.entries(clashes)) {
      if (count === 0) continue;
      log.warn('the instrument lists do not agree', { kind, count, instrument: example });
    }
  }

  return {
    async ensureLoaded() {
      if (stopped) return;
      if (sources.filter((source) => source.forgetTooOld()).length > 0) void rebuild();
      for (const source of sources) source.loadIfDue();
      // Without any list, callers wait for the first one, however long it takes.
      while (index.size === 0) {
        const underWay = sources.flatMap((source) => source.loading()?.done ?? []);
        if (underWay.length === 0) return;
        await Promise.race(underWay);
      }
      const waited = sources
        .flatMap((source) => source.loading() ?? [])
        .filter((loading) => loading.isWorthWaiting);
      if (waited.length === 0) return;
      const begun = Math.min(...waited.map((loading) => loading.begun));
      await within(scheduler, begun + WAIT_MS - clock.elapsed(), waited);
    },
    byName: (name) => index.byName(name),
    bySecurityId: (exchange, securityId, segment) =>
      index.bySecurityId(exchange, securityId, segment, today()),
    ...lookUps(() => index, sources, today),
    search: (query) => index.search(query, today()),
    size: () => index.size,
    ofBroker: (broker) => ({
      byName: (name) => index.byName(name),
      bySecurityId: (exchange, securityId, segment) =>
        index.ofBroker(broker).bySecurityId(exchange, securityId, segment, today()),
      own: (instrument) => index.ofBroker(broker).own(instrument),
    }),
    refusal: (broker, instrument) =>
      hasLists(broker) ? index.ofBroker(broker).refusal(instrument) : null,
    lists: () => sources.map((source) => source.state()),
    stop() {
      stopped = true;
      for (const source of sources) source.stop();
    },
  };
}

/** Look-ups of what callers write. */
function lookUps(
  index: () => ListIndex,
  sources: readonly InstrumentLists[],
  today: () => string,
): Pick<InstrumentDirectory, 'resolve' | 'listings'> {
  const areListsWhole = (): boolean =>
    sources.every((source) => source.state().lists.every(({ count }) => count > 0));
  return {
    resolve(text) {
      const symbol = plainSymbolOf(text);
      if (symbol === null) return index().resolve(text, today());
      return listingOf(index().listings(symbol, today()), areListsWhole());
    },
    listings(text) {
      const symbol = plainSymbolOf(text);
      return symbol === null ? [] : index().listings(symbol, today());
    },
  };
}

function mastersOf(sources: readonly InstrumentLists[]): readonly Master[] {
  return sources.flatMap((source) => source.masters());
}

function* indexOf(
  masters: readonly Master[],
  today: string,
  tell: (clashes: Clashes) => void,
): Chunked<ListIndex> {
  const joined = yield* joinMasters(masters, today);
  tell(joined.clashes);
  return yield* createListIndex(joined);
}

/** Resolves when all the lists are loaded, or after `ms`. */
async function within(
  scheduler: Scheduler,
  ms: number,
  waited: readonly { readonly done: Promise<void> }[],
): Promise<void> {
  if (ms <= 0) return;
  const done = new AbortController();
  await Promise.race([
    Promise.all(waited.map((loading) => loading.done)),
    sleep(scheduler, ms, done.signal),
  ]);
  done.abort();
}
