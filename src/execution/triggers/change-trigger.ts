import { GatewayProblem } from '../../domain/problem.ts';
import { sha256 } from '../../platform/secret.ts';
import { messageOf } from '../../platform/values.ts';
import type { TriggerId } from '../../units/branded.ts';
import { decideAlert } from '../journal/decide-notes.ts';
import { ifReadable } from '../journal/if-readable.ts';
import { required } from '../journal/state.ts';
import { brakeProblem } from '../submit/brakes.ts';
import { closingProblem } from '../submit/place-command.ts';
import { conflict } from '../submit/request-identity.ts';
import type { TriggerChangeKey } from './decide-trigger-change.ts';
import { prepareChange } from './prepare-change.ts';
import { createSendChange } from './send-change.ts';
import type { ChangeCommand, ChangeResult, TriggerParts } from './trigger-parts.ts';
import { stateProblem, unknownTrigger } from './trigger-problems.ts';
import { type TriggerChangeRecord, triggerChangeKey, type TriggerRecord } from './trigger.ts';
import type { TriggerWatch } from './trigger-watch.ts';
import { createUnwrittenDeletions } from './unwritten-deletions.ts';

export interface ChangeTrigger {
  /** Modifies a trigger, or deletes it where `changes` is null. */
  change(command: ChangeCommand): Promise<ChangeResult>;
  /** Sends a deletion that was kept. Never rejects. */
  deleteKept(id: TriggerId): Promise<void>;
}

/**
 * Modifications and deletions: one request for each key, on disk before it leaves; what became of it is read from
 * the broker's list, and never found out by sending it again. A deletion is a way out: nothing holds it back.
 */
export function createChangeTrigger(parts: TriggerParts): ChangeTrigger {
  const { writer, journal, clock, ids } = parts;
  const { state } = writer;
  const { write, sendOne, request, shown } = createSendChange(parts);
  const unwritten = createUnwrittenDeletions(parts, request);

  async function change(command: ChangeCommand): Promise<ChangeResult> {
    const { id, changes } = command;
    const idempotencyKey = command.idempotencyKey ?? ids.uuid7(clock.now());
    const key: TriggerChangeKey = {
      ...{ triggerId: id, kind: changes === null ? 'delete' : 'modify' },
      ...{ caller: command.caller, idempotencyKey },
      requestHash: sha256(JSON.stringify([changes, command.lastPrice])),
    };
    const known = await knownChange(key);
    // One that ended long ago is on disk alone, and so are its keys.
    const trigger = state.triggers.get(id) ?? (await journal.trigger(id));
    if (trigger === null) throw unknownTrigger(id);
    if (known && known.state !== 'not_sent') return repeatOf(known, key, trigger);
    if (!state.triggers.has(id)) return settledAs(trigger, idempotencyKey, changes === null);
    if (parts.closing() && changes !== null) throw closingProblem();
    const watch = watchOf(trigger);
    parts.lookAtDisk();
    for (;;) {
      const wanted = await prepareChange(parts, watch, command, key);
      const reply = await write(key, wanted);
      if (reply.kind === 'account_unread' || reply.kind === 'outdated') continue;
      if (reply.kind === 'braked') throw brakeProblem(reply.brake);
      if (reply.kind === 'known') return repeatOf(reply.change, key, trigger);
      if (reply.kind === 'open') throw stateProblem(reply.trigger, reply.why);
      if (reply.kind === 'over') return settledAs(reply.trigger, idempotencyKey, changes === null);
      if (reply.kind === 'unwritten') {
        const made = await unwritten.send(watch, wanted);
        await shown(watch, id);
        return { ...resultOf(key, trigger, made), onDisk: false };
      }
      if (reply.kind === 'kept') {
        watch.wake();
        return resultOf(key, trigger);
      }
      await sendOne(watch, wanted, reply);
      await shown(watch, id);
      return resultOf(key, trigger);
    }
  }

  async function knownChange(key: TriggerChangeKey): Promise<TriggerChangeRecord | null> {
    const found = journal.triggerChange(key);
    if (key.kind !== 'delete') return found;
    return (await ifReadable(found)) ?? state.triggerChanges.get(triggerChangeKey(key)) ?? null;
  }

  function repeatOf(
    known: TriggerChangeRecord,
    key: TriggerChangeKey,
    trigger: TriggerRecord,
  ): ChangeResult {
    if (known.requestHash !== key.requestHash) throw conflict(key.idempotencyKey, null);
    return { ...resultOf(key, trigger, known), repeated: true };
  }

  /** As the trigger and the change stand now: they may have moved since they were read. */
  function resultOf(
    key: TriggerChangeKey,
    asRead: TriggerRecord,
    known: TriggerChangeRecord | null = null,
  ): ChangeResult {
    const trigger = state.triggers.get(asRead.id) ?? asRead;
    const change = state.triggerChanges.get(triggerChangeKey(key)) ?? known;
    return { trigger, change, idempotencyKey: key.idempotencyKey, repeated: false };
  }

  function watchOf({ broker }: TriggerRecord): TriggerWatch {
    const watch = parts.watches.get(broker);
    if (watch) return watch;
    const detail = `${broker} is not configured: nothing can be sent to it or read from it`;
    throw new GatewayProblem({ code: 'no_broker', detail, mayHaveExecuted: false });
  }

  return {
    change,
    async deleteKept(id) {
      const { caller } = required(state.triggers, id, 'trigger');
      const command = { id, caller, idempotencyKey: null, changes: null, lastPrice: null };
      try {
        const { change: made } = await change({ ...command, forcedBy: null });
        if (made?.state !== 'refused') return;
        const message = `the deletion of trigger ${id} was refused (${made.reason ?? ''}): look at it in the broker's app`;
        await parts.commitRetry.commit((current) =>
          decideAlert(current, { level: 'critical', message, at: clock.now() }),
        );
      } catch (error) {
        const reason = messageOf(error);
        parts.log.warn('a kept deletion of a trigger did not go through', { orderId: id, reason });
      }
    },
  };
}

/** A trigger that waits no more: to delete it is done, unless it has placed its order. */
function settledAs(
  trigger: TriggerRecord,
  idempotencyKey: string,
  isDeletion: boolean,
): ChangeResult {
  if (!isDeletion || trigger.state.kind === 'triggered') {
    throw stateProblem(trigger, 'nothing about it can change');
  }
  return { trigger, change: null, idempotencyKey, repeated: false };
}
