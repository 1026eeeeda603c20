import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { BrokerTime, Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { CLOCKS_AGREE_MS, type PlaceAttemptRecord } from '../order/attempt.ts';
import {
  type AttemptId,
  type ElapsedMs,
  epochMs,
  type EpochMs,
  later,
  plus,
  type TradingDay,
} from '../../units/branded.ts';

/** A clock that is off by no more than this still proves absence, by the earliest of all clocks. */
export const CLOCKS_USABLE_MS = 600_000;

/** What the clocks said when a read of a book began. */
export interface ReadTimes {
  /** By this computer's clock, corrected where the broker says that it is off (epoch ms). */
  readonly begunAt: EpochMs;
  /** By this computer's clock as it was (epoch ms). */
  readonly localAt: EpochMs;
  /**
   * By the broker's clock (epoch ms), or a time that it is known to have passed; null where it told
   * none.
   */
  readonly brokerAt: EpochMs | null;
  /** How far this computer's clock is ahead of the broker's (ms), where that is more than a minute. */
  readonly aheadMs: number | null;
  /**
   * Time that has passed at least between the send of a placing and the read, by a clock that nobody sets
   * (ms): of one that an earlier process sent, the time since this process began. Null where not known.
   */
  readonly sinceSend: (attempt: PlaceAttemptRecord) => number | null;
}

/**
 * What is known of the time at a broker. This computer's clock may be set, forward or back, by hours
 * or days, so no step that cannot be taken back rests on it alone (docs/orders.md, "Clocks").
 */
export interface BrokerClock {
  /** The times of a read that began at `begunAt`, `begun` elapsed ms, and showed these rows. */
  timesOf(
    read: { readonly begunAt: EpochMs; readonly begun: ElapsedMs },
    rows: readonly BrokerOrder[],
    fills: readonly BrokerFill[] | null,
  ): ReadTimes;
  /**
   * The broker's day, for ending what belongs to earlier days. Null while there is no reason to
   * believe any: two clocks differ, and a read can decide between them.
   */
  day(known: { readonly hasSession: boolean; readonly hasRead: boolean }): TradingDay | null;
  /** The time at the broker, where it is known that this computer's clock is off; else by that clock. */
  now(): EpochMs;
  /** A change of the journal: notes when a placing was sent. */
  note(change: Change): void;
  /** Forgets the placings that `isOpen` does not name. */
  forget(isOpen: (attemptId: AttemptId) => boolean): void;
}

/** A clock that runs on is as good as the broker's own for so long; it stands still while asleep. */
const TOLD_JUST_NOW_MS = 10_000;

/** The broker's time now, where a reply of the last seconds has told it; else null. */
export function brokerTimeNow(trading: Trading, clock: Clock): EpochMs | null {
  const told = trading.brokerTime?.() ?? null;
  if (told === null) return null;
  const since = clock.elapsed() - told.receivedAt;
  return since <= TOLD_JUST_NOW_MS ? plus(told.at, Math.round(since)) : null;
}

export function createBrokerClock(
  trading: Trading,
  clock: Clock,
  state: Pick<ExecutionState, 'lastEvent'>,
): BrokerClock {
  /** When each placing was sent, by attempt. */
  const sent = new Map<AttemptId, ElapsedMs>();
  const { lastEvent } = state;
  const startedAt = clock.elapsed();

  /** Counted in events: each send is followed by one, so that no clock is asked. */
  const isOfEarlierProcess = ({ sentAfter = -1 }: PlaceAttemptRecord): boolean =>
    sentAfter < lastEvent;

  /** The broker's time now, counted on from what it told last; null where it has told none. */
  function brokerNow(): EpochMs | null {
    if (trading.isLocal === true) return clock.now();
    const told = trading.brokerTime?.() ?? null;
    return told && plus(told.at, clock.elapsed() - told.receivedAt);
  }

  function toldSince(begun: ElapsedMs): BrokerTime | null {
    const told = trading.brokerTime?.() ?? null;
    return told && told.receivedAt >= begun ? told : null;
  }

  /** The broker's time at `begun`, or an earlier one: its rows are of the past. */
  function brokerAt(
    { begunAt, begun }: { readonly begunAt: EpochMs; readonly begun: ElapsedMs },
    told: BrokerTime | null,
    times: readonly EpochMs[],
  ): EpochMs | null {
    if (trading.isLocal === true) return begunAt;
    if (told) return plus(told.at, begun - told.receivedAt);
    const latest = latestBefore(plus(begunAt, CLOCKS_AGREE_MS), times);
    return latest > -Infinity ? latest : null;
  }

  return {
    timesOf(read, rows, fills) {
      const { begunAt, begun } = read;
      const told = toldSince(begun);
      // A long book has thousands of times, which are not needed where the broker has told its own.
      const times = told || trading.isLocal === true ? [] : timesIn(rows, fills);
      const ahead = told
        ? told.localAt - told.at
        : Math.min(0, clock.now() - mostHavePassed(times));
      const isOff = trading.isLocal !== true && Math.abs(ahead) > CLOCKS_AGREE_MS;
      return {
        // What a read shows belongs to the broker's day. Times of rows alone move no read to another one.
        begunAt: isOff && told ? plus(begunAt, -ahead) : begunAt,
        localAt: begunAt,
        brokerAt: brokerAt(read, told, times),
        aheadMs: isOff ? ahead : null,
        sinceSend(attempt) {
          const at = sent.get(attempt.id) ?? (isOfEarlierProcess(attempt) ? startedAt : null);
          return at === null ? null : begun - at;
        },
      };
    },
    day({ hasSession, hasRead }) {
      const own = tradingDay(clock.now());
      const theirs = brokerNow();
      // Without a session nothing can be asked, and a dispute that is wrong is taken back later.
      if (!hasSession) return own;
      if (theirs === null) return hasRead ? own : null;
      const day = tradingDay(theirs);
      return day < own ? day : own;
    },
    now() {
      const own = clock.now();
      const told = trading.isLocal === true ? null : (trading.brokerTime?.() ?? null);
      if (told === null) return own;
      // The running clock stands still while a computer sleeps, so what it adds is the least. A wall clock
      // that has gone on further since may be right: if it is not, the next reply tells.
      const least = plus(told.at, clock.elapsed() - told.receivedAt);
      const theirs = later(least, plus(own, told.at - told.localAt));
      return Math.abs(own - theirs) > CLOCKS_AGREE_MS ? theirs : own;
    },
    note(change) {
      if (change.table !== 'attempts' || change.row === null) return;
      const { id, kind, broker, state } = change.row;
      if (kind !== 'place' || broker !== trading.broker || state.kind !== 'sending') return;
      if (!sent.has(id)) sent.set(id, clock.elapsed());
    },
    forget(isOpen) {
      for (const id of sent.keys()) if (!isOpen(id)) sent.delete(id);
    },
  };
}

/** The latest time of each row and trade of a read that has one (epoch ms). */
export function timesIn(
  rows: readonly BrokerOrder[],
  fills: readonly BrokerFill[] | null,
): EpochMs[] {
  const ofRows = rows.flatMap(({ createdAt, updatedAt }) => {
    if (createdAt === null) return updatedAt ?? [];
    return updatedAt === null ? createdAt : later(createdAt, updatedAt);
  });
  return [...ofRows, ...(fills ?? []).flatMap(({ at }) => at ?? [])];
}

/** The latest of these times that is not after `most`: later ones are wrong; -Infinity without one. */
export function latestBefore(most: EpochMs, times: readonly EpochMs[]): EpochMs {
  let latest = epochMs(-Infinity);
  for (const at of times) if (at <= most) latest = later(latest, at);
  return latest;
}

/**
 * A time that at least half of these have passed, and two of them: one row that is dated wrongly says
 * nothing about a clock. -Infinity without one.
 */
function mostHavePassed(times: readonly EpochMs[]): EpochMs {
  if (times.length < 2) return epochMs(-Infinity);
  const sorted = [...times].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? epochMs(-Infinity);
}

/** Tells a person once when this computer's clock is off, and again if it was right in between. */
export function createClockReport(parts: {
  readonly broker: BrokerId;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
}): (aheadMs: number | null) => Promise<void> {
  const { broker, writer, clock } = parts;
  let isClockOff = false;
  return async (aheadMs) => {
    const wasOff = isClockOff;
    isClockOff = aheadMs !== null;
    if (aheadMs === null || wasOff) return;
    const message = clockAlert(broker, aheadMs);
    const at = clock.now();
    await writer.submit((current) => decideAlert(current, { level: 'critical', message, at }));
  };
}

function clockAlert(broker: string, aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / 6_000) / 10;
  const absent = Math.abs(aheadMs) > CLOCKS_USABLE_MS ? 'no order is called absent, and ' : '';
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  return (
    `this computer's clock is ${minutes} minutes ${which} that of ${broker}: until it is set right, ` +
    `${absent}orders may be refused as outside market hours`
  );
}
