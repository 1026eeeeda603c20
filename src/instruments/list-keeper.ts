import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentSource } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { inSlices } from '../platform/slices.ts';
import { messageOf } from '../platform/thrown.ts';
import { editionOf, isOutdated, isTooOld } from './freshness.ts';
import type { Master } from './join.ts';
import type { HeldList, KeptLists } from './kept-lists.ts';
import { packList } from './packed-list.ts';

export interface ListState {
  readonly broker: BrokerId;
  /** 0 when there is no list. */
  readonly count: number;
  /** Epoch ms at which the list in use was asked for; null when there is none. */
  readonly fetchedAt: number | null;
  /** Whether it is due to be read again: in use, but of an earlier day or hour. */
  readonly outdated: boolean;
  /** Why the last attempt failed; null when it did not. */
  readonly problem: string | null;
}

export interface Loading {
  /** Elapsed ms. */
  readonly begun: number;
  /** Whether it may bring what is lacking: a list of today, that was not asked for in vain before. */
  readonly isWorthWaiting: boolean;
  /** Once the list is in use, or has failed. Never rejects. */
  readonly done: Promise<void>;
}

/** One broker's list: the one in use, and the loading of the next. */
export interface ListKeeper {
  state(): ListState;
  /** Null when there is no list. */
  master(): Master | null;
  /** The load under way. */
  loading(): Loading | null;
  loadIfDue(): void;
  /** Drops a list of another week; true when it did. */
  forgetTooOld(): boolean;
  /** Drops the list, whatever its age, to be loaded anew. */
  forget(): void;
  stop(): void;
}

export interface ListKeeperParts {
  readonly source: InstrumentSource;
  readonly blocked: (source: InstrumentSource) => string | null;
  readonly kept: KeptLists | null;
  /** Resolves once the new list is in use. */
  readonly onNewList: () => Promise<void>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** A source that failed is asked again after this long, at the next need. */
const RETRY_MS = 5_000;

export function createListKeeper(parts: ListKeeperParts): ListKeeper {
  const { source, kept, clock, scheduler, log } = parts;
  const { broker } = source;
  const freshForMs = source.freshForMs ?? null;
  let held = readKept();
  let triedAt = -Infinity;
  let loading: Loading | null = null;
  let problem: string | null = null;
  /** The edition in which the last attempt failed: what has failed is not waited for again. */
  let failedIn: number | null = null;
  let stopped = false;

  function readKept(): HeldList | null {
    const found = kept?.read(broker) ?? null;
    if (!found) return null;
    const fields = { broker, count: found.list.count, ms: clock.now() - found.fetchedAt };
    if (isTooOld(found.fetchedAt, clock.now())) {
      log.warn('the kept instrument list is more than a week old: it is not used', fields);
      return null;
    }
    log.info('instruments read from disk', fields);
    if (isOutdated(found.fetchedAt, clock.now(), null)) {
      log.warn('instruments of an earlier day are in use until new ones are read', fields);
    }
    return found;
  }

  async function load(): Promise<void> {
    const fetchedAt = clock.now();
    try {
      const instruments = await source.instruments();
      if (instruments.length === 0) throw new Error('the list is empty');
      const list = await inSlices(packList(instruments), scheduler, () => stopped);
      await take({ fetchedAt, list });
    } catch (error) {
      if (!stopped) fail(error);
    }
  }

  async function take(next: HeldList): Promise<void> {
    const last = held;
    held = next;
    problem = null;
    failedIn = null;
    log.info('instruments loaded', { broker, count: next.list.count });
    const isSame =
      last?.list.digest === next.list.digest &&
      editionOf(last.fetchedAt) === editionOf(next.fetchedAt);
    if (isSame) return;
    kept?.write(broker, next);
    await parts.onNewList();
  }

  function fail(error: unknown): void {
    const reason = messageOf(error);
    const edition = editionOf(clock.now());
    // Said once a day and reason: the next need asks again within seconds.
    const level = problem === reason && failedIn === edition ? 'debug' : 'warn';
    problem = reason;
    failedIn = edition;
    log[level](
      held
        ? 'instruments could not be loaded; the last list stays in use'
        : 'instruments could not be loaded, and there is no list of this broker yet',
      { broker, reason },
    );
  }

  const isDue = (): boolean => held === null || isOutdated(held.fetchedAt, clock.now(), freshForMs);

  return {
    state: () => ({
      broker,
      count: held?.list.count ?? 0,
      fetchedAt: held?.fetchedAt ?? null,
      outdated: held !== null && isDue(),
      problem,
    }),
    master: () => held && { edition: editionOf(held.fetchedAt), list: held.list },
    loading: () => loading,
    loadIfDue() {
      if (loading || stopped || !isDue() || parts.blocked(source) !== null) return;
      if (clock.elapsed() - triedAt < RETRY_MS) return;
      triedAt = clock.elapsed();
      const now = clock.now();
      const lacksToday = held === null || isOutdated(held.fetchedAt, now, null);
      loading = {
        begun: triedAt,
        isWorthWaiting: lacksToday && failedIn !== editionOf(now),
        done: load().finally(() => {
          loading = null;
        }),
      };
    },
    forgetTooOld() {
      if (!held || !isTooOld(held.fetchedAt, clock.now())) return false;
      log.warn('the instrument list is more than a week old: it is not used any more', { broker });
      held = null;
      return true;
    },
    forget() {
      held = null;
    },
    stop() {
      stopped = true;
    },
  };
}
