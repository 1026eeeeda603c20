import type { Instrument } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderModification, Purpose } from '../../domain/order.ts';
import { notSent, type NotSent, type Outcome } from '../../domain/outcome.ts';
import { type Clock, type Scheduler, sleep, momentOf } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type Decision, type SingleWriter } from '../../platform/single-writer.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { Stalls } from '../journal/stalls.ts';
import type { AmendmentRequest, Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { bindingOf, brokerOrderIdOf, type OrderRecord } from '../order/order.ts';
import type { OrderToChange } from '../order/possible-terms.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { brokerTimeNow } from '../reconcile/broker-clock.ts';
import { otherAccountReason } from '../reconcile/other-accounts.ts';
import type { BrokerOrderId, EpochMs, OrderId } from '../../units/branded.ts';
import { type AmendReply, decideAmend, decideAmended, namedIdOf } from './decide-amend.ts';
import { believeRefusalOfChange } from './confirm-refusal.ts';
import { impossible } from './impossible-change.ts';
import { checkChange, termsToCheck } from './amended-terms.ts';
import { orderToChange } from './order-to-change.ts';
import { brakeProblem } from './brakes.ts';
import {
  type ChangeGuardParts,
  LATE,
  limitsOf,
  lookAtAccount,
  PERMIT_MS,
  whyChangeKept,
} from './change-guards.ts';
import { type ChangeRequest, isExchangeUntold, purposeOf, sendChange } from './change-request.ts';
import { createUnwrittenCancels, type SentAmendment } from './unwritten-cancels.ts';

export interface SendAmendmentParts extends ChangeGuardParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  /** Notes how much space the disk has now. */
  readonly lookAtDisk: () => void;
  readonly stalls: Pick<Stalls, 'mayHaveWaited'>;
  /** Whether the gateway is stopping: nothing new is begun then. */
  readonly closing: () => boolean;
  readonly accounts: Accounts;
  readonly pollerFor: (order: OrderRecord) => BookPoller;
  readonly instrumentOf: (order: OrderRecord) => Instrument | null;
  readonly freezeQuantities: ReadonlyMap<string, number>;
}

/** What one cancel or modification goes through on its way to the broker. */
export interface SendAmendment {
  /** `changes` null cancels; `by` null is the gateway itself. */
  sendOnce(
    orderId: OrderId,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
    by: string | null,
  ): Promise<SentAmendment>;
  /** The order after its row was read; as it was known where the book cannot be read now. */
  readAgain(orderId: OrderId): Promise<OrderRecord>;
}

/** A cancel is a way out: it goes out all the same when the book has not been read by then. */
const CONFIRM_MS = 1_000;

