import { BrokerError, notSent } from '../../domain/outcome.ts';
import type { TriggerPort, Triggers, Trading } from '../../domain/ports.ts';
import type { BrokerTrigger, TriggerList } from '../../domain/trigger.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type ElapsedMs, LONG_AGO, type TriggerId } from '../../units/branded.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Changed } from '../submit/prepare.ts';
import { isAnothers } from './match-trigger.ts';
import { decideTriggerRead, type Lasting, type Told } from './decide-trigger-read.ts';
import { triggerBindingOf, type TriggerRecord } from './trigger.ts';

/** Triggers of one broker that have calls of their own. */
export interface TriggerBroker {
  readonly trading: Trading;
  readonly triggers: Triggers;
  readonly calls: TriggerPort;
}

/** A whole list of one account, with when its read began. */
export interface TriggersRead {
  readonly begun: ElapsedMs;
  readonly list: TriggerList;
  readonly account: string | null;
}

/** So many reads in a row, over so long, have to agree. */
const BELIEVED: Readonly<Record<Lasting, { readonly reads: number; readonly ms: number }>> = {
  lacking: { reads: 3, ms: 300_000 },
  missing: { reads: 3, ms: 60_000 },
  unchanged: { reads: 3, ms: 20_000 },
  unread: { reads: 3, ms: 60_000 },
};

interface Count {
  readonly what: Lasting;
  readonly since: ElapsedMs;
  readonly reads: number;
  /** Whether the reads before the next one agree for long enough. */
  readonly isBelieved: boolean;
}

export interface TriggerReaderParts {
  readonly of: TriggerBroker;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly changed: Changed;
  /** The order book is to be read where a trigger has placed an order: sets the time of its next read. */
  readonly scheduleBook: () => void;
}

/** Reads a broker's list of triggers, one read after the other, and puts what it says in the journal. */
export interface TriggerReader {
  /** A read that began at `since` or later, once what it says is in the journal. Rejects with a BrokerError. */
  read(since: ElapsedMs): Promise<TriggersRead>;
  /** A request about a trigger has ended: only reads that begin from now on tell what it has done. */
  ended(id: TriggerId): void;
  /** Whether a read that began then tells what the last request about a trigger has done. */
  isAfter(begun: ElapsedMs, id: TriggerId): boolean;
  /** When the last list began to be read whose rows are in the journal; null before one in this process. */
  lastBegun(): ElapsedMs | null;
  /**
   * The row by which the last list shows a trigger, also where the disk did not take what that list says. Null where
   * none was read since the last request about it, where the list is another account's, or lacks it.
   */
  lastRowOf(trigger: TriggerRecord): BrokerTrigger | null;
  /** Why nothing may be sent to the id of a trigger: the last list shows another one under it. Null where it does not. */
  anothersReason(trigger: TriggerRecord): string | null;
}

export function createTriggerReader(parts: TriggerReaderParts): TriggerReader {
  const { of, writer, clock, changed } = parts;
  const { broker } = of.trading;
  const endedAt = new Map<TriggerId, ElapsedMs>();
  let counts = new Map<TriggerId, Count>();
  let reading: { readonly begun: ElapsedMs; readonly result: Promise<TriggersRead> } | null = null;
  let last: TriggersRead | null = null;
  let taken: ElapsedMs | null = null;
  const isAfter = (begun: ElapsedMs, id: TriggerId): boolean =>
    begun >= (endedAt.get(id) ?? LONG_AGO);

  /** Nobody knows whose list it is where another user logs in meanwhile. */
  async function readNow(begun: ElapsedMs): Promise<TriggersRead> {
    const account = (await of.trading.account?.()) ?? null;
    const list = await of.triggers.list('watch');
    const after = (await of.trading.account?.()) ?? null;
    if (account !== after) {
      const why = notSent('token', 'another user has logged in while the triggers were read');
      throw new BrokerError(broker, { kind: 'not_sent', reason: why.cause, message: why.reason });
    }
    const now = { begun, list, account };
    last = now;
    await take(now);
    return now;
  }

  async function take({ begun, list, account }: TriggersRead): Promise<void> {
    const told = await writer.submit((current) =>
      decideTriggerRead(current, {
        ...{ broker, list, account, at: clock.now() },
        isAfter: (id) => isAfter(begun, id),
        isLasting: (id, what) => isLasting(begun, counts.get(id), what),
        isTold: (id, what) => counts.get(id)?.what === what && counts.get(id)?.isBelieved === true,
      }),
    );
    counts = counted(counts, told, begun);
    taken = begun;
    changed.notify();
    parts.scheduleBook();
  }

  async function read(since: ElapsedMs): Promise<TriggersRead> {
    if (reading !== null && reading.begun >= since) return reading.result;
    // One after the other: a later list must not be applied before an earlier one.
    const before = reading?.result.catch(() => null);
    if (before) {
      await before;
      return read(since);
    }
    const begun = clock.elapsed();
    const result = readNow(begun);
    const mine = { begun, result };
    reading = mine;
    try {
      return await result;
    } finally {
      if (reading === mine) reading = null;
    }
  }

  function lastRowOf(trigger: TriggerRecord): BrokerTrigger | null {
    if (last === null || !isAfter(last.begun, trigger.id)) return null;
    if (isOfOtherAccount(trigger, last.account)) return null;
    const row = rowUnderId(last, trigger);
    return row === null || isAnothers(trigger, row) ? null : row;
  }

  function anothersReason(trigger: TriggerRecord): string | null {
    if (last === null || isOfOtherAccount(trigger, last.account)) return null;
    const row = rowUnderId(last, trigger);
    if (row === null || !isAnothers(trigger, row)) return null;
    return `${row.triggerId} at ${broker} is another trigger now, of ${row.instrument}: it was not asked to change that one`;
  }

  return {
    ...{ read, isAfter, lastRowOf, anothersReason, lastBegun: () => taken },
    ended: (id) => void endedAt.set(id, clock.elapsed()),
  };
}

function rowUnderId({ list }: TriggersRead, trigger: TriggerRecord): BrokerTrigger | null {
  const bound = triggerBindingOf(trigger)?.triggerId;
  return list.triggers.find(({ triggerId }) => triggerId === bound) ?? null;
}

function isLasting(begun: ElapsedMs, count: Count | undefined, what: Lasting): boolean {
  if (count?.what !== what) return false;
  const { reads, ms } = BELIEVED[what];
  return count.reads + 1 >= reads && begun - count.since >= ms;
}

function counted(
  before: ReadonlyMap<TriggerId, Count>,
  told: Told,
  begun: ElapsedMs,
): Map<TriggerId, Count> {
  return new Map(
    [...told].map(([id, what]) => {
      const last = before.get(id);
      const isFurther = last?.what === what;
      const isBelieved = isLasting(begun, last, what);
      const since = isFurther ? last.since : begun;
      return [id, { what, since, reads: isFurther ? last.reads + 1 : 1, isBelieved }];
    }),
  );
}
