import { notSent, type NotSent, uncertain } from '../../domain/outcome.ts';
import type { TriggerOutcome } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { CommitError } from '../../platform/single-writer.ts';
import type { TriggerId } from '../../units/branded.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { brokerTimeNow } from '../reconcile/broker-clock.ts';
import { brakeProblem } from '../submit/brakes.ts';
import { askedAtLast } from '../submit/last-look.ts';
import { LEAVES_WITHIN_MS, lateNow } from '../submit/late-orders.ts';
import { notSentProblem } from '../submit/place-command.ts';
import { brokerDayOf, checkLegs, legsNow, onlyReduces } from './check-legs.ts';
import { baselineOf, type Ready } from './prepare-trigger.ts';
import {
  brakeOnLegs,
  type CheckedLeg,
  decidePlaceTrigger,
  decideTriggerPlaced,
  type PlaceTriggerReply,
} from './decide-trigger.ts';
import type { TriggerCommand, TriggerParts } from './trigger-parts.ts';
import type { TriggerRecord } from './trigger.ts';
import type { TriggerWatch } from './trigger-watch.ts';

export type Keyed = TriggerCommand & { readonly idempotencyKey: string };

interface Sent {
  readonly trigger: TriggerRecord;
  /** The key had made it before: nothing was sent now. */
  readonly isKnown: boolean;
}

export type SendTrigger = (
  watch: TriggerWatch,
  asked: { readonly command: Keyed; readonly hash: string; readonly ready: Ready },
) => Promise<Sent>;

/** Sends a trigger that has been prepared: checks its account, reads the list, commits, sends once, commits. */
export function createSendTrigger(parts: TriggerParts): SendTrigger {
  const { writer, journal, clock } = parts;
  const { state } = writer;

  return sendOne;

  async function sendOne(
    watch: TriggerWatch,
    asked: { readonly command: Keyed; readonly hash: string; readonly ready: Ready },
  ): Promise<Sent> {
    const { command, hash, ready } = asked;
    const { idempotencyKey, instrument, request } = command;
    const { trading } = watch.of;
    const { id, lastPrice } = ready;
    for (;;) {
      const legs = await checkLegs(parts, ready.legsOf, ready.deadline);
      const wayOut = onlyReduces(parts, legs, null);
      const blocked = trading.blocked(wayOut ? 'way_out' : 'place');
      if (blocked) throw notSentProblem(blocked);
      const baseline = await baselineOf(parts, watch, wayOut);
      const reply = await write(command, () =>
        writer.submit((current) =>
          decidePlaceTrigger(current, {
            ...{ id, caller: command.caller, idempotencyKey, requestHash: hash },
            ...{ broker: trading.broker, mode: trading.mode, lastPrice, legs },
            terms: { instrument: instrument.name, legs: request.legs },
            ...baseline,
            // The list that was read just before has told the time.
            brokerAt: brokerTimeNow(trading, clock) ?? parts.pollerOf(trading).now(),
            at: clock.now(),
            day: brokerDayOf(parts, trading),
          }),
        ),
      );
      if (reply.kind === 'account_unread') continue;
      if (reply.kind === 'known') return { trigger: reply.trigger, isKnown: true };
      if (reply.kind === 'braked') throw brakeProblem(reply.brake);
      if (reply.kind === 'duplicate_open') {
        const why = `trigger ${reply.id} has the same terms, and its outcome is open`;
        throw notSentProblem(notSent('duplicate', why));
      }
      const outcome = await requestOnce(parts, watch, { command, id, legs, lastPrice, wayOut });
      watch.ended(id);
      const trigger = await parts.commitRetry.commit((current) =>
        decideTriggerPlaced(current, { id, outcome, at: clock.now() }),
      );
      parts.changed.notify();
      watch.wake();
      const now = trigger ?? required(state.triggers, id, 'trigger');
      return { trigger: now, isKnown: false };
    }
  }

  async function write(
    { caller, idempotencyKey }: Keyed,
    decide: () => Promise<PlaceTriggerReply>,
  ): Promise<PlaceTriggerReply> {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof CommitError)) throw error;
      const used = await journal.triggerUnderKey(caller, idempotencyKey);
      if (used) return { kind: 'known', trigger: used };
      const detail = 'the trigger could not be written to disk, so it was not sent';
      const fields = { code: 'journal_unavailable', detail, mayHaveExecuted: false } as const;
      throw new GatewayProblem(fields, error);
    }
  }
}

/** Whether it may leave is asked again in the turn in which it is written. */
async function requestOnce(
  parts: TriggerParts,
  { of }: TriggerWatch,
  asked: {
    readonly command: TriggerCommand;
    readonly id: TriggerId;
    readonly legs: readonly CheckedLeg[];
    readonly lastPrice: number;
    readonly wayOut: boolean;
  },
): Promise<TriggerOutcome> {
  const { command, id, legs, lastPrice, wayOut } = asked;
  const { instrument, request } = command;
  const limits = [{ since: command.arrived, withinMs: LEAVES_WITHIN_MS }];
  let kept: NotSent | null = null;
  const whyKept = (): NotSent | null => {
    kept =
      deletedBefore(parts.writer.state, id) ??
      keptBack(parts, legs, id) ??
      lateNow(parts.clock, limits, () => wayOut);
    return kept;
  };
  const stopped = whyKept();
  if (stopped) return stopped;
  const { mayLeave } = askedAtLast(of.trading, whyKept);
  try {
    const terms = { instrument: instrument.name, legs: request.legs };
    const outcome = await of.calls.place({ terms, instrument, lastPrice, wayOut, mayLeave });
    return outcome.kind === 'not_sent' ? (kept ?? outcome) : outcome;
  } catch (error) {
    // A broker's port answers an outcome. If it throws all the same, nothing is known.
    return brokenPort(error);
  }
}

/** An acknowledgement that names another trigger may be the answer to another request (decision 0085). */
export function ofThisTrigger(answer: TriggerOutcome, triggerId: string): TriggerOutcome {
  if (answer.kind !== 'acknowledged' || answer.triggerId === triggerId) return answer;
  const reason = `the broker's answer names another trigger, ${answer.triggerId}`;
  return { kind: 'uncertain', reason, failure: { kind: 'bad_payload', message: reason } };
}

/** If a port throws, nothing is known of what it has sent. */
export function brokenPort(error: unknown): TriggerOutcome {
  const outcome = uncertain({ kind: 'transport', message: String(error) });
  if (outcome.kind !== 'uncertain') throw new Error('an uncertain outcome is uncertain');
  return outcome;
}

function deletedBefore(state: ExecutionState, id: TriggerId): NotSent | null {
  const { isDeleteWanted } = required(state.triggers, id, 'trigger');
  const isDeleted = isDeleteWanted || state.cancelsNotOnDisk.has(id);
  return isDeleted ? notSent('not_open', 'it was deleted before it was sent') : null;
}

/** Why a trigger that is on disk does not leave any more; null where it does. */
export function keptBack(
  parts: TriggerParts,
  legs: readonly CheckedLeg[],
  except: TriggerId | null,
): NotSent | null {
  if (parts.closing()) return notSent('closing', 'the gateway is stopping');
  const found = brakeOnLegs(parts.writer.state, legsNow(parts, legs), except);
  return found?.kind === 'braked' ? notSent(found.brake.code, found.brake.reason) : null;
}
