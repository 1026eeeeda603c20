import type { Outcome } from '../../domain/outcome.ts';
import type { Clock, Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type SingleWriter } from '../../platform/single-writer.ts';
import { messageOf } from '../../platform/values.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { brokerOrderIdOf, isCancelWanted, isOver, type OrderRecord } from '../order/order.ts';
import type { AttemptId, BrokerOrderId, ElapsedMs, EpochMs, OrderId } from '../../units/branded.ts';
import { type AmendReply } from './decide-amend.ts';
import { decideGivenUp, decideKept } from './decide-unwritten.ts';
import { impossible } from './impossible-change.ts';
import {
  canBeKept,
  isOpenInItsRow,
  isPassing,
  PAUSE_AFTER_ACKNOWLEDGED_MS,
  staysWanted,
} from './kept-cancels.ts';

export interface SentAmendment {
  /** Null when nothing was to be sent: a cancel that is kept, or one under way. */
  readonly outcome: Outcome | null;
  /** False for a cancel that could not be written: it goes out all the same (docs/orders.md, "The journal"). */
  readonly onDisk: boolean;
}

type Sending = Extract<AmendReply, { kind: 'sending' }>;

/** A cancel that is not on disk, or of which the outcome is not. */
interface Unwritten {
  /** How often it was tried. */
  times: number;
  /** Whether it is under way now, or is to be sent again: its caller was told so. */
  isOpen: boolean;
  /** When it was answered last; of one under way, when it was begun. */
  answeredAt: ElapsedMs;
  isUnderWay: boolean;
  /** Whether somebody was told that it is on its way. */
  isTold: boolean;
  isAcknowledged: boolean;
  /** Whether it was seen to be kept on disk: what becomes of it is written down there. */
  wasKept: boolean;
}

const LOOK_MS = 3_000;
const AGAIN_AT_MOST_MS = 60_000;

const pauseAfter = ({ times }: Unwritten): number =>
  Math.min(LOOK_MS * 2 ** (times - 1), AGAIN_AT_MOST_MS);

/** What the gateway sends by itself waits longer each time. What a caller asks for again goes out once in three seconds. */
function isTooSoon(one: Unwritten, now: ElapsedMs, isOwn: boolean): boolean {
  if (one.isUnderWay) return true;
  // One that came to nothing may be asked for again at once.
  if (!isOwn && !one.isOpen) return false;
  return now - one.answeredAt < (isOwn ? pauseAfter(one) : LOOK_MS);
}

const hasEnded = (order: OrderRecord): boolean => isOver(order) && !isOpenInItsRow(order);

/** Whether a cancel is sent again, by the same rules as one that was written; a null outcome: none was sent. */
function isSentAgain(
  order: OrderRecord,
  sentTo: BrokerOrderId | null,
  outcome: Outcome | null,
  isTold: boolean,
): boolean {
  if (outcome === null || sentTo === null) return true;
  // Whoever was told that it is on its way is not told where a later request does not leave.
  if (outcome.kind === 'not_sent') return isTold;
  if (outcome.kind === 'refused') return isPassing(outcome);
  // Where the order is not found yet, the id that was acknowledged may be nobody's.
  return brokerOrderIdOf(order) === null || staysWanted(order, sentTo, outcome);
}

/** A cancel that is on disk as `sending`, and what the broker has answered. */
interface Answered {
  readonly attemptId: AttemptId;
  /** Nobody else has asked for it. */
  readonly isOwn: boolean;
  readonly sentTo: BrokerOrderId;
  readonly outcome: Outcome;
}

export interface UnwrittenCancels {
  /**
   * Sends a cancel that could not be written. `reply` is what was decided; `isOwn`: nobody else has asked for it now.
   * Rejects with a GatewayProblem where the order cannot be cancelled.
   */
  send(
    orderId: OrderId,
    { reply, isOwn }: { readonly reply: AmendReply; readonly isOwn: boolean },
    request: (sending: Sending) => Promise<Outcome>,
  ): Promise<SentAmendment>;
  /** Whether the next request that nobody asks for has to wait, because the last one could not be written just now. */
  isPausing(orderId: OrderId): boolean;
  /** Takes over a cancel whose outcome could not be written: it holds back no other, and is sent again where it has to be. */
  answered(orderId: OrderId, answered: Answered): SentAmendment;
}

interface UnwrittenParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Whether the gateway is stopping: nothing new is begun then. */
  readonly closing: () => boolean;
  /** Cancels once more, from the beginning. */
  readonly again: (orderId: OrderId) => Promise<SentAmendment>;
}

/**
 * Cancels that cannot be written, on a disk that takes nothing. They go out all the same: a cancel opens
 * no risk, and the order's row shows what came of it. One that has to be sent later, or again, is remembered in
 * memory alone, and sent after 3, 6, 12 seconds and so on, until the disk takes that it is wanted: from then on it
 * is a kept cancel (kept-cancels.ts). An order that has not left yet does not leave any more.
 */
