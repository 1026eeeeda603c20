import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderResponse } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { orderResponse } from '../execution/order-view.ts';
import type { OrderRecord } from '../execution/records.ts';
import type { Clock } from '../platform/clock.ts';
import type { OrderQuery } from './gateway.ts';
import { externalId, externalOrder } from './order-list.ts';
import { accountAnswer, noBroker } from './reads.ts';

export interface OrderReadsParts {
  readonly execution: Execution;
  readonly clock: Clock;
  /** The broker whose orders are meant: the one that is named, or the trading route's. */
  readonly accountOf: (named: BrokerId | undefined) => BrokerId | null;
}

/** Orders, ours and those placed elsewhere. */
export interface OrderReads {
  getOrders(query: OrderQuery): Promise<Answer<readonly OrderResponse[]>>;
  getOrder(id: string): Promise<OrderResponse>;
  /** Throws `unknown_order`. */
  ownOrder(id: string): Promise<OrderRecord>;
}

/** The spec's cache of the order book. */
const BOOK_AGE_MS = 500;

export function createOrderReads({ execution, clock, accountOf }: OrderReadsParts): OrderReads {
  async function getOrders(query: OrderQuery): Promise<Answer<readonly OrderResponse[]>> {
    const today = tradingDay(clock.now());
    const day = query.day ?? today;
    const broker = accountOf(query.broker);
    if (!broker) throw noBroker('no broker of the trading route can be asked now');
    const external = day === today ? await externalOrders(broker, query.maxAgeMs) : null;
    const ours = (await execution.ordersOn(day))
      .filter((order) => !query.broker || order.broker === query.broker)
      .map(orderResponse);
    const orders = [...ours, ...(external?.orders ?? [])]
      .filter((order) => !query.status || order.status === query.status)
      .sort((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1));
    const asked = external ?? { askedAt: clock.now(), asked: clock.elapsed() };
    return accountAnswer(broker, { ...asked, data: orders.slice(0, query.limit) }, clock);
  }

  /** Rows of the broker's book that are not ours. A book that cannot be read is an error, never empty. */
  async function externalOrders(
    broker: BrokerId,
    maxAgeMs: number = BOOK_AGE_MS,
  ): Promise<{ orders: OrderResponse[]; askedAt: number; asked: number }> {
    const keeper = execution.keeper(broker);
    if (!keeper) throw noBroker(`${broker} has no order book`);
    const read = await keeper.read(clock.elapsed() - maxAgeMs);
    const day = tradingDay(read.begunAt);
    const orders = read.rows
      .filter((row) => !isOurs(broker, day, row.brokerOrderId))
      .map((row) => externalOrder(broker, row, read.begunAt));
    return { orders, askedAt: read.begunAt, asked: read.begun };
  }

  function isOurs(broker: BrokerId, day: string, brokerOrderId: string): boolean {
    const seen = execution.state.seenIn.get(broker, day, brokerOrderId);
    return seen !== undefined && seen.orderId !== null;
  }

  async function ownOrder(id: string): Promise<OrderRecord> {
    const order = await execution.order(id);
    if (order) return order;
    throw new GatewayProblem({ code: 'unknown_order', detail: `no order has the id ${id}` });
  }

  async function getOrder(id: string): Promise<OrderResponse> {
    const [broker, brokerOrderId] = id.split(':');
    if (!brokerOrderId) return orderResponse(await ownOrder(id));
    const keeper = execution.keeper(broker as BrokerId);
    const found =
      keeper &&
      (await externalOrders(keeper.trading.broker)).orders.find(
        (order) => order.id === externalId(keeper.trading.broker, brokerOrderId),
      );
    if (found) return found;
    throw new GatewayProblem({ code: 'unknown_order', detail: `no order has the id ${id}` });
  }

  return { getOrders, getOrder, ownOrder };
}
