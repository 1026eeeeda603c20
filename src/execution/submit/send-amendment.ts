import { realId } from '../../domain/broker-order.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderModification, Purpose } from '../../domain/order.ts';
import { notSent, uncertain, type Outcome } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { CommitError, type Decision, type SingleWriter } from '../../platform/single-writer.ts';
import type { CommitRetry } from '../journal/journal.ts';
import type { AmendmentRequest, Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { lastBookDay } from '../order/order-day.ts';
import { bindingOf, type OrderRecord } from '../order/order.ts';
import type { Accounts } from '../reconcile/accounts.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { otherAccountReason } from '../reconcile/other-accounts.ts';
import { releasedBy } from '../reconcile/when-made.ts';
import { type AttemptId, type BrokerOrderId, type OrderId, plus } from '../../units/branded.ts';
import {
  type AmendReply,
  decideAmend,
  decideAmended,
  impossible,
  namedIdOf,
} from './decide-amend.ts';
import {
  changeStoppedByBrake,
  checkChange,
  onlyLowers,
  presentTerms,
  termsAfter,
  termsToRepeat,
} from './amended-terms.ts';
import { checkAccount, knowledgeNow } from './guards.ts';
import type { AccountKnowledge } from './brakes.ts';
import { createUnwrittenCancels, type SentAmendment } from './unwritten-cancels.ts';

export interface SendAmendmentParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly log: Log;
  /** Notes how much space the disk has now. */
  readonly lookAtDisk: () => void;
  /** Whether the gateway is stopping: nothing new is begun then. */
  readonly closing: () => boolean;
  readonly accounts: Accounts;
  readonly pollerFor: (order: OrderRecord) => BookPoller;
  readonly instrumentOf: (order: OrderRecord) => Instrument | null;
  readonly freezeQuantities: ReadonlyMap<string, number>;
}

/** What one cancel or modification goes through on its way to the broker. */
export interface SendAmendment {
  /** `changes` null cancels. */
  sendOnce(
    orderId: OrderId,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
  ): Promise<SentAmendment>;
  /** The order after its row was read; as it was known where the book cannot be read now. */
  readAgain(orderId: OrderId): Promise<OrderRecord>;
}

/** How long a change waits for its permit, and a modification for the disk: nobody may want it afterwards. */
const PERMIT_MS = 5_000;
const LATE = notSent(
  'late',
  'writing the change to disk took so long that its price may be outdated',
);
/** A cancel is a way out: it goes out all the same when the book has not been read by then. */
const CONFIRM_MS = 1_000;

export function createSendAmendment(parts: SendAmendmentParts): SendAmendment {
  const { writer, commitRetry, clock, ids } = parts;
  const { state } = writer;
  const cancelUnwritten = createUnwrittenCancels({
    ...parts,
    state,
    again: (orderId) => sendOnce(orderId, null, null),
  });
  const orderNow = (orderId: OrderId): OrderRecord => required(state.orders, orderId, 'order');
  const { readAgain, confirm, foreignReason } = createReadAgain(parts);

  async function sendOnce(
    orderId: OrderId,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
  ): Promise<SentAmendment> {
    parts.lookAtDisk();
    const poller = parts.pollerFor(orderNow(orderId));
    const { trading } = poller;
    // How it is changed depends on whether the exchange has it yet, which only its row shows.
    const isRowNeeded = isExchangeUntold(orderNow(orderId)) && poller.recovering();
    if (isRowNeeded && changes !== null) await readAgain(orderId);
    else if (isRowNeeded || isUnconfirmed(orderNow(orderId))) await confirm(orderId);
    if (changes !== null) {
      const order = orderNow(orderId);
      const { instrumentOf, freezeQuantities } = parts;
      checkChange(presentTerms(state, order), changes, instrumentOf(order), freezeQuantities);
    }
    if (bindingOf(orderNow(orderId)) !== null || namedIdOf(state, orderNow(orderId)) !== null) {
      const purpose = purposeOf(changes);
      const blocked = trading.blocked(purpose) ?? (await trading.permit(PERMIT_MS, purpose));
      if (blocked) return { outcome: blocked, onDisk: true };
      const account = (await trading.account?.()) ?? null;
      const foreign = await foreignReason(orderId, account);
      if (foreign !== null) return { outcome: notSent('not_open', foreign), onDisk: true };
    }
    const knowledge =
      changes === null ? () => null : await lookAtAccount(orderNow(orderId), changes);
    const decide = (current: ExecutionState): Decision<Change, AmendReply> =>
      decideAmend(current, {
        orderId,
        attemptId: `att_${ids.uuid7(clock.now())}`,
        changes,
        request,
        knowledge: knowledge(),
        at: clock.now(),
        day: tradingDay(poller.now()),
      });
    const written = clock.elapsed();
    const reply = await writer.submit(decide).catch((error: unknown) => {
      // A cancel opens no risk, whether it is known afterwards or not: a full disk does not stop it.
      if (changes === null && error instanceof CommitError) return null;
      throw error;
    });
    if (reply === null) {
      const { reply: decided } = decide(state);
      return cancelUnwritten(orderId, decided, (sending) =>
        send(parts, trading, sending.order, sending.brokerOrderId, sending.attempt.id, null),
      );
    }
    if (reply.kind === 'impossible') throw impossible(reply.order, reply.reason);
    if (reply.kind !== 'sending') return { outcome: null, onDisk: true };
    const { attempt, order, brokerOrderId } = reply;
    const now = { known: knowledge(), at: clock.now(), day: tradingDay(poller.now()) };
    const brake = changes && changeStoppedByBrake(state, orderNow(orderId), changes, now);
    // A cancel that is late does no harm.
    const isLate = changes !== null && clock.elapsed() - written > PERMIT_MS;
    const stopped = isLate ? LATE : brake && notSent(brake.code, brake.reason);
    const outcome =
      stopped ?? (await send(parts, trading, order, brokerOrderId, attempt.id, changes));
    await commitRetry.commit((current) =>
      decideAmended(current, {
        ...{ attemptId: attempt.id, sentTo: brokerOrderId },
        ...{ outcome, isRowGone: isRowGone(orderNow(orderId), poller), at: clock.now() },
      }),
    );
    return { outcome, onDisk: true };
  }

  /** Under a brake, what else than the quantity may change depends on the account. */
  async function lookAtAccount(
    order: OrderRecord,
    changes: OrderModification,
  ): Promise<() => AccountKnowledge | null> {
    if (onlyLowers(state, order, changes)) return () => null;
    const present = presentTerms(state, order);
    const { broker, id } = order;
    const checked = { broker, orderId: id, terms: termsAfter(present, changes), forcedBy: null };
    const deadline = plus(clock.elapsed(), PERMIT_MS);
    const check = await checkAccount({ ...parts, state }, checked, deadline);
    return () => knowledgeNow(parts.accounts, checked, check);
  }

  return { sendOnce, readAgain };
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

  /** Why an account cannot change an order, by its own book: that is read again where it lacks it. */
  async function foreignReason(orderId: OrderId, account: string | null): Promise<string | null> {
    const { lastRead } = pollerFor(orderNow(orderId));
    const reason = (): string | null =>
      otherAccountReason(writer.state, orderNow(orderId), account, lastRead());
    if (reason() === null) return null;
    await confirm(orderId);
    return reason();
  }

  return { readAgain, confirm, foreignReason };
}