export function createUnwrittenCancels(parts: UnwrittenParts): UnwrittenCancels {
  const { writer, commitRetry, clock, log } = parts;
  const { state } = writer;
  const unwritten = new Map<OrderId, Unwritten>();
  const lookLater = createLooks(parts, unwritten);
  const orderNow = (orderId: OrderId): OrderRecord => required(state.orders, orderId, 'order');

  /** One more request, after those for which a caller was told that the cancel is on its way. */
  function begin(orderId: OrderId, isOwn: boolean): Unwritten {
    const before = unwritten.get(orderId);
    const times = before && (before.isOpen || isOwn) ? before.times : 0;
    const one: Unwritten = {
      ...{ times: times + 1, isTold: times > 0, isOpen: true, isUnderWay: true },
      ...{ answeredAt: clock.elapsed(), isAcknowledged: false, wasKept: false },
    };
    unwritten.set(orderId, one);
    return one;
  }

  /** Goes by what came of a request; `outcome` null: there was nothing to send it to. */
  function settle(
    orderId: OrderId,
    one: Unwritten,
    sentTo: BrokerOrderId | null,
    outcome: Outcome | null,
  ): Outcome | null {
    const { isTold } = one;
    one.isAcknowledged = outcome?.kind === 'acknowledged';
    one.isOpen = isSentAgain(orderNow(orderId), sentTo, outcome, isTold);
    if (isTold && !one.isOpen && outcome?.kind === 'refused') {
      const { reason } = outcome;
      void commitRetry.commit((current) => decideGivenUp(current, orderId, reason, clock.now()));
    }
    lookLater(orderId, one);
    const isAnswer = outcome?.kind === 'acknowledged' || outcome?.kind === 'uncertain';
    return one.isOpen && !isAnswer ? null : outcome;
  }

  return {
    async send(orderId, { reply, isOwn }, request) {
      if (reply.kind === 'impossible') throw impossible(reply.order, reply.reason);
      state.cancelsNotOnDisk.add(orderId);
      const before = unwritten.get(orderId);
      if (before && isTooSoon(before, clock.elapsed(), isOwn)) {
        before.isTold = true;
        return { outcome: null, onDisk: false };
      }
      const one = begin(orderId, isOwn);
      const sending = reply.kind === 'sending' ? reply : null;
      const answer = answerOf(one, clock, async () => sending && (await request(sending)));
      const outcome = await answer.catch((error: unknown) => {
        // Nobody knows whether it has left: it stays one that is to be sent again.
        lookLater(orderId, one);
        throw error;
      });
      const told = settle(orderId, one, sending?.brokerOrderId ?? null, outcome);
      const sent = outcome?.kind ?? 'not sent yet';
      log.error(`a cancel could not be written to disk; it was ${sent}`, { orderId });
      return { outcome: told, onDisk: false };
    },
    isPausing(orderId) {
      const last = unwritten.get(orderId);
      return last !== undefined && isTooSoon(last, clock.elapsed(), true);
    },
    answered(orderId, { attemptId, isOwn, sentTo, outcome }) {
      for (const id of state.outcomesNotOnDisk) {
        if (state.attempts.get(id)?.state.kind !== 'sending') state.outcomesNotOnDisk.delete(id);
      }
      state.outcomesNotOnDisk.add(attemptId);
      const one = begin(orderId, isOwn);
      one.isUnderWay = false;
      // Its key counts as used until that is written, so that a repeat of the request would send nothing.
      if (outcome.kind === 'not_sent') one.isTold = true;
      return { outcome: settle(orderId, one, sentTo, outcome), onDisk: true };
    },
  };
}

/** Looks later whether a cancel can be written down by then, or has to be sent again, until it needs neither. */
function createLooks(
  { writer, clock, scheduler, log, closing, again }: UnwrittenParts,
  unwritten: Map<OrderId, Unwritten>,
): (orderId: OrderId, one: Unwritten) => void {
  const { state } = writer;
  const orderNow = (orderId: OrderId): OrderRecord => required(state.orders, orderId, 'order');

  function forget(orderId: OrderId): void {
    unwritten.delete(orderId);
    state.cancelsNotOnDisk.delete(orderId);
  }

  function lookLater(orderId: OrderId, one: Unwritten): void {
    const pauseMs = one.isAcknowledged ? PAUSE_AFTER_ACKNOWLEDGED_MS : LOOK_MS;
    scheduler.after(pauseMs, () => {
      if (closing() || unwritten.get(orderId) !== one) return;
      void look(orderId, one).catch((error: unknown) => {
        const reason = messageOf(error);
        log.warn('a cancel that could not be written was not sent again', { orderId, reason });
        one.times += 1;
        one.answeredAt = clock.elapsed();
        lookLater(orderId, one);
      });
    });
  }

  async function look(orderId: OrderId, one: Unwritten): Promise<void> {
    if (one.isUnderWay) return;
    const order = orderNow(orderId);
    // One that is kept on disk is sent by the book poller; while the disk is full, its pauses are known here alone.
    if (isCancelWanted(order) && !hasEnded(order)) {
      one.wasKept = true;
      lookLater(orderId, one);
      return;
    }
    const isDone = one.wasKept || !one.isOpen || hasEnded(order);
    if (isDone || (await isKept(writer, orderId, clock.now()))) {
      forget(orderId);
      return;
    }
    if (clock.elapsed() - one.answeredAt >= pauseAfter(one)) {
      const { onDisk } = await again(orderId);
      if (unwritten.get(orderId) !== one) return;
      // What was written goes by the rules of those on disk; where it can be kept, the next look writes that too.
      if (onDisk && !canBeKept(orderNow(orderId))) forget(orderId);
    }
    if (unwritten.get(orderId) === one && !one.isUnderWay) lookLater(orderId, one);
  }

  return lookLater;
}

async function answerOf(
  one: Unwritten,
  clock: Clock,
  send: () => Promise<Outcome | null>,
): Promise<Outcome | null> {
  try {
    return await send();
  } finally {
    one.isUnderWay = false;
    one.answeredAt = clock.elapsed();
  }
}

/** Writes down that a cancel is wanted; false while the disk takes nothing. */
async function isKept(
  writer: SingleWriter<ExecutionState, Change>,
  orderId: OrderId,
  at: EpochMs,
): Promise<boolean> {
  try {
    return await writer.submit((current) => decideKept(current, orderId, at));
  } catch (error) {
    if (error instanceof CommitError) return false;
    throw error;
  }
}
