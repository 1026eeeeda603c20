import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentList } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import { inSlices } from '../platform/slices.ts';
import { messageOf } from '../platform/thrown.ts';
import { editionOf, isOutdated, isTooOld } from './freshness.ts';
import type { Master } from './join.ts';
import type { HeldList } from './kept-lists.ts';
import { packList } from './packed-list.ts';

/** How one of a broker's lists stands. */
export interface ListState {
  readonly name: string;
  /** 0 when there is no list. */
  readonly count: number;
  /** Epoch ms at which the list in use was asked for; null when there is none. */
  readonly fetchedAt: number | null;
  /** Whether it is due to be read again: in use, but of an earlier day or hour. */
  readonly outdated: boolean;
  /** Why the last attempt gave no list; null when it did, or there was none. */
  readonly problem: string | null;
}

/** One of a broker's lists: the edition in use, and the reading of the next. */
export interface ListKeeper {
  state(): ListState;
  /** Null when there is no list. */
  master(): Master | null;
  /** Whether the list is to be read now: it is lacking or outdated, and was not just asked for. */
  isDue(): boolean;
  /** Whether a read may bring a list of today that was not asked for in vain before. */
  isWorthWaiting(): boolean;
  /** Reads the list once; null when that brought none. Never rejects. */
  load(): Promise<HeldList | null>;
  /** Puts a list that was read in use, and on disk. True when it is another than the one before. */
  take(next: HeldList): boolean;
  /** Drops a list of another week; true when it did. */
  forgetTooOld(): boolean;
  /** Drops the list, whatever its age, to be loaded anew. */
  forget(): void;
  /** What is still being read is not taken in after this. */
  stop(): void;
}

export interface ListKeeperParts {
  readonly broker: BrokerId;
  readonly list: InstrumentList;
  /** See InstrumentSource. */
  readonly freshForMs: number | null;
  /** What was found on disk. */
  readonly found: HeldList | null;
  /** Keeps a new edition on disk. */
  readonly keep: (held: HeldList) => void;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** A list that failed is asked for again after this long, at the next need. */
const RETRY_MS = 5_000;
const NOT_SERVED = 'the broker does not serve this list';

export function createListKeeper(parts: ListKeeperParts): ListKeeper {
  const { broker, list, freshForMs, keep, clock, scheduler, log } = parts;
  const { name } = list;
  let held = usable(parts.found);
  /** Epoch ms of the last question that was answered, be it with "not served"; null for none. */
  let answeredAt = held?.fetchedAt ?? null;
  let triedAt = -Infinity;
  let problem: string | null = null;
  /** The edition in which the last attempt failed: what has failed is not waited for again. */
  let failedIn: number | null = null;
  let stopped = false;

  function usable(found: HeldList | null): HeldList | null {
    if (!found) return null;
    const ms = clock.now() - found.fetchedAt;
    const fields = { broker, source: name, count: found.list.count, ms };
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

  function take(next: HeldList): boolean {
    const last = held;
    held = next;
    answeredAt = next.fetchedAt;
    problem = null;
    failedIn = null;
    log.info('instruments loaded', { broker, source: name, count: next.list.count });
    const isSame =
      last?.list.digest === next.list.digest &&
      editionOf(last.fetchedAt) === editionOf(next.fetchedAt);
    if (!isSame) keep(next);
    return !isSame;
  }

  function fail(reason: string): void {
    const edition = editionOf(clock.now());
    // Said once a day and reason: the next need asks again within seconds.
    const level = problem === reason && failedIn === edition ? 'debug' : 'warn';
    problem = reason;
    failedIn = edition;
    log[level](
      held
        ? 'instruments could not be loaded; the last list stays in use'
        : 'instruments could not be loaded, and there is no list of this name yet',
      { broker, source: name, reason },
    );
  }

  const isLacking = (freshFor: number | null): boolean =>
    answeredAt === null || isOutdated(answeredAt, clock.now(), freshFor);

  function forget(): void {
    held = null;
    answeredAt = null;
  }

  return {
    state: () => ({
      name,
      count: held?.list.count ?? 0,
      fetchedAt: held?.fetchedAt ?? null,
      outdated: held !== null && isOutdated(held.fetchedAt, clock.now(), freshForMs),
      problem,
    }),
    master: () => held && { edition: editionOf(held.fetchedAt), list: held.list },
    isDue: () => isLacking(freshForMs) && clock.elapsed() - triedAt >= RETRY_MS,
    isWorthWaiting: () => isLacking(null) && failedIn !== editionOf(clock.now()),
    async load() {
      const fetchedAt = clock.now();
      triedAt = clock.elapsed();
      try {
        const instruments = await list.read();
        if (stopped) return null;
        if (instruments === null) {
          // Asked again when a list would be outdated. What was in use stays in use.
          answeredAt = fetchedAt;
          fail(NOT_SERVED);
          return null;
        }
        if (instruments.length === 0) throw new Error('the list is empty');
        const packed = await inSlices(packList(instruments), scheduler, () => stopped);
        return { fetchedAt, list: packed };
      } catch (error) {
        if (!stopped) fail(messageOf(error));
        return null;
      }
    },
    take,
    forgetTooOld() {
      if (!held || !isTooOld(held.fetchedAt, clock.now())) return false;
      log.warn('the instrument list is more than a week old: it is not used any more', {
        broker,
        source: name,
      });
      forget();
      return true;
    },
    forget,
    stop() {
      stopped = true;
    },
  };
}
