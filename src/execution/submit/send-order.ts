import { momentOf } from '../../platform/clock.ts';
import { qualifiedSecurityId } from '../../domain/instrument.ts';
import { type OrderTerms, withMarks } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import { notSent, type NotSent, type Outcome } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import { CommitError, type Decision } from '../../platform/single-writer.ts';
import type { Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import type { PlaceAttemptRecord } from '../order/attempt.ts';
import type { Answered } from '../order/settle-place.ts';
import { reasonOf, type OrderRecord } from '../order/order.ts';
import { decideNotSent, decidePlaced, decideSend, type SendReply } from './decide-place.ts';
import { brakeProblem } from './brakes.ts';
import { brokerTimeNow } from '../reconcile/broker-clock.ts';
import { type Checked, guardExit, knowledgeNow } from './guards.ts';
import {
  notSentProblem,
  type PlaceCommand,
  type PlaceResult,
  type SubmitParts,
  type TimeLimit,
  timesAt,
} from './place-command.ts';
import { believeRefusal } from './confirm-refusal.ts';
import { isLate, LEAVES_WITHIN_MS, tooLate } from './late-orders.ts';
import { purposeOf, requestOnce } from './last-look.ts';
import { createOrderTiming, type OrderTiming } from './order-timing.ts';
import type { OrderCommand, SendCommand } from './send-command.ts';
import { createPrepare, notOfAccount, type Preparation, type Prepare } from './prepare.ts';
import { askedBy, conflict, isSameRequest, spellingOf } from './request-identity.ts';
import { type ElapsedMs, type EpochMs, type OrderId, plus } from '../../units/branded.ts';

/** How long a caller waits, all in all, for what has to be there before an order may be sent. */
export const PREPARING_MS = 5_000;
export const NO_BROKER = notSent(
  'not_open',
  'no broker takes orders now: GET /api/v1/brokers says why',
);

/** One order on its way to the first of its candidate brokers that takes it: a caller's, or a slice. */
export interface Outgoing {
  readonly command: PlaceCommand;
  readonly candidates: readonly Trading[];
  readonly orderId: OrderId;
  readonly idempotencyKey: string;
  readonly requestHash: string;
  readonly terms: OrderTerms;
  /** When it is late, counted from the arrival of its request; of a slice, of the whole order's. */
  readonly limit: TimeLimit;
  /** The limits that it has to keep; null for none, and for a slice: the whole order has passed them. */
  readonly limits: AppliedLimits | null;
}

export interface SendOrder {
  /** Tries its candidate brokers in turn, until one has taken it or may have; commits what came of it. */
  sendOne(outgoing: Outgoing): Promise<PlaceResult>;
}

export function createSendOrder(parts: SubmitParts): SendOrder {
  const { writer, commitRetry, clock, ids, changed, accounts, pollerOf } = parts;
  const { state } = writer;
  const guard = { ...parts, state };
  const prepare = createPrepare(guard);

  async function sendOne(outgoing: Outgoing): Promise<PlaceResult> {
    const { command, candidates, orderId, idempotencyKey, terms } = outgoing;
    const checkedAt = (trading: Trading): Checked => checkedOf(outgoing, trading);
    const begun = momentOf(clock);
    const deadline = plus(begun.elapsed, PREPARING_MS);
    const ofItself = [outgoing.limit, { since: begun, withinMs: LEAVES_WITHIN_MS }];
    const limits = command.within ? [...ofItself, command.within] : ofItself;
    // The record of a slice exists before the slice is sent.
    let order: OrderRecord | null = state.orders.get(orderId) ?? null;
    let why: NotSent = command.blocked ?? NO_BROKER;
    for (const trading of candidates) {
      try {
        await guardExit(guard, trading, terms, command, { orderId, deadline });
        const sent = await sendTo(trading);
        if (sent.kind === 'known') return repeat(sent.order, command, idempotencyKey);
        if (sent.kind === 'settled') return { order: sent.order, idempotencyKey, repeated: false };
        why = sent.why;
        order = sent.order ?? order;
        if (isLate(why)) break;
      } catch (error) {
        // Once an attempt is on disk, the order has used its key, and says itself what became of it.
        if (order === null) throw error;
        if (error instanceof GatewayProblem) why = notSent('not_open', error.fields.detail);
        break;
      }
    }
    if (order === null) throw notSentProblem(why);
    return { order: await closeUnsent(parts, order, why.reason), idempotencyKey, repeated: false };

    /** One candidate broker: prepare, commit, send, commit the outcome. */
    async function sendTo(
      trading: Trading,
    ): Promise<
      | { kind: 'known'; order: OrderRecord }
      | { kind: 'settled'; order: OrderRecord }
      | { kind: 'not_sent'; why: NotSent; order: OrderRecord | null }
    > {
      for (;;) {
        const timing = createOrderTiming(clock, outgoing.limit.since);
        const within = { deadline, limits };
        const checked = checkedAt(trading);
        const prepared = await prepareInTime(parts, prepare, trading, checked, within, command);
        if ('kind' in prepared) return { kind: 'not_sent', why: prepared, order: null };
        const reply = await commitSend(trading, prepared);
        if (reply.kind === 'duplicate_open' || reply.kind === 'account_unread') continue;
        if (reply.kind === 'known') return reply;
        if (reply.kind === 'braked') throw brakeProblem(reply.brake);
        if (reply.kind === 'stopped') {
          return { kind: 'not_sent', why: notSent('not_open', reply.reason), order: null };
        }
        const sent = { outgoing, prepared, limits, timing };
        const { answer, answered } = await sendOnce(parts, trading, reply.attempt, sent);
        const poller = pollerOf(trading);
        const outcome = await believeRefusal(parts, poller, reply.attempt.id, answer);
        const isLast = candidates.at(-1) === trading || isLate(outcome);
        const settled = await commitRetry.commit((current, isLateCommit) =>
          decidePlaced(current, {
            ...{ attemptId: reply.attempt.id, outcome, answered },
            // Once its caller has been answered, nobody tries another broker.
            last: isLast || isLateCommit,
            at: clock.now(),
          }),
        );
        changed.notify();
        parts.onTimes?.(trading, answered.times);
        if (outcome.kind === 'acknowledged') poller.wakeSoon();
        else poller.schedule();
        if (outcome.kind === 'not_sent' && settled !== null && !isLast) {
          return { kind: 'not_sent', why: outcome, order: settled };
        }
        return { kind: 'settled', order: required(state.orders, orderId, 'order') };
      }
    }

    function commitSend(trading: Trading, prepared: Preparation): Promise<SendReply> {
      return writeBeforeSend(parts, outgoing, (current) =>
        decideSend(current, {
          ...orderCommand(outgoing, timesAt(parts, trading)),
          attemptId: `att_${ids.uuid7(clock.now())}`,
          tag: ids.tag(clock.now(), parts.tagMark),
          ...traitsOf(trading),
          ...marksOf(current, trading, outgoing),
          baseline: prepared.baseline,
          unwatched: prepared.unwatched,
          account: prepared.account,
          brokerAt: brokerTimeNow(trading, clock),
          knowledge: knowledgeNow(accounts, checkedAt(trading), prepared),
        }),
      );
    }
  }

  return { sendOne };
}

const checkedOf = (
  { command, terms, orderId, limits }: Outgoing,
  { broker, mode }: Trading,
): Checked => ({
  ...{ broker, mode, terms, orderId, limits },
  ...{ caller: command.caller, forcedBy: command.forcedBy },
});

/** What the decision to send has to know of the broker itself. */
const traitsOf = ({ broker, mode, tagging, marketAsLimit }: Trading) => ({
  ...{ broker, mode, marketAsLimit: marketAsLimit === true },
  tagSent: tagging !== 'never',
});

/** What the request carries besides: of the order, else of its key, else of the settings of the broker. */
const marksOf = (
  { keys }: ExecutionState,
  trading: Trading,
  { command, terms }: Outgoing,
): Pick<SendCommand, 'marks'> =>
  trading.marks === undefined
    ? {}
    : { marks: trading.marks(withMarks(terms, keys.get(command.caller)?.marks)) };

/** Sends a request that is on disk, unless it is late by now. */
async function sendOnce(
  parts: SubmitParts,
  trading: Trading,
  attempt: PlaceAttemptRecord,
  sent: {
    readonly outgoing: Outgoing;
    readonly prepared: Preparation;
    readonly limits: readonly TimeLimit[];
    readonly timing: OrderTiming;
  },
): Promise<{ readonly answer: Outcome; readonly answered: Required<Answered> }> {
  const { clock } = parts;
  const { outgoing, limits, timing } = sent;
  timing.committed();
  const leftAt = clock.elapsed();
  const late = await tooLate(parts, checkedOf(outgoing, trading), limits);
  const answer = late ?? (await requestOnce(parts, trading, attempt, sent));
  const times = timing.answered(answer);
  return { answer, answered: { at: clock.now(), toldAt: toldSince(trading, leftAt), times } };
}

/** The time that the broker's own answer told, where one has come since the request left. */
function toldSince({ brokerTime }: Trading, leftAt: ElapsedMs): EpochMs | null {
  const told = brokerTime?.() ?? null;
  return told !== null && told.receivedAt >= leftAt ? told.at : null;
}

/** What an order is asked for with, as the journal keeps it. */
export function orderCommand(
  outgoing: Outgoing,
  times: Pick<OrderCommand, 'at' | 'day'>,
): Omit<OrderCommand, 'broker' | 'mode'> {
  const { command, orderId, idempotencyKey, requestHash, terms, limits } = outgoing;
  const { instrument } = command;
  return {
    orderId,
    caller: command.caller,
    idempotencyKey,
    requestHash,
    callerTag: command.request.tag,
    terms,
    limits,
    scripCode: qualifiedSecurityId(instrument),
    ...spellingOf(command.written, instrument),
    segment: instrument.segment,
    ...times,
  };
}

/** Commits what has to be on disk before a send; throws `journal_unavailable` where it cannot be. */
export async function writeBeforeSend<Reply extends { readonly kind: string }>(
  { writer, journal }: SubmitParts,
  { command, orderId, idempotencyKey }: Outgoing,
  decide: (current: ExecutionState) => Decision<Change, Reply>,
): Promise<Reply | { readonly kind: 'known'; readonly order: OrderRecord }> {
  try {
    return await writer.submit(decide);
  } catch (error) {
    if (!(error instanceof CommitError)) throw error;
    const used = await journal.orderUnderKey(command.caller, idempotencyKey);
    if (used && used.id !== orderId) return { kind: 'known', order: used };
    throw new GatewayProblem(
      {
        code: 'journal_unavailable',
        detail: 'the order could not be written to disk, so it was not sent',
        mayHaveExecuted: false,
      },
      error,
    );
  }
}

/** What an order needs before it may be decided; not sent where getting that took much too long. */
async function prepareInTime(
  parts: SubmitParts,
  prepare: Prepare,
  trading: Trading,
  order: Checked,
  { deadline, limits }: { readonly deadline: ElapsedMs; readonly limits: readonly TimeLimit[] },
  { account = null }: PlaceCommand,
): Promise<Preparation | NotSent> {
  parts.lookAtDisk();
  const purpose = purposeOf(parts, { ...order, ...timesAt(parts, trading) });
  const prepared = await prepare(trading, order, deadline, purpose);
  if ('kind' in prepared) return prepared;
  return (
    notOfAccount(trading, prepared, account) ?? (await tooLate(parts, order, limits)) ?? prepared
  );
}

/** Ends an order that no broker was sent. */
export async function closeUnsent(
  { commitRetry, clock }: SubmitParts,
  order: OrderRecord,
  why: string,
): Promise<OrderRecord> {
  const at = clock.now();
  const reason = reasonOf(order) ?? why;
  const closed = await commitRetry.commit((current) =>
    decideNotSent(current, { orderId: order.id, reason, at }),
  );
  return closed ?? order;
}

/** The order that a key has made, for the request that made it; throws `conflict` for another. */
export function repeat(
  order: OrderRecord,
  { request, instrument }: PlaceCommand,
  idempotencyKey: string,
): PlaceResult {
  if (!isSameRequest(request, instrument, askedBy(order))) throw conflict(idempotencyKey, order);
  return { order, idempotencyKey, repeated: true };
}
