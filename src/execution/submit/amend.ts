import type { Instrument } from '../../domain/instrument.ts';
import type { OrderModification } from '../../domain/order.ts';
import { uncertain, type Outcome } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { SingleWriter } from '../../platform/single-writer.ts';
import type { CommitRetry } from '../journal/commit-retry.ts';
import type { AmendmentRecord, AmendmentRequest, Change } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { bindingOf, isCancelWanted, isOver, statusOf, type OrderRecord } from '../order/order.ts';
import type { BookPoller } from '../reconcile/book-poller.ts';
import { amendmentRequest, type AmendmentKey, type Once } from './amendment-keys.ts';
import { decideAmend, decideAmended } from './decide-amend.ts';
import { checkTerms, freezeQuantityOf } from './preflight.ts';

export interface AmendParts {
  readonly once: Once;
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly commitRetry: CommitRetry;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly pollerFor: (order: OrderRecord) => BookPoller;
  readonly instrumentOf: (order: OrderRecord) => Instrument | null;
  readonly freezeQuantities: ReadonlyMap<string, number>;
}

export interface AmendResult {
  readonly order: OrderRecord;
  /** False while it is open whether the change has happened. */
  readonly settled: boolean;
  /** The key had been used for this: nothing was sent now. */
  readonly repeated: boolean;
}

export interface Amend {
  /** `changes` null cancels. Resolves with the order as it then stands. */
  amend(
    orderId: string,
    changes: OrderModification | null,
    key: AmendmentKey | null,
  ): Promise<AmendResult>;
}

const PERMIT_MS = 5_000;

