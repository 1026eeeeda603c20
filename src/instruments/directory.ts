import type { Instrument, InstrumentLookup } from '../domain/instrument.ts';
import { istDay } from '../domain/ist.ts';
import type { InstrumentSource } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { sleep, type Scheduler } from '../platform/scheduler.ts';
import { atOnce, inChunks, type Chunked } from '../platform/chunks.ts';
import { messageOf } from '../platform/thrown.ts';
import { joinMasters, type Clashes, type Master } from './join.ts';
import type { KeptLists } from './kept-lists.ts';
import { createListIndex, type ListIndex } from './list-index.ts';
import type { ListState } from './list-keeper.ts';
import type { InstrumentQuery } from './search.ts';
import { createSourceKeeper, type SourceKeeper, type SourceState } from './source-keeper.ts';

export interface InstrumentDirectory extends InstrumentLookup {
  /**
   * Loads the lists, and those of today where they are available soon. Resolves also when a source
   * could not be read; never waits long while there is a list to use.
   */
  ensureLoaded(): Promise<void>;
  /** By name or by exchange and security id; null when no list has it, or it has expired. */
  resolve(text: string): Instrument | null;
  /** Best match first; without expired contracts. */
  search(query: InstrumentQuery): Instrument[];
  size(): number;
  /** The state of each broker's lists, in the order of the sources. */
  lists(): readonly SourceState[];
  /** After this, no list that is still being read is used or written. */
  stop(): void;
}

export type { InstrumentQuery, ListState, SourceState };

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
  const keepers = parts.sources.map((source) =>
    createSourceKeeper({ ...parts, source, onNewLists: rebuild }),
  );
  const today = (): string => istDay(clock.now());
  let building: Promise<void> | null = null;
  let isStale = false;
  let stopped = false;
  let index = firstIndex();

  /**
   * The index of the lists on disk. It is built at once, because no order waits during the start.
   */
  function firstIndex(): ListIndex {
    try {
      return atOnce(indexOf(mastersOf(keepers), today(), tellClashes));
    } catch (error) {
      tellFailure(error);
      for (const keeper of keepers) keeper.forget();
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
        const work = indexOf(mastersOf(keepers), today(), tellClashes);
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
      if (keepers.filter((keeper) => keeper.forgetTooOld()).length > 0) void rebuild();
      for (const keeper of keepers) keeper.loadIfDue();
      // Without any list, callers wait for the first one, however long it takes.
      while (index.size === 0) {
        const underWay = keepers.flatMap((keeper) => keeper.loading()?.done ?? []);
        if (underWay.length === 0) return;
        await Promise.race(underWay);
      }
      const waited = keepers
        .flatMap((keeper) => keeper.loading() ?? [])
        .filter((loading) => loading.isWorthWaiting);
      if (waited.length === 0) return;
      const begun = Math.min(...waited.map((loading) => loading.begun));
      const all = Promise.all(waited.map((loading) => loading.done));
      await within(scheduler, begun + WAIT_MS - clock.elapsed(), all);
    },
    byName: (name) => index.byName(name),
    bySecurityId: (exchange, securityId, segment) =>
      index.bySecurityId(exchange, securityId, segment, today()),
    resolve: (text) => index.resolve(text, today()),
    search: (query) => index.search(query, today()),
    size: () => index.size,
    lists: () => keepers.map((keeper) => keeper.state()),
    stop() {
      stopped = true;
      for (const keeper of keepers) keeper.stop();
    },
  };
}

function mastersOf(keepers: readonly SourceKeeper[]): readonly Master[] {
  return keepers.flatMap((keeper) => keeper.masters());
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

/** Resolves when `work` does, or after `ms`. */
async function within(scheduler: Scheduler, ms: number, work: Promise<unknown>): Promise<void> {
  if (ms <= 0) return;
  const done = new AbortController();
  await Promise.race([work, sleep(scheduler, ms, done.signal)]);
  done.abort();
}