export function createSendAmendment(parts: SendAmendmentParts): SendAmendment {
  const { writer, commitRetry, clock, ids } = parts;
  const { state } = writer;
  const unwrittenCancels = createUnwrittenCancels({
    ...parts,
    again: (orderId) => sendOnce(orderId, null, null, null),
  });
  const orderNow = (orderId: OrderId): OrderRecord => required(state.orders, orderId, 'order');
  const asOf = (orderId: OrderId): EpochMs | null => {
    const order = orderNow(orderId);
    return shownAt(parts.pollerFor(order), brokerOrderIdOf(order));
  };
  const toChange = (orderId: OrderId): OrderToChange =>
    orderToChange(state, orderNow(orderId), asOf(orderId));
  const { readAgain, confirm } = createReadAgain(parts);
  const waitForPermit = createPermits(parts, confirm);

  async function sendOnce(
    orderId: OrderId,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
    by: string | null,
  ): Promise<SentAmendment> {
    const arrived = momentOf(clock);
    parts.lookAtDisk();
    // A change that may have waited while the gateway stood still; a cancel that is late does no harm.
    if (changes !== null && parts.stalls.mayHaveWaited()) return { outcome: LATE, onDisk: true };
    const poller = parts.pollerFor(orderNow(orderId));
    // How it is changed depends on whether the exchange has it yet, which only its row shows.
    const isRowNeeded = isExchangeUntold(orderNow(orderId)) && poller.recovering();
    if (isRowNeeded && changes !== null) await readAgain(orderId);
    else if (isRowNeeded || isUnconfirmed(orderNow(orderId))) await confirm(orderId);
    if (changes !== null) {
      const { instrumentOf, freezeQuantities } = parts;
      const instrument = instrumentOf(orderNow(orderId));
      checkChange(termsToCheck(toChange(orderId), changes), changes, instrument, freezeQuantities);
    }
    // Nothing would leave, and a permit counts all the same.
    if (changes === null && by === null && unwrittenCancels.isPausing(orderId)) {
      return { outcome: null, onDisk: false };
    }
    if (bindingOf(orderNow(orderId)) !== null || namedIdOf(state, orderNow(orderId)) !== null) {
      const blocked = await waitForPermit(orderId, purposeOf(changes));
      if (blocked) return { outcome: blocked, onDisk: true };
    }
    const limits = changes && (await limitsOf(parts, toChange(orderId), changes));
    const knowledge =
      changes === null
        ? () => null
        : await lookAtAccount(parts, toChange(orderId), changes, limits);
    const decide = (current: ExecutionState): Decision<Change, AmendReply> =>
      decideAmend(current, {
        orderId,
        attemptId: `att_${ids.uuid7(clock.now())}`,
        ...{ changes, request, by },
        knowledge: knowledge(),
        limits,
        asOf: asOf(orderId),
        at: clock.now(),
        day: tradingDay(poller.now()),
      });
    const begun = momentOf(clock);
    const reply = await writer.submit(decide).catch((error: unknown) => {
      // A cancel opens no risk, whether it is known afterwards or not: a full disk does not stop it.
      if (changes === null && error instanceof CommitError) return null;
      throw error;
    });
    if (reply === null) {
      const { reply: decided } = decide(state);
      const unwritten = { reply: decided, isOwn: by === null };
      return unwrittenCancels.send(orderId, unwritten, async (sending) => {
        const { order, brokerOrderId, attempt } = sending;
        const asked = { order, brokerOrderId, attemptId: attempt.id, changes: null, asOf: null };
        return (await sendOne(parts, poller, asked)).outcome;
      });
    }
    if (reply.kind === 'braked') throw brakeProblem(reply.brake);
    if (reply.kind === 'impossible') throw impossible(reply.order, reply.reason, reply.code);
    if (reply.kind !== 'sending') return { outcome: null, onDisk: true };
    const { attempt, brokerOrderId } = reply;
    const whyKept = (): NotSent | null =>
      whyChangeKept(parts, toChange(orderId), { changes, arrived, begun, known: knowledge });
    const { order, ...known } = toChange(orderId);
    const sending = { order, brokerOrderId, attemptId: attempt.id, changes, asOf: known.asOf };
    const { outcome, brokerAt } = await sendOne(parts, poller, sending, whyKept);
    const written = await commitRetry.commit((current, isLate) =>
      decideAmended(current, {
        ...{ attemptId: attempt.id, sentTo: brokerOrderId, brokerAt, isLate },
        ...{ outcome, isRowGone: isRowGone(orderNow(orderId), poller), at: clock.now() },
      }),
    );
    if (written !== null || changes !== null) return { outcome, onDisk: true };
    const answered = { attemptId: attempt.id, isOwn: by === null, sentTo: brokerOrderId, outcome };
    return unwrittenCancels.answered(orderId, answered);
  }

  return { sendOnce, readAgain };
}

/** Sends a change once. What came of it, as far as that is believed, and the broker's time at its answer (epoch ms). */
async function sendOne(
  parts: SendAmendmentParts,
  poller: BookPoller,
  request: ChangeRequest,
  whyKept: () => NotSent | null = () => null,
): Promise<{ readonly outcome: Outcome; readonly brokerAt: EpochMs | null }> {
  const { trading } = poller;
  const { order, brokerOrderId, changes } = request;
  const answer = whyKept() ?? (await sendChange(parts, trading, request, whyKept));
  const brokerAt = brokerTimeNow(trading, parts.clock);
  const sent = { brokerOrderId, changes, before: bindingOf(order)?.row ?? null };
  return { outcome: await believeRefusalOfChange(parts, poller, sent, answer), brokerAt };
}

