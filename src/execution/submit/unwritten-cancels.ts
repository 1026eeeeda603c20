import type { Outcome } from '../../domain/outcome.ts';
import type { Scheduler } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { brokerOrderIdOf, isOver, type OrderRecord } from '../order/order.ts';
import type { BrokerOrderId, OrderId } from '../../units/branded.ts';
import { type AmendReply } from './decide-amend.ts';
import { impossible } from './impossible-change.ts';
import { isPassing, PAUSE_AFTER_ACKNOWLEDGED_MS, staysWanted } from './kept-cancels.ts';

export interface SentAmendment {
  /** Null when nothing was to be sent: a cancel that is kept, or one under way. */
  readonly outcome: Outcome | null;
  /** False for a cancel that could not be written: it goes out all the same (docs/orders.md, "The journal"). */
  readonly onDisk: boolean;
}

type Sending = Extract<AmendReply, { kind: 'sending' }>;

/** What is not written is not known later to have been sent: without a pause, a kept cancel would go out at each read. */
const PAUSE_MS = 3_000;

/** Whether a cancel is sent again, by the same rules as one that was written; a null outcome: none was sent. */
function isSentAgain(
  order: OrderRecord,
  sentTo: BrokerOrderId | null,
  outcome: Outcome | null,
): boolean {
  if (outcome === null || sentTo === null) return true;
  if (outcome.kind === 'not_sent') return false;
  if (outcome.kind === 'refused') return isPassing(outcome);
  // Where the order is not found yet, the id that was acknowledged may be nobody's.
  return brokerOrderIdOf(order) === null || staysWanted(order, sentTo, outcome);
}

/**
 * Cancels that cannot be written, on a disk that takes nothing. They go out all the same: a cancel opens
 * no risk, and the order's row shows what came of it. One that has to be sent later, or again, is
 * remembered in memory alone. An order that has not left yet does not leave any more.
 */
export function createUnwrittenCancels(parts: {
  readonly state: ExecutionState;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** Whether the gateway is stopping: nothing new is begun then. */
  readonly closing: () => boolean;
  /** Cancels once more, from the beginning. */
  readonly again: (orderId: OrderId) => Promise<unknown>;
}) {
  const { state, scheduler, log, closing, again } = parts;
  /** Orders with such a cancel in the last seconds. */
  const recent = new Set<OrderId>();

  async function cancelAgain(orderId: OrderId): Promise<void> {
    try {
      await again(orderId);
    } catch (error) {
      const reason = messageOf(error);
      log.warn('a cancel that could not be written did not go through', { orderId, reason });
    }
  }

  /** `reply` is what was decided and could not be written. */
  return async function cancelUnwritten(
    orderId: OrderId,
    reply: AmendReply,
    send: (sending: Sending) => Promise<Outcome>,
  ): Promise<SentAmendment> {
    if (reply.kind === 'impossible') throw impossible(reply.order, reply.reason);
    state.cancelsNotOnDisk.add(orderId);
    if (recent.has(orderId)) return { outcome: null, onDisk: false };
    recent.add(orderId);
    const sending = reply.kind === 'sending' ? reply : null;
    const outcome = sending === null ? null : await send(sending);
    const orderNow = (): OrderRecord => required(state.orders, orderId, 'order');
    const isAgain = isSentAgain(orderNow(), sending?.brokerOrderId ?? null, outcome);
    scheduler.after(PAUSE_MS, () => void recent.delete(orderId));
    const pauseMs = outcome?.kind === 'acknowledged' ? PAUSE_AFTER_ACKNOWLEDGED_MS : PAUSE_MS;
    scheduler.after(pauseMs, () => {
      if (isOver(orderNow())) state.cancelsNotOnDisk.delete(orderId);
      else if (isAgain && !closing()) void cancelAgain(orderId);
    });
    const sent = outcome?.kind ?? 'not sent yet';
    log.error(`a cancel could not be written to disk; it was ${sent}`, { orderId });
    const isKept = isAgain && (outcome === null || outcome.kind === 'refused');
    return { outcome: isKept ? null : outcome, onDisk: false };
  };
}
