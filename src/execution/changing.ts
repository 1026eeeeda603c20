import type { Instrument } from '../domain/instrument.ts';
import type { OrderModification } from '../domain/order.ts';
import { isFinal } from '../domain/order-status.ts';
import { uncertain, type Outcome } from '../domain/outcome.ts';
import type { Trading } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { SingleWriter } from '../platform/single-writer.ts';
import type { BookKeeper } from './book-keeper.ts';
import { checkTerms } from './checks.ts';
import { decideChange, decideChanged } from './decide-change.ts';
import type { Change, OrderRecord } from './records.ts';
import type { Settling } from './settling.ts';
import { freezeQuantityOf } from './slices.ts';
import { isSliced, type ExecutionState } from './state.ts';

export interface ChangingParts {
  readonly writer: SingleWriter<ExecutionState, Change>;
  readonly settling: Settling;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keeperFor: (order: OrderRecord) => BookKeeper;
  readonly instrumentOf: (order: OrderRecord) => Instrument | null;
  readonly freezeQuantities: ReadonlyMap<string, number>;
}

export interface ChangeResult {
  readonly order: OrderRecord;
  /** False while it is open whether the change has happened. */
  readonly settled: boolean;
}

export interface Changing {
  /** `changes` null cancels. Resolves with the order as it then stands. */
  change(orderId: string, changes: OrderModification | null): Promise<ChangeResult>;
}

const PERMIT_MS = 5_000;

/** Cancels and modifies: journalled like a placing, and answered by the broker's row alone. */
export function createChanging(parts: ChangingParts): Changing {
  const { writer, settling, clock, ids } = parts;
  const { state } = writer;

  async function change(orderId: string, changes: OrderModification | null): Promise<ChangeResult> {
    if (!isSliced(state, orderId)) return changeOrder(orderId, changes);
    const order = state.orders.get(orderId)!;
    if (isFinal(order.status)) throw impossible(order, `the order is ${order.status}`);
    if (changes !== null) {
      throw impossible(order, 'the order went out in slices: each is modified under its own id');
    }
    return cancelSlices(orderId);
  }

  /** Each for itself: one that cannot be cancelled does not keep the others from it. */
  async function cancelSlices(orderId: string): Promise<ChangeResult> {
    const open = [...state.slicesOf.get(orderId)!].filter(
      (id) => !isFinal(state.orders.get(id)!.status),
    );
    const results = await Promise.allSettled(open.map((id) => changeOrder(id, null)));
    const failed = results.find((result, index) => {
      const slice = state.orders.get(open[index]!)!;
      return result.status === 'rejected' && !isFinal(slice.status);
    });
    if (failed?.status === 'rejected') throw failed.reason;
    const settled = results.every((result) => result.status === 'rejected' || result.value.settled);
    return { order: state.orders.get(orderId)!, settled };
  }

  async function changeOrder(
    orderId: string,
    changes: OrderModification | null,
  ): Promise<ChangeResult> {
    const outcome = await changeOnce(orderId, changes);
    if (outcome === null) return { order: state.orders.get(orderId)!, settled: false };
    const order = await readAgain(state.orders.get(orderId)!);
    if (isFinal(order.status)) {
      // A cancel that lost its race has been answered: by the fill.
      if (changes === null || outcome.kind === 'acknowledged') return { order, settled: true };
      if (outcome.kind === 'uncertain') return { order, settled: false };
      throw impossible(order, `the order is ${order.status}`);
    }
    // Kept: it goes out again, so "the order stands as it was" would not stay true.
    if (changes === null && order.cancelWanted) return { order, settled: false };
    if (outcome.kind === 'refused') throw refusedProblem(order, outcome.reason);
    if (outcome.kind === 'not_sent') throw notSentProblem(order, outcome.reason);
    // A cancel is done when the row says so; a modification when the broker has taken it.
    return { order, settled: changes !== null && outcome.kind === 'acknowledged' };
  }

  /** Null when nothing was to be sent: a cancel that is kept, or one that is under way. */
  async function changeOnce(
    orderId: string,
    changes: OrderModification | null,
  ): Promise<Outcome | null> {
    const keeper = parts.keeperFor(state.orders.get(orderId)!);
    const { trading } = keeper;
    // Whether it waits still, or is at the exchange, decides how it is changed: its row tells.
    if (waits(state.orders.get(orderId)!) && keeper.recovering()) {
      await readAgain(state.orders.get(orderId)!);
    }
    if (changes !== null) checkChanges(state.orders.get(orderId)!, changes);
    const bound = state.orders.get(orderId)!.brokerOrderId !== null;
    if (bound) {
      const blocked = trading.blocked() ?? (await trading.permit(PERMIT_MS));
      if (blocked) return blocked;
    }
    const reply = await writer.submit((current) =>
      decideChange(current, {
        orderId,
        attemptId: `att_${ids.uuid7(clock.now())}`,
        changes,
        at: clock.now(),
      }),
    );
    if (reply.kind === 'impossible') throw impossible(reply.order, reply.reason);
    if (reply.kind !== 'sending') return null;
    const outcome = await send(trading, reply.order, reply.attempt.id, changes);
    await settling.settle((current) =>
      decideChanged(current, { attemptId: reply.attempt.id, outcome, at: clock.now() }),
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
    attemptId: string,
    changes: OrderModification | null,
  ): Promise<Outcome> {
    const blocked = trading.blocked();
    if (blocked) return blocked;
    const instrument = parts.instrumentOf(order) ?? bareInstrument(order);
    const brokerOrderId = order.brokerOrderId!;
    try {
      if (changes === null) {
        const brokerOrderType = order.row?.orderType ?? null;
        const amo = waits(order);
        return await trading.cancel({
          attemptId,
          brokerOrderId,
          instrument,
          brokerOrderType,
          amo,
        });
      }
      const terms = { ...order.terms, amo: waits(order) };
      return await trading.modify({ attemptId, brokerOrderId, instrument, terms, changes });
    } catch (error) {
      return uncertain({ kind: 'transport', message: String(error) });
    }
  }

  /** The row tells. Where it cannot be read now, the order stays as it was known. */
  async function readAgain(order: OrderRecord): Promise<OrderRecord> {
    const keeper = parts.keeperFor(order);
    try {
      await keeper.read(clock.elapsed());
    } catch {
      keeper.wake();
    }
    return state.orders.get(order.id)!;
  }

  return { change };
}

/** Whether it is an after-market order that the exchange has not got yet, as far as is known. */
const waits = ({ terms, exchangeOrderId }: OrderRecord): boolean =>
  terms.amo && exchangeOrderId === null;

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
