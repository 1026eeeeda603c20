import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import { isFinal, type OrderModification, type OrderRequest } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import { type Clock, momentOf } from '../platform/clock.ts';
import type { InstrumentDirectory } from '../instruments/directory.ts';
import type { Execution } from '../execution/execution.ts';
import type { ResolveSpelling } from '../execution/submit/request-identity.ts';
import { type OrderRecord } from '../execution/order/order.ts';
import { orderResponse } from '../execution/order/order-response.ts';
import type { CallContext, ExecutionResult, Gateway } from './gateway.ts';
import type { OrderReads } from './order-reads.ts';
import { tradingCandidates, type BrokerView } from './policy.ts';
import { asProblems } from './problems.ts';
import { notSupported } from './reads.ts';

export type OrderCalls = Pick<
  Gateway,
  | 'getOrders'
  | 'getOrder'
  | 'getDatedOrder'
  | 'getFills'
  | 'placeOrder'
  | 'cancelOrder'
  | 'modifyOrder'
  | 'resolveOrder'
>;

export interface OrderCallsParts {
  readonly execution: Execution;
  readonly reads: OrderReads;
  /** The trading route. */
  readonly route: readonly BrokerId[];
  readonly paperOnOutage: boolean;
  readonly view: (broker: BrokerId) => BrokerView;
  readonly clock: Clock;
  readonly instrument: (text: string) => Promise<Instrument>;
  readonly resolveSpelling: ResolveSpelling;
  /** Why a broker's own lists allow it no order for the instrument; null where they do. */
  readonly refusal: InstrumentDirectory['refusal'];
}

/**
 * All calls about orders: the router chooses the candidate brokers, and execution does the rest.
 */
export function createOrderCalls(parts: OrderCallsParts): OrderCalls {
  const { execution, reads } = parts;
  const { ownOrder } = reads;

  async function place(request: OrderRequest, context: CallContext): Promise<ExecutionResult> {
    // What it waits for before the gateway sends it, such as instrument lists, makes it late as well.
    const arrived = momentOf(parts.clock);
    const key = context.idempotencyKey;
    const known =
      key === null
        ? null
        : await execution.repeated(context.caller, key, request, parts.resolveSpelling);
    if (known) return result(known.order, known.idempotencyKey, true);
    if (request.broker !== null) checkNamedBroker(request.broker, request);
    const instrument = await parts.instrument(request.instrument);
    const route = request.broker ? [request.broker] : parts.route;
    const choice = tradingCandidates(route.map(parts.view), request, parts.paperOnOutage);
    const candidates = listing(choice.kind === 'brokers' ? choice.brokers : [], instrument, parts);
    const placed = await execution.place({
      arrived,
      caller: context.caller,
      idempotencyKey: key,
      request: { ...request, instrument: instrument.name },
      instrument,
      written: request.instrument,
      candidates: candidates.flatMap((broker) => execution.poller(broker)?.trading ?? []),
      route: parts.route,
      forcedBy: context.force === true ? context.caller : null,
      blocked: choice.kind === 'none' ? choice.blocked : null,
    });
    return result(placed.order, placed.idempotencyKey, placed.repeated);
  }

  function checkNamedBroker(broker: BrokerId, { mode }: OrderRequest): void {
    const view = parts.view(broker);
    if (mode !== null && view.mode !== mode) {
      const detail = `broker ${broker} is not ${mode}: name another broker, or leave out mode`;
      throw new GatewayProblem({ code: 'invalid_request', detail, mayHaveExecuted: false });
    }
    const trades = execution.poller(broker) !== null;
    if (!trades && view.blocked === null) throw notSupported(broker, 'orders');
  }

  /** With `changes` null it cancels. */
  async function amend(
    id: string,
    changes: OrderModification | null,
    { caller, idempotencyKey }: CallContext,
  ): Promise<ExecutionResult> {
    const key = idempotencyKey === null ? null : { caller, idempotencyKey };
    const amended = await execution.amend((await ownOrder(id)).id, changes, key);
    const { order, settled, repeated, onDisk } = amended;
    const unwritten = onDisk === false ? { onDisk } : {};
    return {
      ...result(order, idempotencyKey ?? order.idempotencyKey, repeated),
      settled,
      ...unwritten,
    };
  }

  return {
    getOrders: (query = {}) => asProblems(() => reads.getOrders(query)),
    getOrder: (id) => asProblems(() => reads.getOrder(id)),
    getDatedOrder: (id) => asProblems(() => reads.getDatedOrder(id)),
    getFills: (id) =>
      asProblems(async () => {
        const order = await ownOrder(id);
        const fills = await execution.fillsOf(order.id);
        const orderId = order.id;
        return fills.map(({ fillId: id, quantity, price, at }) => ({
          id,
          orderId,
          quantity,
          price,
          at,
        }));
      }),
    placeOrder: (request, context) => asProblems(() => place(request, context)),
    cancelOrder: (id, context) => asProblems(() => amend(id, null, context)),
    modifyOrder: (id, changes, context) => asProblems(() => amend(id, changes, context)),
    resolveOrder: (id, resolution, { caller, idempotencyKey }) =>
      asProblems(async () => {
        const { id: orderId } = await ownOrder(id);
        const resolved = await execution.resolve(orderId, resolution, caller, idempotencyKey);
        const { order, repeated } = resolved;
        return result(order, idempotencyKey ?? order.idempotencyKey, repeated);
      }),
  };
}

/**
 * The candidates whose own lists have the instrument. Throws where that leaves no live broker of
 * those that there were: a list never turns a live order into a paper one.
 */
function listing(
  candidates: readonly BrokerId[],
  instrument: Instrument,
  parts: Pick<OrderCallsParts, 'refusal' | 'view'>,
): readonly BrokerId[] {
  const told = candidates.map((broker) => ({ broker, refusal: parts.refusal(broker, instrument) }));
  const left = told.flatMap(({ broker, refusal }) => (refusal === null ? broker : []));
  const first = told.find(({ refusal }) => refusal !== null);
  const refusal = first?.refusal;
  if (!refusal || left.some((each) => parts.view(each).mode === 'live')) return left;
  throw new GatewayProblem({
    code: refusal.isLasting ? 'unknown_instrument' : 'no_broker',
    detail: refusal.reason,
    broker: first.broker,
    mayHaveExecuted: false,
    retrySafe: !refusal.isLasting,
  });
}

function result(order: OrderRecord, idempotencyKey: string, repeated: boolean): ExecutionResult {
  const response = orderResponse(order);
  const { status } = response;
  // The outcome is not known while the request is on its way or uncertain.
  const settled = status === 'working' || isFinal(status);
  return { order: response, idempotencyKey, settled, repeated };
}
