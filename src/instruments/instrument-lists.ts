import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentSource } from '../domain/ports.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Master } from './join.ts';
import type { KeptLists } from './kept-lists.ts';
import { createSourceList, type SourceList, type ListState } from './source-list.ts';
import { earlier, type ElapsedMs, type EpochMs } from '../units/branded.ts';

/** The state of a broker's lists, together and each by itself. */
export interface SourceState {
  readonly broker: BrokerId;
  /** Instruments in all lists in use; 0 when there is none. */
  readonly count: number;
  /** Epoch ms at which the oldest list in use was requested; null when there is none. */
  readonly fetchedAt: EpochMs | null;
  /** Whether one of the lists in use must be read again. */
  readonly outdated: boolean;
  /** Why the last attempts failed, with the list's name where there are several; null for none. */
  readonly problem: string | null;
  readonly lists: readonly ListState[];
}

export interface Loading {
  /** Elapsed ms. */
  readonly begun: ElapsedMs;
  /** Whether it may give a missing list of today; false after a failed attempt for it. */
  readonly isWorthWaiting: boolean;
  /** Resolves once each list is in use, or has failed. Never rejects. */
  readonly done: Promise<void>;
}

/** One broker's lists. When one fails, the others and its own last edition stay in use. */
export interface InstrumentLists {
  state(): SourceState;
  /** The lists in use. */
  masters(): readonly Master[];
  /** The load in progress. */
  loading(): Loading | null;
  /** Reads the lists that are due, and no others. */
  loadIfDue(): void;
  /** Drops lists that are more than a week old; true when it did. */
  forgetTooOld(): boolean;
  /** Drops the lists, whatever their age, so that they are loaded again. */
  forget(): void;
  stop(): void;
}

export interface InstrumentListsParts {
  readonly source: InstrumentSource;
  readonly blocked: (source: InstrumentSource) => string | null;
  readonly kept: KeptLists | null;
  /** Resolves once the new lists are in use. */
  readonly onNewLists: () => Promise<void>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

export function createInstrumentLists(parts: InstrumentListsParts): InstrumentLists {
  const { source, kept, clock } = parts;
  const { broker } = source;
  const found = kept?.read(broker, source.lists);
  const lists = source.lists.map((list) =>
    createSourceList({
      ...parts,
      broker,
      list,
      freshForMs: source.freshForMs ?? null,
      found: found?.get(list.name) ?? null,
      keep: (held) =>
        kept?.write({ broker, name: source.lists.length === 1 ? null : list.name }, held),
    }),
  );
  let loading: Loading | null = null;
  let stopped = false;

  /**
   * Reads one after the other, because each is megabytes of text, and joins them once at the end.
   */
  async function load(due: readonly SourceList[]): Promise<void> {
    const takes: (() => boolean)[] = [];
    for (const list of due) {
      if (stopped) return;
      const next = await list.load();
      if (next) takes.push(() => list.take(next));
    }
    if (stopped) return;
    // Calls every list; `some` would stop at the first.
    const changed = takes.filter((take) => take());
    if (changed.length > 0) await parts.onNewLists();
  }

  return {
    state: () =>
      stateOf(
        broker,
        lists.map((each) => each.state()),
      ),
    masters: () => lists.flatMap((list) => list.master() ?? []),
    loading: () => loading,
    loadIfDue() {
      if (loading || stopped || parts.blocked(source) !== null) return;
      const due = lists.filter((list) => list.isDue());
      if (due.length === 0) return;
      loading = {
        begun: clock.elapsed(),
        isWorthWaiting: due.some((list) => list.isWorthWaiting()),
        done: load(due).finally(() => {
          loading = null;
        }),
      };
    },
    // Asks every list; `some` would stop at the first.
    forgetTooOld: () => lists.filter((list) => list.forgetTooOld()).length > 0,
    forget() {
      for (const list of lists) list.forget();
    },
    stop() {
      stopped = true;
      for (const list of lists) list.stop();
    },
  };
}

function stateOf(broker: BrokerId, lists: readonly ListState[]): SourceState {
  const times = lists.flatMap(({ fetchedAt }) => fetchedAt ?? []);
  const problems = lists.flatMap(({ name, problem }) => {
    if (problem === null) return [];
    return lists.length === 1 ? problem : `${name}: ${problem}`;
  });
  return {
    broker,
    count: lists.reduce((sum, { count }) => sum + count, 0),
    fetchedAt: times.length === 0 ? null : times.reduce(earlier),
    outdated: lists.some(({ outdated }) => outdated),
    problem: problems.length === 0 ? null : problems.join('; '),
    lists,
  };
}
