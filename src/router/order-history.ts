import type { BrokerOrder } from '../domain/broker-order.ts';
import type { BrokerId } from '../domain/broker.ts';
import { tradingDay } from '../domain/ist.ts';
import type { OrderHistory, OrderRequestMade, OrderStateSeen } from '../domain/order-history.ts';
import type { Execution } from '../execution/execution.ts';
import { changesOfExternal } from '../execution/external/external-change.ts';
import { attemptsOfOrder, type ExecutionState } from '../execution/journal/state.ts';
import type { AttemptRecord } from '../execution/order/attempt.ts';
import { brokerOrderIdOf, type OrderRecord } from '../execution/order/order.ts';
import { lastBookDay } from '../execution/order/order-day.ts';
import type { Clock } from '../platform/clock.ts';
import type { BrokerOrderId } from '../units/branded.ts';
import { externalName, externalStatus } from './order-list.ts';
import type { OrderReads } from './order-reads.ts';

export interface OrderHistoryParts {
  readonly execution: Execution;
  readonly clock: Clock;
  readonly reads: Pick<OrderReads, 'ownOrder' | 'getOrder'>;
}

/** Reads what became of an order of ours, and of one placed elsewhere (docs/orders.md, "History"). */
export function createOrderHistory({
  execution,
  clock,
  reads,
}: OrderHistoryParts): (id: string) => Promise<OrderHistory> {
  const { state } = execution;

  return async function orderHistory(id) {
    if (externalName(id)) {
      const { broker, brokerOrderId } = await reads.getOrder(id);
      const requests = changesOfExternal(state, id).map((each) => requestMade(each, each.by));
      return { ...(await statesAt(broker, brokerOrderId)), requests };
    }
    const order = await reads.ownOrder(id);
    const requests = requestsOf(state, order);
    if (lastBookDay(order) < tradingDay(clock.now())) {
      return { ...none('brokers keep the states of an order for its day alone'), requests };
    }
    return { ...(await statesAt(order.broker, brokerOrderIdOf(order))), requests };
  };

  async function statesAt(
    broker: BrokerId,
    brokerOrderId: BrokerOrderId | null,
  ): Promise<Omit<OrderHistory, 'requests'>> {
    if (brokerOrderId === null) return none('no order of the broker is known to be this one');
    const read = execution.poller(broker)?.trading.orderHistory;
    if (!read) return none(`${broker} does not tell which states an order went through`);
    const rows = await read(brokerOrderId);
    return { states: rows.map(stateSeen), statesReason: null };
  }
}

const none = (statesReason: string): Omit<OrderHistory, 'requests'> => ({
  ...{ states: null, statesReason },
});

function stateSeen(row: BrokerOrder): OrderStateSeen {
  const { quantity, filledQuantity, averagePrice, price, triggerPrice } = row;
  return {
    status: externalStatus(row),
    brokerStatus: row.rawStatus,
    at: row.updatedAt,
    exchangeOrderId: row.exchangeOrderId,
    ...{ quantity, filledQuantity, averagePrice, price, triggerPrice },
    ...{ orderType: row.orderType, validity: row.validity, reason: row.reason },
  };
}

/** Of an order in slices, the requests of all slices. */
function requestsOf(state: ExecutionState, order: OrderRecord): readonly OrderRequestMade[] {
  const askedBy = new Map(
    [...state.amendments.values()].map(({ attemptId, caller }) => [attemptId, caller]),
  );
  return [order.id, ...(state.slicesOf.get(order.id) ?? [])]
    .flatMap((id) => attemptsOfOrder(state, id))
    .map((attempt) => {
      const asked = attempt.kind === 'place' ? order.caller : attempt.by;
      const by = asked ?? askedBy.get(attempt.id) ?? null;
      return requestMade(attempt, by);
    })
    .sort((one, other) => one.sentAt - other.sentAt || (one.id < other.id ? -1 : 1));
}

function requestMade(attempt: AttemptRecord, by: string | null): OrderRequestMade {
  const { id, orderId, kind, sentAt, state } = attempt;
  return {
    ...{ id, orderId, kind, by, sentAt, outcome: state.kind },
    settledAt: state.kind === 'sending' ? null : state.settledAt,
    reason: 'reason' in state ? state.reason : null,
    changes: attempt.kind === 'modify' ? attempt.changes : null,
  };
}
