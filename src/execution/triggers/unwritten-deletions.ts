import type { TriggerOutcome } from '../../domain/ports.ts';
import { mayTrigger } from '../../domain/trigger.ts';
import { messageOf } from '../../platform/values.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { ElapsedMs, EpochMs, TriggerId } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import type { Wanted } from './prepare-change.ts';
import type { SendChange } from './send-change.ts';
import type { TriggerParts } from './trigger-parts.ts';
import { createTriggerUnit } from './trigger-unit.ts';
import {
  isTriggerOver,
  type TriggerChangeRecord,
  triggerBindingOf,
  triggerChangeKey,
  type TriggerRecord,
} from './trigger.ts';
import type { TriggerWatch } from './trigger-watch.ts';

/** A deletion that is not on disk. */
interface Unwritten {
  readonly watch: TriggerWatch;
  readonly wanted: Wanted;
  readonly at: EpochMs;
  /** What came of the last request; null while none was sent. */
  outcome: TriggerOutcome | null;
  sentAt: ElapsedMs;
  /** How often it has been sent. */
  times: number;
}

export interface UnwrittenDeletions {
  /**
   * Sends a deletion that the disk does not take. Resolves with what is known of it then, as it will be written down.
   * Never rejects.
   */
  send(watch: TriggerWatch, wanted: Wanted): Promise<TriggerChangeRecord>;
}

const LOOK_MS = 3_000;
const AGAIN_AT_MOST_MS = 60_000;

/**
 * Deletions of triggers that cannot be written, on a disk that takes nothing. They go out all the same: what is not
 * deleted can sell. As long as the disk takes nothing they are remembered in memory alone, and one that a list shows
 * not to have worked is sent again after 3, 6, 12 seconds and so on. As soon as the disk has space they are written
 * down, and then repeated as all deletions are (trigger-watch.ts).
 */
export function createUnwrittenDeletions(
  parts: TriggerParts,
  request: SendChange['request'],
): UnwrittenDeletions {
  const { writer, clock, scheduler, log } = parts;
  const { state } = writer;
  const kept = new Map<TriggerId, Unwritten>();
  const triggerOf = (id: TriggerId): TriggerRecord => required(state.triggers, id, 'trigger');

  async function sendNow(one: Unwritten): Promise<void> {
    const { watch, wanted } = one;
    const { triggerId: id } = wanted.key;
    const bound = triggerBindingOf(triggerOf(id));
    if (bound !== null) {
      one.sentAt = clock.elapsed();
      one.times += 1;
      one.outcome = await request(watch, wanted, bound.triggerId);
      watch.ended(id);
    }
    const sent = one.outcome?.kind ?? 'not sent yet';
    log.error(`the deletion of a trigger could not be written to disk; it is ${sent}`, {
      orderId: id,
    });
  }

  /** Until the disk has taken it; then what is on disk is repeated by itself. */
  function lookLater(one: Unwritten): void {
    scheduler.after(LOOK_MS, () => {
      const { key } = one.wanted;
      if (parts.closing() || kept.get(key.triggerId) !== one) return;
      if (!state.triggerChanges.has(triggerChangeKey(key))) return void look(one);
      kept.delete(key.triggerId);
      state.cancelsNotOnDisk.delete(key.triggerId);
      one.watch.wakeIfDue();
    });
  }

  async function look(one: Unwritten): Promise<void> {
    const { watch, wanted, sentAt, times } = one;
    const trigger = triggerOf(wanted.key.triggerId);
    const pause = Math.min(LOOK_MS * 2 ** (times - 1), AGAIN_AT_MOST_MS);
    if (!isTriggerOver(trigger) && isOpen(one)) {
      try {
        await watch.read(clock.elapsed());
      } catch (error) {
        // A list that is read, and cannot be written down, says all the same whether the trigger waits.
        const reason = messageOf(error);
        log.debug('a list of triggers was not read, or not written down', { reason });
      }
      const isLeft = times === 0 ? triggerBindingOf(trigger) !== null : isShownLeft(watch, trigger);
      if (isLeft && clock.elapsed() - sentAt >= pause && !parts.closing()) await sendNow(one);
    }
    lookLater(one);
  }

  return {
    async send(watch, wanted) {
      const { triggerId: id } = wanted.key;
      state.cancelsNotOnDisk.add(id);
      const before = kept.get(id);
      const at = clock.now();
      // Another request for one of which nothing says that it did not work: the list tells.
      if (before !== undefined && isOpen(before)) return recordOf(wanted, before.outcome, at);
      const one: Unwritten = {
        watch,
        wanted,
        at,
        outcome: null,
        sentAt: clock.elapsed(),
        times: 0,
      };
      kept.set(id, one);
      await sendNow(one);
      void parts.commitRetry.commit((current) =>
        decideLateDeletion(current, { ...one, settledAt: clock.now() }),
      );
      lookLater(one);
      return recordOf(wanted, one.outcome, at);
    },
  };
}

function isShownLeft(watch: TriggerWatch, trigger: TriggerRecord): boolean {
  const row = watch.lastRowOf(trigger);
  return row !== null && mayTrigger(row);
}

/**
 * Whether it may still have to be sent. A broker that has refused it is asked again only if a caller says so; whoever
 * was told that it is on its way is not told where a later request finds no connection.
 */
function isOpen({ outcome, times }: Unwritten): boolean {
  if (outcome?.kind === 'not_sent') return times > 1;
  return outcome?.kind !== 'refused';
}

function recordOf(
  { key }: Wanted,
  outcome: TriggerOutcome | null,
  at: EpochMs,
): TriggerChangeRecord {
  const kept = 'it is kept, because it is not known yet whether the broker has the trigger';
  const reason = outcome === null ? kept : outcome.kind === 'acknowledged' ? null : outcome.reason;
  const settled = { state: outcome?.kind ?? 'uncertain', reason, settledAt: at } as const;
  return { ...key, terms: null, ...settled, at };
}

/** Writes down a deletion that was sent before the disk took it. */
function decideLateDeletion(
  state: ExecutionState,
  of: Pick<Unwritten, 'wanted' | 'outcome' | 'at' | 'times'> & { readonly settledAt: EpochMs },
): Decision<Change, null> {
  const { wanted, outcome, at, times, settledAt } = of;
  const trigger = required(state.triggers, wanted.key.triggerId, 'trigger');
  const triggers = createTriggerUnit(new UnitOfWork(state, settledAt));
  const sent = { ...recordOf(wanted, outcome, at), settledAt };
  // Of several requests the first was answered as uncertain: the key is not free.
  const isOpenAgain = sent.state === 'not_sent' && times > 1;
  const record = isOpenAgain ? ({ ...sent, state: 'uncertain' } as const) : sent;
  const isOver = isTriggerOver(trigger);
  const isLeft = record.state === 'refused' || record.state === 'not_sent';
  if (!isOver && !isLeft) triggers.move(trigger.id, { type: 'want_delete', isWanted: true });
  // Lists lack it, and the broker refuses to delete it: it is not there.
  const isGone = trigger.state.kind === 'ended' && record.state === 'refused';
  triggers.putChange(isGone ? { ...record, state: 'taken' } : record);
  if (!isOver && isLeft && times > 1) {
    const message =
      `the deletion of trigger ${trigger.id} was sent again while the disk was full, and is ${record.state} ` +
      `(${record.reason ?? ''}): look at it in the broker's app`;
    triggers.unit.alert('critical', null, message);
  }
  return { changes: triggers.unit.changes, reply: null };
}
