import {
  type Instrument,
  type InstrumentLookup,
  instrumentName,
  type InstrumentName,
  parentExchange,
  parseInstrumentReference,
  type Segment,
} from '../domain/instrument.ts';
import { istDay } from '../domain/ist.ts';
import type { InstrumentSource } from '../domain/ports.ts';
import { atOnce, type Chunked, inChunks } from '../platform/chunks.ts';
import { type Clock, type Scheduler, sleep } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import { indexKey } from './names.ts';
import { type Clashes, type Joined, joinMasters, type Master } from './join.ts';
import type { KeptLists } from './kept-lists.ts';
import type { ListState } from './source-list.ts';
import { createSearch, type InstrumentQuery, type Search } from './search.ts';
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
  const sources = parts.sources.map((source) =>
    createInstrumentLists({ ...parts, source, onNewLists: rebuild }),
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
    resolve: (text) => index.resolve(text, today()),
    search: (query) => index.search(query, today()),
    size: () => index.size,
    lists: () => sources.map((source) => source.state()),
    stop() {
      stopped = true;
      for (const source of sources) source.stop();
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

/**
 * The joined list, for look-ups. `today` is the IST day: contracts that expired before are not
 * found.
 */
export interface ListIndex {
  readonly size: number;
  /** By canonical name, or by the other list's name; expired or not. */
  byName(name: InstrumentName): Instrument | null;
  bySecurityId(
    exchange: string,
    securityId: string,
    segment: Segment | undefined,
    today: string,
  ): Instrument | null;
  /** By name or by exchange and security id; null when no list has it. */
  resolve(text: string, today: string): Instrument | null;
  readonly search: Search;
}

const INSTRUMENTS_A_SLICE = 2_000;
const SEGMENTS: readonly Segment[] = ['EQUITY', 'DERIVATIVE', 'INDEX'];
/** How the primary brokerage writes the exchange of an index. */
const INDEX_EXCHANGES = new Map([
  ['NIDX', 'NSE'],
  ['BIDX', 'BSE'],
]);

export const isExpired = ({ expiry }: Instrument, today: string): boolean =>
  expiry !== null && expiry < today;

export function* createListIndex({ instruments, aliases }: Joined): Chunked<ListIndex> {
  const byName = new Map<InstrumentName, Instrument>();
  /**
   * By exchange and segment, then by id; the keys are the instruments' own strings, to save memory.
   */
  const bySecurity = new Map<string, Map<string, Instrument>>();
  const indices = new Map<string, Instrument>();
  for (const [place, instrument] of instruments.entries()) {
    const { name, exchange, tradingSymbol, segment, securityId } = instrument;
    byName.set(name, instrument);
    if (securityId !== null) {
      const group = groupOf(exchange, segment);
      let ids = bySecurity.get(group);
      if (!ids) bySecurity.set(group, (ids = new Map()));
      ids.set(securityId, instrument);
    }
    if (segment === 'INDEX') indices.set(`${exchange}|${indexKey(tradingSymbol)}`, instrument);
    if ((place + 1) % INSTRUMENTS_A_SLICE === 0) yield;
  }
  const search = yield* createSearch(instruments);

  const named = (name: InstrumentName): Instrument | null =>
    byName.get(name) ?? aliases.get(name) ?? null;

  function bySecurityId(
    exchange: string,
    securityId: string,
    segment: Segment | undefined,
    today: string,
  ): Instrument | null {
    for (const each of segment ? [segment] : SEGMENTS) {
      const found = bySecurity.get(groupOf(exchange, each))?.get(securityId);
      // The exchange gives the id of an expired contract to another one.
      if (found && !isExpired(found, today)) return found;
    }
    return null;
  }

  function byText(text: string, today: string): Instrument | null {
    const reference = parseInstrumentReference(text);
    if (!reference) return null;
    const { exchange } = reference;
    if (reference.kind === 'name') {
      const { tradingSymbol } = reference;
      const index = indices.get(`${exchange}|${indexKey(tradingSymbol)}`) ?? null;
      return named(instrumentName(exchange, tradingSymbol)) ?? index;
    }
    const { securityId } = reference;
    const ofIndex = INDEX_EXCHANGES.get(exchange);
    if (ofIndex !== undefined) return bySecurityId(ofIndex, securityId, 'INDEX', today);
    // An id under NFO means a derivative, also when a share of NSE has the same id.
    const segment = parentExchange(exchange) === exchange ? undefined : 'DERIVATIVE';
    return bySecurityId(exchange, securityId, segment, today);
  }

  const unexpired = (found: Instrument | null, today: string): Instrument | null =>
    found === null || isExpired(found, today) ? null : found;

  return {
    size: instruments.length,
    byName: named,
    bySecurityId,
    resolve: (text, today) => unexpired(byText(text, today), today),
    search,
  };
}

const groupOf = (exchange: string, segment: Segment): string =>
  `${parentExchange(exchange)}|${segment}`;
