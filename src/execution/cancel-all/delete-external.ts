import { notSent } from '../../domain/outcome.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type SingleWriter } from '../../platform/single-writer.ts';
import type { Decision } from '../../platform/single-writer.ts';
import { type Change, isSameAccount } from '../journal/records.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { ownerOf } from '../triggers/match-trigger.ts';
import { brokenPort, ofThisTrigger } from '../triggers/send-trigger.ts';
import type { TriggerWatch } from '../triggers/trigger-watch.ts';
import type { ExternalTriggerOfRun } from './cancel-run.ts';
import { noteExternalTrigger } from './decide-run.ts';

export interface DeleteExternalParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly log: Log;
}

/** Who has asked for it. */
export interface DeletionAsked {
  /** Of a request to cancel many its id, else that of the exit. */
  readonly id: string;
  readonly caller: string;
  /** That of the request to cancel many, which notes it as well; null for an exit. */
  readonly idempotencyKey: string | null;
}

export interface ExternalDeletion {
  readonly watch: TriggerWatch;
  readonly wanted: Omit<ExternalTriggerOfRun, 'state'>;
  /** Whose list has shown it; null where that is not known. */
  readonly account: string | null;
}

export type DeleteExternal = (
  asked: DeletionAsked,
  deletion: ExternalDeletion,
) => Promise<TriggerOutcome>;

/**
 * Deletes a trigger that was placed elsewhere: one request, once, on disk before it leaves and with its outcome
 * afterwards, each with an event. Never rejects for what a broker answers.
 */
export function createDeleteExternal(parts: DeleteExternalParts): DeleteExternal {
  const { writer, commitRetry, clock } = parts;

  return async function deleteExternal(
    asked: DeletionAsked,
    { watch, wanted, account }: ExternalDeletion,
  ): Promise<TriggerOutcome> {
    const { trading, calls } = watch.of;
    const { broker, triggerId } = wanted;
    const blocked = trading.blocked('way_out');
    if (blocked) return blocked;
    const now = (await trading.account?.()) ?? null;
    if (now !== null && account !== null && !isSameAccount(now, account)) {
      return notSent('not_open', 'another user has logged in since the list was read');
    }
    if (ownerOf(writer.state, broker, triggerId) !== null) {
      return notSent(
        'not_open',
        'it has turned out to be a trigger of the gateway: delete that one',
      );
    }
    const note = (outcome: TriggerOutcome | null) => (current: ExecutionState) =>
      decideNote(current, { asked, wanted, outcome, at: clock.now() });
    try {
      await writer.submit(note(null));
    } catch (error) {
      if (!(error instanceof CommitError)) throw error;
      // A deletion opens no risk, whether it is known afterwards or not: a full disk does not stop it.
      parts.log.error('a deletion of a trigger placed elsewhere could not be written; it is sent', {
        ...{ broker, triggerId },
      });
    }
    const answer = await calls.remove(triggerId).catch(brokenPort);
    const outcome = ofThisTrigger(answer, triggerId);
    await commitRetry.commit(note(outcome));
    return outcome;
  };
}

function decideNote(
  state: ExecutionState,
  {
    asked: { id, caller, idempotencyKey },
    wanted,
    outcome,
    at,
  }: {
    readonly asked: DeletionAsked;
    readonly wanted: ExternalDeletion['wanted'];
    /** Null before it leaves. */
    readonly outcome: TriggerOutcome | null;
    readonly at: UnitOfWork['at'];
  },
): Decision<Change, null> {
  const unit = new UnitOfWork(state, at);
  const { broker, triggerId, instrument } = wanted;
  if (idempotencyKey !== null) {
    const run = { caller, idempotencyKey };
    noteExternalTrigger(unit, run, wanted, outcome?.kind === 'not_sent' ? 'wanted' : 'sent');
  }
  const detail = outcome !== null && 'reason' in outcome ? outcome.reason : null;
  const data = {
    ...{ broker, triggerId, instrument, by: caller, request: id },
    ...{ outcome: outcome?.kind ?? null, detail },
  };
  unit.event('trigger.external_delete', null, data, { caller, broker, instrument });
  return { changes: unit.changes, reply: null };
}
