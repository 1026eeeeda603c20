import { z } from 'zod';
import { at, atOrNull, figure, number, text, word } from './answer-parts.ts';
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
} from './define-route.ts';
import {
  averagePriceShown,
  exchangeOrderIdShown,
  ORDER_TYPE,
  orderTypeShown,
  priceShown,
  triggerPriceShown,
  VALIDITY,
  validityShown,
} from './order-fields.ts';
import { mustBeAt } from './orders.ts';
import { ORDER_READS } from './declared-problems.ts';

const quantity = (description: string) => z.int().nonnegative().nullable().meta({ description });

const stateSchema = z
  .object({
    status: z
      .enum(ORDER_STATUSES)
      .meta({ description: 'What the state means, in the words of an order' }),
    brokerStatus: z.string().meta({ description: 'As the broker wrote it' }),
    at: atOrNull('When the order came into it; null where the broker does not tell it'),
    exchangeOrderId: exchangeOrderIdShown,
    quantity: number('Shares or units that the order was for then'),
    filledQuantity: quantity('Shares or units that had filled; null where it is not known'),
    ...{ averagePrice: averagePriceShown, price: priceShown, triggerPrice: triggerPriceShown },
    ...{ orderType: orderTypeShown, validity: validityShown },
    reason: word("The broker's words about it; null where it has none"),
  })
  .meta({ id: 'OrderState' });

const requestSchema = z
  .object({
    id: text('The id of the attempt, `att_…`'),
    orderId: text('The order that it was for; of an order in slices, the slice'),
    kind: z
      .enum(['place', 'cancel', 'modify'])
      .meta({ description: 'What the broker was asked to do' }),
    by: word('The id of the key, or of the exit; null for the gateway itself'),
    sentAt: at('When the gateway wrote it down, before it left'),
    outcome: z
      .enum(REQUEST_OUTCOMES)
      .meta({ description: 'uncertain: not known whether the broker has taken it' }),
    settledAt: atOrNull('When its outcome was written down; null while it is on its way'),
    reason: word('Why it has this outcome, for people; null where nothing needs to be said'),
    changes: z
      .object({
        quantity: quantity('Shares or units that were asked for'),
        price: figure('The limit that was asked for, in rupees'),
        triggerPrice: figure('The trigger price that was asked for, in rupees'),
        orderType: word(ORDER_TYPE),
        validity: word(VALIDITY),
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
    statesReason: word('Why there are no states; null where there are'),
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
