import type { BrokerId } from '../../domain/broker.ts';
import { BrokerError } from '../../domain/outcome.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import {
  type BrokerOrderId,
  type ElapsedMs,
  LONG_AGO,
  plus,
  type TriggerId,
} from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Changed } from '../submit/prepare.ts';
import { openChangesOf } from './decide-trigger-change.ts';
import {
  createTriggerReader,
  type TriggerBroker,
  type TriggerReader,
  type TriggersRead,
} from './trigger-reader.ts';
import { createDeletions } from './kept-deletions.ts';
import { createUnlistedRows } from './unlisted-rows.ts';
import { isFillUnknown, ordersOfTrigger, type TriggerRecord } from './trigger.ts';

export interface TriggerWatchParts {
  readonly of: TriggerBroker;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly changed: Changed;
  /** See TriggerReaderParts. */
  readonly scheduleBook: () => void;
  /** Deletes one whose deletion was kept until it could be sent. Never rejects. */
  readonly deleteKept: (id: TriggerId) => Promise<void>;
}

/** Reads a broker's list of triggers while there is something to learn from it. */
export interface TriggerWatch {
  readonly of: TriggerBroker;
  /** A read that began at `since` or later, once what it says is in the journal. Rejects with a BrokerError. */
  read(since: ElapsedMs): Promise<TriggersRead>;
  /** A request about a trigger has ended: only reads that begin from now on tell what it has done. */
  ended(id: TriggerId): void;
  readonly lastRowOf: TriggerReader['lastRowOf'];
  /** Whether no list says yet if a trigger has placed an order of the book: see UnlistedRows. */
  isUnlisted(brokerOrderId: BrokerOrderId): boolean;
  readonly anothersReason: TriggerReader['anothersReason'];
  /** Reads again soon. */
  wake(): void;
  /** Reads again soon, if there is something to learn. */
  wakeIfDue(): void;
  schedule(): void;
  stop(): void;
}

const SOON_MS = 1_000;
const OPEN_MS = 3_000;
/** How often it is looked whether a trigger that waits has triggered. */
const WAITING_MS = 30_000;
/** A trigger that was called absent is looked for so much longer. */
const ABSENT_FOR_MS = 10 * 60_000;
/** For so long after a trigger was seen to have triggered, its list is read for the order that it has placed. */
const NAMED_WITHIN_MS = 10 * 60_000;
export function createTriggerWatch(parts: TriggerWatchParts): TriggerWatch {
  const { of, writer, clock, scheduler, log } = parts;
  const { broker } = of.trading;
  const { state } = writer;
  const reader = createTriggerReader(parts);
  const deletions = createDeletions(parts, reader, () => stopped);
  let timer: { readonly at: ElapsedMs; readonly cancel: Cancel } | null = null;
  let stopped = false;
  let attempts = { last: LONG_AGO, failed: 0 };
  const unlisted = createUnlistedRows({ ...parts, broker }, reader.lastBegun, () => {
    if (mayHaveTriggered()) schedule();
  });

  async function look(): Promise<void> {
    timer = null;
    if (stopped) return;
    attempts = { last: clock.elapsed(), failed: attempts.failed + 1 };
    try {
      const read = await reader.read(clock.elapsed());
      attempts = { ...attempts, failed: 0 };
      await deletions.sendAgain(read, mine());
    } catch (error) {
      if (!(error instanceof BrokerError) && !(error instanceof CommitError)) {
        log.error('a list of triggers was read, and not understood', { reason: String(error) });
      } else log.debug('the triggers could not be read', { broker, reason: messageOf(error) });
    }
    schedule();
  }

  const mine = (): readonly TriggerRecord[] =>
    [...state.triggers.values()].filter((trigger) => trigger.broker === broker);

  /** How long until the list has to be read again, ms; null while nothing is to be learnt. */
  function dueIn(): number | null {
    const each = mine().flatMap((trigger) => dueOf(trigger) ?? []);
    if (mayHaveTriggered()) each.push(untilUnlistedRead());
    return each.length === 0 ? null : Math.min(...each);
  }

  function dueOf(trigger: TriggerRecord): number | null {
    switch (trigger.state.kind) {
      case 'sending':
      case 'uncertain':
        return OPEN_MS;
      case 'absent':
        return Math.abs(clock.now() - trigger.createdAt) < ABSENT_FOR_MS ? WAITING_MS : null;
      case 'waiting':
        return isUnsettled(trigger) ? OPEN_MS : WAITING_MS;
      case 'triggered':
        return openChangesOf(state, trigger.id).length > 0 ? OPEN_MS : namedIn(trigger, clock);
      default:
        return openChangesOf(state, trigger.id).length > 0 ? OPEN_MS : null;
    }
  }

  const isUnsettled = (trigger: TriggerRecord): boolean =>
    trigger.isDeleteWanted ||
    (trigger.state.kind === 'waiting' &&
      (trigger.state.missingSince !== null || trigger.state.row === null)) ||
    openChangesOf(state, trigger.id).length > 0;

  function schedule(within = dueIn()): void {
    if (stopped || within === null) return;
    const at = (clock.elapsed() + within) as ElapsedMs;
    if (timer !== null && timer.at <= at) return;
    timer?.cancel();
    timer = { at, cancel: scheduler.after(within, () => void look()) };
  }

  /** Whether the book has shown an order that a trigger which waits may have placed, and no list was read for it. */
  const mayHaveTriggered = (): boolean =>
    unlisted.any() && mine().some(({ state: is }) => is.kind === 'waiting');

  /** At once, but no more than one such read a second, and fewer while the list cannot be read. */
  const untilUnlistedRead = (): number => {
    const pause = Math.min(SOON_MS * 2 ** attempts.failed, WAITING_MS);
    return Math.max(0, plus(attempts.last, pause) - clock.elapsed());
  };

  return {
    of,
    ...reader,
    isUnlisted: unlisted.has,
    wake: () => schedule(SOON_MS),
    wakeIfDue() {
      if (dueIn() !== null) schedule(SOON_MS);
    },
    schedule: () => schedule(),
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

/** How long until the list is read for the order of a trigger that has triggered, which it may name only later. */
function namedIn(trigger: TriggerRecord, clock: Clock): number | null {
  const isAwaited = isFillUnknown(trigger) && ordersOfTrigger(trigger).length === 0;
  return isAwaited && clock.now() - trigger.updatedAt < NAMED_WITHIN_MS ? WAITING_MS : null;
}

export type TriggerWatches = ReadonlyMap<BrokerId, TriggerWatch>;
