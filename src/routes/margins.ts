import { z } from 'zod';
import type { MarginEstimate } from '../domain/margin.ts';
import { difference } from '../domain/money.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Gateway } from '../router/gateway.ts';
import { answerBody, answered, defineRoute, json, type Route } from './define-route.ts';
import { type OrderBody, orderRequestOf, type RouteInputs } from './order-schemas.ts';
import { MARGIN_READS } from './declared-problems.ts';

const MOST = 20;

const marginsBody = (orderBody: RouteInputs['orderBody']) =>
  z
    .strictObject({
      orders: z
        .array(orderBody)
        .min(1, 'takes at least one order')
        .max(MOST, `takes at most ${MOST} orders`)
        .meta({
          description: 'The orders as they would be placed; tags and keys have no effect ' + 'here',
        }),
    })
    .meta({ id: 'MarginRequest' });

const rupees = z.record(z.string(), z.number());

export const marginSchema = z
  .object({
    required: z.number().meta({ description: 'What the orders together would block, in rupees' }),
    available: z.number().nullable().meta({
      description: 'What the account has for it, in rupees; null where the broker does not tell it',
    }),
    shortfall: z.number().nullable().meta({
      description:
        'Rupees that are lacking, above 0 when the funds do not suffice; null where it is not known',
    }),
    parts: rupees.meta({
      description: "What makes up required, in rupees by the broker's own names",
    }),
    charges: z
      .object({
        total: z.number().meta({ description: 'Rupees, all of them together' }),
        parts: rupees.meta({ description: "Rupees, by the broker's own names" }),
      })
      .nullable()
      .meta({
        description:
          'What the broker computes that the orders would cost; null where it computes none',
      }),
    summed: z.boolean().meta({
      description:
        'True when the figures are sums over single orders, without the benefit of ' + 'hedging',
    }),
    alone: z.number().nullable().meta({
      description:
        'What the orders would block if each was placed by itself, added up; null where that is not known',
    }),
    benefit: z.number().nullable().meta({
      description:
        'How much less they block together: alone less required; null where the broker does not tell',
    }),
  })
  .meta({ id: 'Margin' });

export function marginRoutes(
  gateway: Gateway,
  { brokerQuery, orderBody }: RouteInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/margins',
      scope: 'read',
      operationId: 'getMargins',
      tag: 'Account',
      summary: 'What one order or several would block and cost; nothing is placed',
      query: brokerQuery,
      body: marginsBody(orderBody),
      problems: MARGIN_READS,
      replies: { 200: { description: 'The margin', schema: answered(marginSchema) } },
      handler: async ({ query, body }) => {
        const broker = oneBroker([query.broker, ...body.orders.map((each) => each.broker)]);
        const answer = await gateway.getMargins(body.orders.map(orderRequestOf), { broker });
        return json(200, answerBody(answer, marginView));
      },
    }),
  ];
}

/** One account computes the margin: orders for two brokers need two requests. */
function oneBroker(named: readonly OrderBody['broker'][]): OrderBody['broker'] {
  const different = [...new Set(named.filter((each) => each !== undefined))];
  if (different.length <= 1) return different[0];
  throw new GatewayProblem({
    code: 'several_brokers',
    detail: 'the orders name more than one broker: send one request for each broker',
    errors: [{ path: 'body.orders', message: 'name more than one broker' }],
  });
}

export function marginView(estimate: MarginEstimate): z.output<typeof marginSchema> {
  const { required, available, shortfall, parts, charges, alone = null } = estimate;
  const summed = estimate.summed ?? false;
  return {
    required,
    available,
    shortfall,
    parts: { ...parts },
    charges: charges && { total: charges.total, parts: { ...charges.parts } },
    ...{ summed, alone },
    benefit: summed || alone === null ? null : difference(alone, required),
  };
}