const purposeOf = (changes: OrderModification | null): Purpose =>
  changes === null ? 'way_out' : 'modify';

/**
 * One request, once. A broker's port answers an outcome; if it throws all the same, nothing is
 * known.
 */
async function send(
  { writer, instrumentOf, pollerFor }: SendAmendmentParts,
  trading: Trading,
  order: OrderRecord,
  brokerOrderId: BrokerOrderId,
  attemptId: AttemptId,
  changes: OrderModification | null,
): Promise<Outcome> {
  const blocked = trading.blocked(purposeOf(changes));
  if (blocked) return blocked;
  const instrument = instrumentOf(order) ?? bareInstrument(order);
  const amo = isBeforeExchange(order, pollerFor(order));
  const request = { attemptId, brokerOrderId, instrument };
  try {
    if (changes === null) {
      const brokerOrderType = bindingOf(order)?.row?.orderType ?? null;
      const held = order.terms.amo ? { amo } : {};
      return await trading.cancel({ ...request, brokerOrderType, ...held });
    }
    const terms = { ...termsToRepeat(writer.state, order, changes), amo };
    return await trading.modify({ ...request, terms, changes });
  } catch (error) {
    return uncertain({ kind: 'transport', message: String(error) });
  }
}

/** Whether it is an after-market order of which no whole row has told that the exchange has it. */
const isExchangeUntold = (order: OrderRecord): boolean =>
  order.terms.amo && realId(bindingOf(order)?.exchangeOrderId) === null;

/**
 * Whether it is an after-market order that the exchange has not got yet, as far as is known. Once the
 * exchange has taken all of them, only a book that was read since then and shows its row can tell that.
 */
function isBeforeExchange(order: OrderRecord, poller: BookPoller): boolean {
  if (!isExchangeUntold(order)) return false;
  const isIts = (row: { readonly brokerOrderId: BrokerOrderId | null }): boolean =>
    row.brokerOrderId !== null && row.brokerOrderId === bindingOf(order)?.brokerOrderId;
  const read = poller.lastRead();
  const unread = read?.unread.find(isIts);
  if (unread) return realId(unread.exchangeOrderId) === null;
  const released = releasedBy(lastBookDay(order));
  if (poller.now() < released) return true;
  return read !== null && read.begunAt >= released && read.rows.some(isIts);
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

/** The instrument from the journal's own data, so that a cancel does not wait for instrument lists. */
function bareInstrument({ terms, scripCode, segment }: OrderRecord): Instrument {
  const [exchange = '', tradingSymbol = ''] = terms.instrument.split(':');
  return {
    name: terms.instrument,
    exchange,
    tradingSymbol,
    segment,
    securityId: scripCode?.split('_')[1] ?? null,
    instrumentToken: null,
    lotSize: 1,
    tickSize: null,
    freezeQuantity: null,
    isin: null,
    displayName: tradingSymbol,
    expiry: null,
    strike: null,
    optionType: null,
  };
}
