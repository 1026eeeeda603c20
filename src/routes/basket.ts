import { z } from 'zod';
import { count, flag } from './answer-parts.ts';
import {
  type BasketMargin,
  type BasketOrderAnswer,
  BASKET_RESULTS,
  MOST_IN_BASKET,
} from '../domain/basket.ts';
import type { Gateway } from '../router/gateway.ts';
import { mustAllow } from './access.ts';
import {
  answeringBroker,
  answeringMode,
  defineRoute,
  enveloped,
  keyOf,
  json,
  type Route,
  success,
} from './define-route.ts';
import { marginSchema, marginView } from './margins.ts';
import { BASKET_ORDER_IN_DOCUMENT } from './order-body-rules.ts';
import { clientOrderIdShown } from './order-fields.ts';
import { orderRequestOf, orderSchema, orderView, type RouteInputs } from './order-schemas.ts';
import { modeOf, oneOf, placedReply } from './orders.ts';
import { problemPart, problemSchema } from './problems.ts';
import { PLACING_BASKET } from './declared-problems.ts';

const basketBody = (orderBody: RouteInputs['orderBody']) =>
  z
    .strictObject({
      orders: z
        .array(
          orderBody
            .safeExtend({
              clientOrderId: keyOf('is required: give each order a key of its own').meta({
                description: 'Required here, and another one for each order of the basket',
              }),
            })
            .meta({ id: 'BasketOrderRequest', ...BASKET_ORDER_IN_DOCUMENT }),
        )
        .min(1, 'takes at least one order')
        .max(MOST_IN_BASKET, `takes at most ${MOST_IN_BASKET} orders`)
        .meta({ description: `Up to ${MOST_IN_BASKET} orders, each as POST /orders takes it` }),
      ordered: z.boolean().optional().meta({
        description:
          'One after the other, up to the first that is not acknowledged; false when absent',
      }),
      dryRun: z.boolean().optional().meta({
        description: 'Checks the whole basket and tells its margin: nothing is placed',
      }),
    })
    .meta({ id: 'BasketRequest' });

const itemSchema = z
  .object({
    clientOrderId: clientOrderIdShown,
    result: z.enum(BASKET_RESULTS).meta({
      description:
        'uncertain is open: repeat the basket, or read the order. not_sent and refused are known not to be placed',
    }),
    httpStatus: z.int().nullable().meta({
      description: 'What POST /orders would have answered; null in a dry run',
    }),
    repeated: z
      .boolean()
      .meta({ description: 'True where the key had been used: nothing was sent' }),
    order: orderSchema
      .nullable()
      .meta({ description: 'The order as it now stands; null where none was made' }),
    problem: problemSchema
      .omit({ requestId: true })
      .extend({
        order: orderSchema
          .optional()
          .meta({ description: 'The order that the key has made, where there is one' }),
      })
      .nullable()
      .meta({
        description:
          'What POST /orders would have answered in place of an order; null where there is one',
      }),
  })
  .meta({ id: 'BasketOrder' });

const marginOfAccount = z
  .object({
    broker: answeringBroker,
    mode: answeringMode,
    orders: count('How many orders are counted'),
    estimate: marginSchema.nullable().meta({ description: 'Null where the broker has told none' }),
    error: z.string().nullable().meta({ description: 'Why there is no estimate' }),
  })
  .meta({ id: 'BasketMargin' });

export const basketReply = enveloped(z.array(itemSchema)).extend({
  meta: z
    .object({
      dryRun: flag('Whether the basket was only checked: nothing was placed'),
      counts: z
        .object({
          acknowledged: count('Orders that a broker has'),
          uncertain: count('Orders of which it is not known; above 0 the answer is 202'),
          refused: count('Orders that were refused, and are not placed'),
          notSent: count('Orders that never left this machine'),
          checked: count('Orders of a dry run that nothing would refuse'),
        })
        .meta({ description: 'How many orders of the basket have each result' }),
      margins: z.array(marginOfAccount).nullable().meta({
        description: 'In a dry run, one for each account; null otherwise',
      }),
    })
    .meta({ description: 'What became of the basket as a whole' }),
});

export function basketRoutes(
  gateway: Gateway,
  { brokerQuery, orderBody }: RouteInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/orders/basket',
      scope: 'trade',
      operationId: 'placeBasket',
      tag: 'Orders',
      summary: `Places up to ${MOST_IN_BASKET} orders, each at most once for its key`,
      query: brokerQuery,
      body: basketBody(orderBody),
      problems: PLACING_BASKET,
      replies: {
        200: { description: 'What became of each order: none is uncertain', schema: basketReply },
        202: {
          description: 'Whether a broker has one of them is not known yet',
          schema: basketReply,
        },
      },
      handler: async ({ query, body, caller }) => {
        if (body.orders.some(({ force }) => force === true)) mustAllow(caller, 'admin', 'force');
        const { ordered = false, dryRun = false } = body;
        const orders = body.orders.map((each, index) => ({
          request: {
            ...orderRequestOf(each),
            broker: oneOf('broker', query.broker, each.broker, `body.orders.${index}.broker`),
            mode: modeOf(caller, each.mode),
          },
          clientOrderId: each.clientOrderId,
          force: each.force === true,
        }));
        const answer = await gateway.placeBasket({ orders, ordered, dryRun }, caller.id);
        const counts = countsOf(answer.orders);
        const margins = answer.margins && answer.margins.map(marginOf);
        const meta = { dryRun, counts, margins };
        return json(
          counts.uncertain > 0 ? 202 : 200,
          success(answer.orders.map(itemView), { meta }),
        );
      },
    }),
  ];
}

function countsOf(orders: readonly BasketOrderAnswer[]) {
  const countOf = (wanted: BasketOrderAnswer['result']): number =>
    orders.filter(({ result }) => result === wanted).length;
  return {
    acknowledged: countOf('acknowledged'),
    uncertain: countOf('uncertain'),
    refused: countOf('refused'),
    notSent: countOf('not_sent'),
    checked: countOf('checked'),
  };
}

function itemView({
  clientOrderId,
  result,
  placed,
  problem,
}: BasketOrderAnswer): z.output<typeof itemSchema> {
  const item = { clientOrderId, result, repeated: placed?.repeated ?? false };
  if (placed) {
    const { status: httpStatus, content } = placedReply(placed);
    const order = orderView(placed.order);
    if (content.kind !== 'problem') return { ...item, httpStatus, order, problem: null };
    // The order is beside the problem already.
    const problemAlone = problemPart({ ...content.fields, extra: {} }, 'POST', httpStatus);
    return { ...item, httpStatus, order, problem: problemAlone };
  }
  if (!problem) return { ...item, httpStatus: null, order: null, problem: null };
  const view = problemPart(problem, 'POST');
  return { ...item, httpStatus: view.status, order: null, problem: view };
}

function marginOf({
  broker,
  mode,
  orders,
  estimate,
  error,
}: BasketMargin): z.output<typeof marginOfAccount> {
  return { broker, mode, orders, estimate: estimate && marginView(estimate), error };
}
