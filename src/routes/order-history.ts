import { z } from 'zod';
import { istIso } from '../domain/ist.ts';
import { ORDER_STATUSES } from '../domain/order.ts';
import {
  type OrderHistory,
  type OrderRequestMade,
  type OrderStateSeen,
  REQUEST_OUTCOMES,
} from '../domain/order-history.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  accounted,
  type BrokerInputs,
  defineRoute,
  isoOrNull,
  json,
  orderId,
  type Route,
  success,
  time,
} from './define-route.ts';
import { mustBeAt } from './orders.ts';
import { ORDER_READS } from './declared-problems.ts';

const word = z.string().nullable();
const rupees = z.number().nullable();
const count = z.int().nonnegative().nullable();

const stateSchema = z
  .object({
    status: z.enum(ORDER_STATUSES),
    brokerStatus: z.string().meta({ description: 'As the broker wrote it' }),
    at: time.nullable(),
    exchangeOrderId: word,
    quantity: z.number(),
    filledQuantity: count,
    ...{ averagePrice: rupees, price: rupees, triggerPrice: rupees },
    ...{ orderType: z.string(), validity: z.string(), reason: word },
  })
  .meta({ id: 'OrderState' });

const requestSchema = z
  .object({
    id: z.string(),
    orderId: z.string().meta({ description: 'Of an order in slices, the slice' }),
    kind: z.enum(['place', 'cancel', 'modify']),
    by: word.meta({
      description: 'The id of the key, or of the exit; null for the gateway itself',
    }),
    sentAt: time,
    outcome: z
      .enum(REQUEST_OUTCOMES)
      .meta({ description: 'uncertain: not known whether the broker has taken it' }),
    settledAt: time.nullable(),
    reason: word,
    changes: z
      .object({
        ...{ quantity: count, price: rupees, triggerPrice: rupees },
        ...{ orderType: word, validity: word },
      })
      .nullable()
      .meta({ description: 'Of a modification; null fields stay as they are' }),
  })
  .meta({ id: 'OrderRequestMade' });

const historySchema = z
  .object({
    states: z.array(stateSchema).nullable().meta({
      description: 'Oldest first, as the broker tells them; null where that is not known',
    }),
    statesReason: word.meta({ description: 'Why there are no states' }),
    requests: z
      .array(requestSchema)
      .meta({ description: 'What the gateway sent for the order, oldest first' }),
  })
  .meta({ id: 'OrderHistory' });

export function orderHistoryRoute(gateway: Gateway, { brokerQuery }: BrokerInputs): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/orders/{id}/history',
    scope: 'read',
    operationId: 'getOrderHistory',
    tag: 'Orders',
    summary: 'What became of an order, and who asked for what',
    params: z.strictObject({ id: orderId }),
    query: brokerQuery,
    problems: ORDER_READS,
    replies: { 200: { description: 'The history', schema: accounted(historySchema) } },
    handler: async ({ params: { id }, query }) => {
      await mustBeAt(gateway, id, query.broker ?? null);
      const { broker, mode } = await gateway.getOrder(id);
      const history = await gateway.getOrderHistory(id);
      return json(200, success(historyView(history), { meta: { broker, mode } }));
    },
  });
}

function historyView({
  states,
  statesReason,
  requests,
}: OrderHistory): z.output<typeof historySchema> {
  return {
    states: states && states.map(stateView),
    statesReason,
    requests: requests.map(requestView),
  };
}

function stateView(state: OrderStateSeen): z.output<typeof stateSchema> {
  return {
    status: state.status,
    brokerStatus: state.brokerStatus,
    at: isoOrNull(state.at),
    exchangeOrderId: state.exchangeOrderId,
    quantity: state.quantity,
    filledQuantity: state.filledQuantity,
    averagePrice: state.averagePrice,
    price: state.price,
    triggerPrice: state.triggerPrice,
    orderType: state.orderType,
    validity: state.validity,
    reason: state.reason,
  };
}

function requestView(request: OrderRequestMade): z.output<typeof requestSchema> {
  const { changes } = request;
  return {
    id: request.id,
    orderId: request.orderId,
    kind: request.kind,
    by: request.by,
    sentAt: istIso(request.sentAt),
    outcome: request.outcome,
    settledAt: isoOrNull(request.settledAt),
    reason: request.reason,
    changes: changes && {
      quantity: changes.quantity,
      price: changes.price,
      triggerPrice: changes.triggerPrice,
      orderType: changes.orderType,
      validity: changes.validity,
    },
  };
}
