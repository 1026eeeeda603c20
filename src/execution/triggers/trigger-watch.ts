import type { BrokerId } from '../../domain/broker.ts';
import { BrokerError } from '../../domain/outcome.ts';
import type { Cancel, Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import { type ElapsedMs, LONG_AGO, type TriggerId } from '../../units/branded.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import type { Changed } from '../submit/prepare.ts';
import { openChangesOf } from './decide-trigger-change.ts';
import {
  createTriggerReader,
  type TriggerBroker,
  type TriggerReader,
  type TriggersRead,
} from './trigger-reader.ts';
import { isFillUnknown, ordersOfTrigger, triggerRowOf, type TriggerRecord } from './trigger.ts';

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
/** A deletion that has not been seen to work is sent again after this time, then after twice as long, and so on. */
const DELETE_AGAIN_MS = 3_000;
const DELETE_AGAIN_AT_MOST_MS = 60_000;

export function createTriggerWatch(parts: TriggerWatchParts): TriggerWatch {
  const { of, writer, clock, scheduler, log } = parts;
  const { broker } = of.trading;
  const { state } = writer;
  const reader = createTriggerReader(parts);
  const deletions = new Map<TriggerId, { readonly at: ElapsedMs; readonly times: number }>();
  let timer: { readonly at: ElapsedMs; readonly cancel: Cancel } | null = null;
  let stopped = false;

  async function look(): Promise<void> {
    timer = null;
    if (stopped) return;
    try {
      await deleteWanted(await reader.read(clock.elapsed()));
    } catch (error) {
      if (!(error instanceof BrokerError) && !(error instanceof CommitError)) {
        log.error('a list of triggers was read, and not understood', { reason: String(error) });
      } else log.debug('the triggers could not be read', { broker, reason: messageOf(error) });
    }
    schedule();
  }

  async function deleteWanted({ begun, account }: TriggersRead): Promise<void> {
    for (const trigger of mine()) {
      // What is another user's is deleted in the next session of that user.
      if (isOfOtherAccount(trigger, account)) continue;
      if (stopped || !isToDelete(trigger, begun)) continue;
      const before = deletions.get(trigger.id) ?? { at: LONG_AGO, times: 0 };
      const pause = Math.min(DELETE_AGAIN_MS * 2 ** before.times, DELETE_AGAIN_AT_MOST_MS);
      if (clock.elapsed() - before.at < pause) continue;
      deletions.set(trigger.id, { at: clock.elapsed(), times: before.times + 1 });
      await parts.deleteKept(trigger.id);
    }
  }

  /** A list that was read since the last request about it shows it waiting. */
  function isToDelete(trigger: TriggerRecord, begun: ElapsedMs): boolean {
    if (!reader.isAfter(begun, trigger.id)) return false;
    if (!trigger.isDeleteWanted || trigger.state.kind !== 'waiting') return false;
    if (triggerRowOf(trigger) === null || trigger.state.missingSince !== null) return false;
    return !openChangesOf(state, trigger.id).some(({ state: now }) => now === 'sending');
  }

  const mine = (): readonly TriggerRecord[] =>
    [...state.triggers.values()].filter((trigger) => trigger.broker === broker);

  /** How long until the list has to be read again, ms; null while nothing is to be learnt. */
  function dueIn(): number | null {
    const each = mine().flatMap((trigger) => dueOf(trigger) ?? []);
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

  onOrderElsewhere(parts, () => {
    if (mine().some(({ state: is }) => is.kind === 'waiting')) schedule(SOON_MS);
  });

  return {
    of,
    ...{ read: reader.read, ended: reader.ended, lastRowOf: reader.lastRowOf },
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

/**
 * Calls `tell` when the book shows an order placed elsewhere for the first time: that of a trigger looks like one, until
 * the list names it.
 */
function onOrderElsewhere(
  { of, writer, clock }: Pick<TriggerWatchParts, 'of' | 'writer' | 'clock'>,
  tell: () => void,
): void {
  writer.onChange(({ table, row }) => {
    if (table !== 'observed' || row === null || row.orderId !== null) return;
    if (row.broker === of.trading.broker && clock.now() - row.seenAt <= SOON_MS) tell();
  });
}

/** How long until the list is read for the order of a trigger that has triggered, which it may name only later. */
function namedIn(trigger: TriggerRecord, clock: Clock): number | null {
  const isAwaited = isFillUnknown(trigger) && ordersOfTrigger(trigger).length === 0;
  return isAwaited && clock.now() - trigger.updatedAt < NAMED_WITHIN_MS ? WAITING_MS : null;
}

export type TriggerWatches = ReadonlyMap<BrokerId, TriggerWatch>;
