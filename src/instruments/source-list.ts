import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentList } from '../domain/ports.ts';
import { inChunks } from '../platform/chunks.ts';
import type { Clock, Scheduler } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import type { Master } from './join.ts';
import type { HeldList } from './kept-lists.ts';
import { packList } from './packed-list.ts';
import { LONG_AGO, type EpochMs } from '../units/branded.ts';

/** The state of one of a broker's lists. */
export interface ListState {
  readonly name: string;
  /** 0 when there is no list. */
  readonly count: number;
  /** Epoch ms at which the list in use was requested; null when there is none. */
  readonly fetchedAt: EpochMs | null;
  /** Whether the list in use is of an earlier day or hour and must be read again. */
  readonly outdated: boolean;
  /** Why the last attempt failed; null when it succeeded, or there was none. */
  readonly problem: string | null;
}

/** One of a broker's lists: holds the edition in use and reads the next one. */
export interface SourceList {
  state(): ListState;
  /** Null when there is no list. */
  master(): Master | null;
  /** Whether to read the list now: it is missing or outdated, and was not requested just before. */
  isDue(): boolean;
  /** Whether a read may give today's list; false after a failed attempt for it. */
  isWorthWaiting(): boolean;
  /** Reads the list once; null when that failed. Never rejects. */
  load(): Promise<HeldList | null>;
  /** Uses a list that was read, and writes it to disk. True when it differs from the one before. */
  take(next: HeldList): boolean;
  /** Drops a list that is more than a week old; true when it did. */
  forgetTooOld(): boolean;
  /** Drops the list, whatever its age, so that it is loaded again. */
  forget(): void;
  /** After this, a list that is still being read is not used. */
  stop(): void;
}

export interface SourceListParts {
  readonly broker: BrokerId;
  readonly list: InstrumentList;
  /** See InstrumentSource. */
  readonly freshForMs: number | null;
  /** The list found on disk. */
  readonly found: HeldList | null;
  /** Keeps a new edition on disk. */
  readonly keep: (held: HeldList) => void;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** A list that failed is read again after this long, when it is next needed; then after twice as long. */
const RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;
const NOT_SERVED = 'the broker does not offer this list';

export function createSourceList(parts: SourceListParts): SourceList {
  const { broker, list, freshForMs, keep, clock, scheduler, log } = parts;
  const { name } = list;
  let held = usableAtStart(parts);
  /** Epoch ms of the last request that was answered, also with "not offered"; null for none. */
  let answeredAt = held?.fetchedAt ?? null;
  let triedAt = LONG_AGO;
  let retryMs = RETRY_MS;
  let problem: string | null = null;
  /** The edition in which the last attempt failed: nobody waits for it a second time. */
  let failedIn: number | null = null;
  let stopped = false;

  function take(next: HeldList): boolean {
    const last = held;
    held = next;
    answeredAt = next.fetchedAt;
    problem = null;
    failedIn = null;
    retryMs = RETRY_MS;
    log.info('instruments loaded', { broker, source: name, count: next.list.count });
    const isSame =
      last?.list.digest === next.list.digest &&
      editionOf(last.fetchedAt) === editionOf(next.fetchedAt);
    if (!isSame) keep(next);
    return !isSame;
  }

  function fail(reason: string): void {
    const edition = editionOf(clock.now());
    // Logged once for each day and reason, because attempts can follow within seconds.
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
    retryMs = RETRY_MS;
  }

  return {
    state: () => ({
      name,
      count: held?.list.count ?? 0,
      fetchedAt: held?.fetchedAt ?? null,
      outdated: held !== null && isOutdated(held.fetchedAt, clock.now(), freshForMs),
      problem,
    }),
    master: () => held && { broker, edition: editionOf(held.fetchedAt), list: held.list },
    isDue: () => isLacking(freshForMs) && clock.elapsed() - triedAt >= retryMs,
    isWorthWaiting: () => isLacking(null) && failedIn !== editionOf(clock.now()),
    async load() {
      const fetchedAt = clock.now();
      triedAt = clock.elapsed();
      try {
        const rows = await list.read();
        if (stopped) return null;
        if (rows === null) {
          // The list is requested again when the next edition is due. The one in use stays in use.
          answeredAt = fetchedAt;
          fail(NOT_SERVED);
          return null;
        }
        const packed = await inChunks(packList(rows), scheduler, () => stopped);
        if (packed.count === 0) throw new Error('the list is empty');
        return { fetchedAt, list: packed };
      } catch (error) {
        if (problem !== null) retryMs = Math.min(LONGEST_RETRY_MS, 2 * retryMs);
        if (!stopped) fail(messageOf(error));
        return null;
      }
    },
    take,
    forgetTooOld() {
      if (!held || !isTooOld(held.fetchedAt, clock.now())) return false;
      log.warn('the instrument list is more than a week old and is no longer used', {
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

/** The list found on disk, unless it is too old. */
function usableAtStart({ broker, list, found, clock, log }: SourceListParts): HeldList | null {
  if (!found) return null;
  const ms = clock.now() - found.fetchedAt;
  const fields = { broker, source: list.name, count: found.list.count, ms };
  if (isTooOld(found.fetchedAt, clock.now())) {
    log.warn('the kept instrument list is more than a week old and is not used', fields);
    return null;
  }
  log.info('instruments read from disk', fields);
  if (isOutdated(found.fetchedAt, clock.now(), null)) {
    log.warn('the instrument list of an earlier day is in use until a new one is read', fields);
  }
  return found;
}

/**
 * When a list of instruments counts as today's (docs/spec/instruments.md, "When they are loaded").
 * The alternative broker publishes its list at about 08:30 IST; a list read in the minutes after
 * may still be the old one, so there is a second boundary.
 */
const BOUNDARIES_MS = [clockTime(8, 30), clockTime(8, 50)] as const;

const IST_OFFSET_MS = clockTime(5, 30);
const DAY_MS = clockTime(24, 0);

/** The spec's cache time of the primary brokerage's list. */
export const HOUR_MS = clockTime(1, 0);

/** In an older list, ids and lots are too unreliable to trade on. */
export const OLDEST_MS = 7 * DAY_MS;

/**
 * Increases by one at each boundary: at two instants of one edition the broker gives the same list.
 */
export function editionOf(at: EpochMs): number {
  const ist = at + IST_OFFSET_MS;
  const sinceMidnight = ((ist % DAY_MS) + DAY_MS) % DAY_MS;
  const passed = BOUNDARIES_MS.filter((boundary) => sinceMidnight >= boundary).length;
  return Math.floor(ist / DAY_MS) * BOUNDARIES_MS.length + passed;
}

/**
 * Whether a list that was requested at `fetchedAt` must be read again. One from the future was read
 * under a wrong clock, so its age is unknown.
 */
export function isOutdated(fetchedAt: EpochMs, now: EpochMs, freshForMs: number | null): boolean {
  if (fetchedAt > now || editionOf(fetchedAt) !== editionOf(now)) return true;
  return freshForMs !== null && now - fetchedAt >= freshForMs;
}

export function isTooOld(fetchedAt: EpochMs, now: EpochMs): boolean {
  return Math.abs(now - fetchedAt) > OLDEST_MS;
}

function clockTime(hours: number, minutes: number): number {
  return (hours * 60 + minutes) * 60_000;
}
