import type { Clock } from '../../platform/clock.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import { type ElapsedMs, LONG_AGO, type TriggerId } from '../../units/branded.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { openChangesOf } from './decide-trigger-change.ts';
import type { TriggerReader, TriggersRead } from './trigger-reader.ts';
import { type TriggerRecord, triggerRowOf } from './trigger.ts';

/** A deletion that has not been seen to work is sent again after this time, then after twice as long, and so on. */
const DELETE_AGAIN_MS = 3_000;
const DELETE_AGAIN_AT_MOST_MS = 60_000;

/** Sends deletions that were kept, or that a list shows not to have worked. */
export function createDeletions(
  {
    writer,
    clock,
    deleteKept,
  }: {
    readonly writer: Pick<SingleWriter<ExecutionState, Change>, 'state'>;
    readonly clock: Clock;
    /** Never rejects. */
    readonly deleteKept: (id: TriggerId) => Promise<void>;
  },
  reader: Pick<TriggerReader, 'isAfter'>,
  isStopped: () => boolean,
) {
  const { state } = writer;
  const sent = new Map<TriggerId, { readonly at: ElapsedMs; readonly times: number }>();

  async function sendAgain(
    { begun, account }: TriggersRead,
    triggers: readonly TriggerRecord[],
  ): Promise<void> {
    for (const trigger of triggers) {
      // What is another user's is deleted in the next session of that user.
      if (isOfOtherAccount(trigger, account)) continue;
      if (isStopped() || !isToDelete(trigger, begun)) continue;
      const before = sent.get(trigger.id) ?? { at: LONG_AGO, times: 0 };
      const pause = Math.min(DELETE_AGAIN_MS * 2 ** before.times, DELETE_AGAIN_AT_MOST_MS);
      if (clock.elapsed() - before.at < pause) continue;
      sent.set(trigger.id, { at: clock.elapsed(), times: before.times + 1 });
      await deleteKept(trigger.id);
    }
  }

  /** A list that was read since the last request about it shows it waiting. */
  function isToDelete(trigger: TriggerRecord, begun: ElapsedMs): boolean {
    if (!reader.isAfter(begun, trigger.id)) return false;
    if (!trigger.isDeleteWanted || trigger.state.kind !== 'waiting') return false;
    if (triggerRowOf(trigger) === null || trigger.state.missingSince !== null) return false;
    return !openChangesOf(state, trigger.id).some(({ state: now }) => now === 'sending');
  }

  return { sendAgain };
}