/** When the last book was asked for, where it has a row whole; null where it lacks the row, or there is none. */
function shownAt({ lastRead }: BookPoller, brokerOrderId: BrokerOrderId | null): EpochMs | null {
  const read = lastRead();
  const isIn = read?.rows.some((row) => row.brokerOrderId === brokerOrderId) ?? false;
  return isIn ? (read?.begunAt ?? null) : null;
}

/** Reads the row of an order once more. */
function createReadAgain({ writer, clock, scheduler, pollerFor }: SendAmendmentParts) {
  const orderNow = (orderId: OrderId): OrderRecord =>
    required(writer.state.orders, orderId, 'order');

  async function readAgain(orderId: OrderId): Promise<OrderRecord> {
    const poller = pollerFor(orderNow(orderId));
    try {
      await poller.read(clock.elapsed());
    } catch {
      poller.wake();
    }
    return orderNow(orderId);
  }

  /** Reads the book for what decides where a change goes; briefly, since a cancel is a way out. */
  async function confirm(orderId: OrderId): Promise<void> {
    const done = new AbortController();
    await Promise.race([readAgain(orderId), sleep(scheduler, CONFIRM_MS, done.signal)]);
    done.abort();
  }

  return { readAgain, confirm };
}

/**
 * Waits for a permit to change an order; resolves with why there is none. A permit counts against the broker's limits also
 * where nothing leaves, so none is taken for an order of another account. Another user may log in during the wait.
 */
function createPermits(
  { writer, pollerFor }: SendAmendmentParts,
  confirm: (orderId: OrderId) => Promise<void>,
): (orderId: OrderId, purpose: Purpose) => Promise<NotSent | null> {
  const orderNow = (orderId: OrderId): OrderRecord =>
    required(writer.state.orders, orderId, 'order');

  /** Why an account cannot change an order, by its own book: that is read again where it lacks it. */
  async function foreignReason(orderId: OrderId, account: string | null): Promise<string | null> {
    const { lastRead } = pollerFor(orderNow(orderId));
    const reason = (): string | null =>
      otherAccountReason(writer.state, orderNow(orderId), account, lastRead());
    if (reason() === null) return null;
    await confirm(orderId);
    return reason();
  }

  async function whyForeign(orderId: OrderId): Promise<NotSent | null> {
    const { trading } = pollerFor(orderNow(orderId));
    const account = (await trading.account?.()) ?? null;
    const foreign = await foreignReason(orderId, account);
    return foreign === null ? null : notSent('not_open', foreign);
  }

  return async function waitForPermit(orderId, purpose) {
    const { trading } = pollerFor(orderNow(orderId));
    const blocked = trading.blocked(purpose) ?? (await whyForeign(orderId));
    return blocked ?? (await trading.permit(PERMIT_MS, purpose)) ?? (await whyForeign(orderId));
  };
}

/** Whether the last book that was read lacks the row of an order that an earlier one had shown. */
function isRowGone(order: OrderRecord, { lastRead }: BookPoller): boolean {
  const read = lastRead();
  const binding = bindingOf(order);
  if (read === null || binding === null || binding.row === null) return false;
  const isIts = (row: { readonly brokerOrderId: BrokerOrderId | null }): boolean =>
    row.brokerOrderId === binding.brokerOrderId;
  return !read.rows.some(isIts) && !read.unread.some(isIts);
}

/** Whether it is bound to an acknowledged id alone: no book has shown that row yet. */
function isUnconfirmed(order: OrderRecord): boolean {
  const binding = bindingOf(order);
  return binding?.by === 'id' && binding.row === null;
}
