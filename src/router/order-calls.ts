import type { OrderModification, OrderRequest } from '../domain/order.ts';
import { momentOf } from '../platform/clock.ts';
import type { CallContext, ExecutionResult, Gateway } from './gateway.ts';
import { createOrderHistory } from './order-history.ts';
import { type ExternalName, externalName } from './order-list.ts';
import type { OrderReads } from './order-reads.ts';
import { createPlacing, executionResult, placedResult, type PlacingParts } from './placing.ts';
import { asProblems } from './problems.ts';
import type { TradesOfOrder } from './trade-reads.ts';
import { type BasketKeys, placedUnder, underKey } from './used-keys.ts';

export type OrderCalls = Pick<
  Gateway,
  | 'getOrders'
  | 'getOrder'
  | 'getDatedOrder'
  | 'getFills'
  | 'getOrderHistory'
  | 'placeOrder'
  | 'cancelOrder'
  | 'modifyOrder'
  | 'resolveOrder'
>;

export interface OrderCallsParts extends PlacingParts, TradesOfOrder {
  readonly reads: OrderReads;
  readonly basketKeys: Pick<BasketKeys, 'has'>;
}

/**
 * All calls about orders: the router chooses the candidate brokers, and execution does the rest.
 */
export function createOrderCalls(parts: OrderCallsParts): OrderCalls {
  const { execution, reads } = parts;
  const { ownOrder } = reads;
  const orderHistory = createOrderHistory(parts);
  const placing = createPlacing(parts);

  async function place(request: OrderRequest, context: CallContext): Promise<ExecutionResult> {
    // What it waits for before the gateway sends it, such as instrument lists, makes it late as well.
    const arrived = context.arrived ?? momentOf(parts.clock);
    const known = await placing.known(request, context);
    if (known) return placedResult(parts, known);
    const placed = await underKey(
      async () => execution.place(await placing.command(request, context, arrived)),
      () => placedUnder(execution, context, parts.basketKeys),
    );
    return placedResult(parts, placed);
  }

  /** The same of an order placed elsewhere. */
  async function amendExternal(
    { broker, brokerOrderId }: ExternalName,
    changes: OrderModification | null,
    { caller, idempotencyKey }: CallContext,
  ): Promise<ExecutionResult> {
    const asked = { broker, brokerOrderId, changes, caller, idempotencyKey };
    const changed = await execution.changeExternal(asked);
    const { settled, repeated, onDisk } = changed;
    return {
      order: reads.shownExternal(broker, changed.row),
      ...{ idempotencyKey, settled, repeated, ...(onDisk ? {} : { onDisk }) },
    };
  }

  /** With `changes` null it cancels. */
  async function amend(
    id: string,
    changes: OrderModification | null,
    { caller, idempotencyKey }: CallContext,
  ): Promise<ExecutionResult> {
    const external = externalName(id);
    if (external) return amendExternal(external, changes, { caller, idempotencyKey });
    const key = idempotencyKey === null ? null : { caller, idempotencyKey };
    const amended = await execution.amend((await ownOrder(id)).id, changes, key, caller);
    const { order, settled, repeated, onDisk } = amended;
    const unwritten = onDisk === false ? { onDisk } : {};
    return {
      ...executionResult(parts, order, idempotencyKey ?? order.idempotencyKey, repeated),
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
        if (externalName(id)) {
          const trades = await parts.tradesOf(await reads.getOrder(id));
          return trades.map(({ id: fillId, quantity, price, at }) => ({
            ...{ id: fillId, orderId: id, quantity, price, at },
          }));
        }
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
    getOrderHistory: (id) => asProblems(() => orderHistory(id)),
    placeOrder: (request, context) => asProblems(() => place(request, context)),
    cancelOrder: (id, context) => asProblems(() => amend(id, null, context)),
    modifyOrder: (id, changes, context) => asProblems(() => amend(id, changes, context)),
    resolveOrder: (id, resolution, { caller, idempotencyKey }) =>
      asProblems(async () => {
        const { id: orderId } = await ownOrder(id);
        const resolved = await execution.resolve(orderId, resolution, caller, idempotencyKey);
        const { order, repeated } = resolved;
        return executionResult(parts, order, idempotencyKey ?? order.idempotencyKey, repeated);
      }),
  };
}