/** Cancels and modifies: journalled like a placing, and answered by the broker's row alone. */
export function createAmend(parts: AmendParts): Amend {
  const { writer, commitRetry, clock, ids } = parts;
  const { state } = writer;
  const orderNow = (orderId: string): OrderRecord => required(state.orders, orderId, 'order');

  async function amend(
    orderId: string,
    changes: OrderModification | null,
    key: AmendmentKey | null,
  ): Promise<AmendResult> {
    const order = orderNow(orderId);
    if (order.state.kind !== 'sliced') return amendUnderKey(orderId, changes, key);
    if (isOver(order)) throw impossible(order, `the order is ${statusOf(order)}`);
    if (changes !== null) {
      throw impossible(order, 'the order went out in slices: each is modified under its own id');
    }
    return cancelSlices(orderId, key);
  }

  /** Cancels each slice for itself: one that cannot be cancelled does not keep the others open. */
  async function cancelSlices(orderId: string, key: AmendmentKey | null): Promise<AmendResult> {
    const open = [...(state.slicesOf.get(orderId) ?? [])].filter((id) => !isOver(orderNow(id)));
    const results = await Promise.allSettled(open.map((id) => amendUnderKey(id, null, key)));
    for (const [index, id] of open.entries()) {
      const result = results[index];
      if (result?.status === 'rejected' && !isOver(orderNow(id))) throw result.reason;
    }
    const settled = results.every((result) => result.status === 'rejected' || result.value.settled);
    const repeated = results.some(
      (result) => result.status === 'fulfilled' && result.value.repeated,
    );
    return { order: orderNow(orderId), settled, repeated };
  }

  async function amendUnderKey(
    orderId: string,
    changes: OrderModification | null,
    key: AmendmentKey | null,
  ): Promise<AmendResult> {
    const method = changes === null ? 'cancel' : 'modify';
    const request = key && amendmentRequest(method, orderId, changes, key);
    return parts.once(
      request,
      () => amendOne(orderId, changes, request),
      (row) => repeatOf(row),
    );
  }

  /** The order as it now stands; the request under this key was sent before. */
  function repeatOf({ orderId, attemptId, method }: AmendmentRecord): AmendResult {
    const order = orderNow(orderId);
    const attempt = attemptId === null ? undefined : state.attempts.get(attemptId);
    const isAnswered = attempt?.state.kind === 'acknowledged' || attempt?.state.kind === 'refused';
    const settled = isOver(order) || (method === 'modify' && isAnswered);
    return { order, settled, repeated: true };
  }

  async function amendOne(
    orderId: string,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
  ): Promise<AmendResult> {
    const repeated = false;
    const outcome = await amendOnce(orderId, changes, request);
    if (outcome === null) return { order: orderNow(orderId), settled: false, repeated };
    const order = await readAgain(orderId);
    if (isOver(order)) {
      // A cancel that lost its race has been answered: by the fill.
      if (changes === null || outcome.kind === 'acknowledged')
        return { order, settled: true, repeated };
      if (outcome.kind === 'uncertain') return { order, settled: false, repeated };
      throw impossible(order, `the order is ${statusOf(order)}`);
    }
    // Kept: it goes out again, so "the order stands as it was" would not stay true.
    if (changes === null && isCancelWanted(order)) return { order, settled: false, repeated };
    if (outcome.kind === 'refused') throw refusedProblem(order, outcome.reason);
    if (outcome.kind === 'not_sent') throw notSentProblem(order, outcome.reason);
    // A cancel is done when the row says so; a modification when the broker has taken it.
    return { order, settled: changes !== null && outcome.kind === 'acknowledged', repeated };
  }

  /** Null when nothing was to be sent: a cancel that is kept, or one that is under way. */
  async function amendOnce(
    orderId: string,
    changes: OrderModification | null,
    request: AmendmentRequest | null,
  ): Promise<Outcome | null> {
    const poller = parts.pollerFor(orderNow(orderId));
    const { trading } = poller;
    // Whether it waits still, or is at the exchange, decides how it is changed: its row tells.
    if (isBeforeExchange(orderNow(orderId)) && poller.recovering()) await readAgain(orderId);
    if (changes !== null) checkChanges(orderNow(orderId), changes);
    if (bindingOf(orderNow(orderId)) !== null) {
      const blocked = trading.blocked() ?? (await trading.permit(PERMIT_MS));
      if (blocked) return blocked;
    }
    const reply = await writer.submit((current) =>
      decideAmend(current, {
        orderId,
        attemptId: `att_${ids.uuid7(clock.now())}`,
        changes,
        request,
        at: clock.now(),
      }),
    );
    if (reply.kind === 'impossible') throw impossible(reply.order, reply.reason);
    if (reply.kind !== 'sending') return null;
    const { attempt, order, brokerOrderId } = reply;
    const outcome = await send(trading, order, brokerOrderId, attempt.id, changes);
    await commitRetry.commit((current) =>
      decideAmended(current, { attemptId: attempt.id, outcome, at: clock.now() }),
    );
    return outcome;
  }

  /** The order as it would be has to make sense. */
  function checkChanges(order: OrderRecord, changes: OrderModification): void {
    const instrument = parts.instrumentOf(order);
    if (!instrument) return;
    const terms = {
      ...order.terms,
      quantity: changes.quantity ?? order.terms.quantity,
      price: changes.price ?? order.terms.price,
      triggerPrice: changes.triggerPrice ?? order.terms.triggerPrice,
    };
    // Its type may change with it; what has no price then is the broker's to say.
    if (changes.orderType !== null) return;
    checkTerms(terms, instrument);
    const most = freezeQuantityOf(instrument, parts.freezeQuantities);
    if (changes.quantity !== null && most !== null && changes.quantity > most) {
      throw new GatewayProblem({
        code: 'invalid_request',
        detail: `the exchange takes at most ${most} of ${instrument.name} in one order`,
        mayHaveExecuted: false,
      });
    }
  }

  async function send(
    trading: Trading,
    order: OrderRecord,
    brokerOrderId: string,
    attemptId: string,
    changes: OrderModification | null,
  ): Promise<Outcome> {
    const blocked = trading.blocked();
    if (blocked) return blocked;
    const instrument = parts.instrumentOf(order) ?? bareInstrument(order);
    const amo = isBeforeExchange(order);
    const request = { attemptId, brokerOrderId, instrument };
    try {
      if (changes === null) {
        const brokerOrderType = bindingOf(order)?.row?.orderType ?? null;
        return await trading.cancel({ ...request, brokerOrderType, amo });
      }
      return await trading.modify({ ...request, terms: { ...order.terms, amo }, changes });
    } catch (error) {
      return uncertain({ kind: 'transport', message: String(error) });
    }
  }

  /** The row tells. Where it cannot be read now, the order stays as it was known. */
  async function readAgain(orderId: string): Promise<OrderRecord> {
    const poller = parts.pollerFor(orderNow(orderId));
    try {
      await poller.read(clock.elapsed());
    } catch {
      poller.wake();
    }
    return orderNow(orderId);
  }

  return { amend };
}

/** Whether it is an after-market order that the exchange has not got yet, as far as is known. */
const isBeforeExchange = (order: OrderRecord): boolean =>
  order.terms.amo && (bindingOf(order)?.exchangeOrderId ?? null) === null;

/** What the journal knows of an order's instrument: a cancel does not wait for the lists to load. */
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

function impossible(order: OrderRecord, detail: string): GatewayProblem {
  return new GatewayProblem({ code: 'order_state', detail, broker: order.broker });
}

function refusedProblem(order: OrderRecord, reason: string): GatewayProblem {
  const detail = `${order.broker} refused: ${reason}`;
  return new GatewayProblem({ code: 'change_refused', detail, broker: order.broker });
}

function notSentProblem(order: OrderRecord, reason: string): GatewayProblem {
  return new GatewayProblem({
    code: 'order_not_sent',
    detail: `${reason}; nothing was sent, and the order stands as it was`,
    broker: order.broker,
    mayHaveExecuted: false,
    retrySafe: true,
  });
}
