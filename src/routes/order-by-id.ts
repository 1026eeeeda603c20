import { z } from 'zod';
import { ABOUT_ORDER, sentUnwritten } from './answer-parts.ts';
import type { AnswerMeta } from '../domain/answer.ts';
import { istIso } from '../domain/ist.ts';
import type { Gateway, OrderFill, ResolveWord } from '../router/gateway.ts';
import {
  accounted,
  datedOrder,
  defineRoute,
  json,
  keyHeader,
  orderId,
  pagedOfOrder,
  type Route,
  success,
} from './define-route.ts';
import { changedReply, mustBeAt, oneOf, resolvedReply } from './orders.ts';
import {
  fillSchema,
  fillView,
  modificationOf,
  orderSchema,
  orderView,
  type RouteInputs,
} from './order-schemas.ts';
import { pageInputs, pageOf } from './pages.ts';
import { CANCELLING, CHANGING, ORDER_READS, RESOLVING } from './declared-problems.ts';
import { NEVER } from './no-pattern.ts';

const params = z.strictObject({ id: orderId });
const reply = accounted(orderSchema);
const changeReply = reply.extend({
  meta: reply.shape.meta
    .extend({
      onDisk: sentUnwritten('a cancel'),
    })
    .meta(ABOUT_ORDER),
});
const KEYED = ['Idempotency-Key', 'Idempotent-Replayed'] as const;
const changeReplies = {
  200: { description: 'The order in its present state', schema: changeReply, headers: KEYED },
  202: {
    description: 'Whether the change took effect is not known yet',
    schema: changeReply,
    headers: KEYED,
  },
};

const resolveBody = z
  .strictObject({
    placed: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, "takes the broker's order id")
      .optional()
      .meta({ description: "The broker's id of the order" }),
    absent: z
      .literal(true, 'takes true')
      .optional()
      .meta({ description: 'The broker does not have the order, and never had' }),
    force: z
      .literal(true, 'takes true')
      .optional()
      .meta({ description: 'Also where the order at the broker differs, or cannot be read' }),
  })
  .refine((word) => (word.placed === undefined) !== (word.absent === undefined), {
    message: 'takes either {placed: <broker order id>} or {absent: true}',
  })
  .refine((word) => word.force === undefined || word.placed !== undefined, {
    message: 'takes force with placed alone',
  })
  .meta({
    id: 'Resolution',
    example: { placed: '251123000000001' },
    override: {
      oneOf: [
        { required: ['placed'], properties: { absent: NEVER } },
        { required: ['absent'], properties: { placed: NEVER, force: NEVER } },
      ],
    },
  });

const FILLS = {
  list: 'fills',
  id: ({ id }: OrderFill) => id,
  at: ({ at }: OrderFill) => at,
  view: fillView,
} as const;

const path = '/api/v1/orders/{id}';

export function orderByIdRoutes(gateway: Gateway, inputs: RouteInputs): readonly Route[] {
  const { brokerQuery } = inputs;
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'read',
      operationId: 'getOrder',
      tag: 'Orders',
      summary: 'One order',
      params,
      query: brokerQuery,
      problems: ORDER_READS,
      replies: { 200: { description: 'The order', schema: datedOrder(orderSchema) } },
      handler: async ({ params: { id }, query }) => {
        await mustBeAt(gateway, id, query.broker ?? null);
        const { data, meta } = await gateway.getDatedOrder(id);
        return json(200, success(orderView(data), { meta: datedMeta(meta) }));
      },
    }),
    ...changingRoutes(gateway, inputs),
    defineRoute({
      method: 'GET',
      path: `${path}/fills`,
      scope: 'read',
      operationId: 'getFills',
      tag: 'Orders',
      summary: "A page of an order's fills, oldest first",
      params,
      query: brokerQuery.extend(pageInputs('Fills')),
      problems: [...ORDER_READS, 'wrong_cursor'],
      replies: { 200: { description: 'Fills', schema: pagedOfOrder(z.array(fillSchema)) } },
      handler: async ({ params: { id }, query }) => {
        await mustBeAt(gateway, id, query.broker ?? null);
        const { meta } = await gateway.getDatedOrder(id);
        const fills = await gateway.getFills(id);
        const { data, nextCursor } = pageOf(fills, query, { ...FILLS, of: id });
        return json(200, success(data, { meta: { ...datedMeta(meta), nextCursor } }));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/resolve`,
      scope: 'admin',
      operationId: 'resolveOrder',
      tag: 'Orders',
      summary: 'Resolves an uncertain or disputed order by hand',
      params,
      query: brokerQuery,
      headers: keyHeader,
      body: resolveBody,
      problems: RESOLVING,
      replies: {
        200: { description: 'The order in its present state', schema: reply, headers: KEYED },
      },
      handler: async ({ params: { id }, query, headers, body, caller }) => {
        await mustBeAt(gateway, id, query.broker ?? null);
        const word: ResolveWord =
          body.placed === undefined
            ? { kind: 'absent' }
            : {
                kind: 'placed',
                brokerOrderId: body.placed,
                ...(body.force ? { force: true } : {}),
              };
        return resolvedReply(await gateway.resolveOrder(id, word, contextOf(caller, headers)));
      },
    }),
  ];
}

function changingRoutes(
  gateway: Gateway,
  { brokerName, brokerQuery, modificationBody }: RouteInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'PATCH',
      path,
      scope: 'trade',
      operationId: 'modifyOrder',
      tag: 'Orders',
      summary: 'Modifies an order',
      params,
      query: brokerQuery,
      headers: keyHeader,
      body: modificationBody,
      problems: CHANGING,
      replies: changeReplies,
      handler: async ({ params: { id }, query, headers, body, caller }) => {
        await mustBeAt(gateway, id, oneOf('broker', query.broker, body.broker));
        const context = contextOf(caller, headers);
        return changedReply(await gateway.modifyOrder(id, modificationOf(body), context));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path,
      scope: 'trade',
      operationId: 'cancelOrder',
      tag: 'Orders',
      summary: 'Cancels an order',
      params,
      query: brokerQuery,
      headers: keyHeader,
      body: z
        .strictObject({
          broker: brokerName.optional().meta({
            description: 'The broker of the order: another one is refused',
          }),
        })
        .optional(),
      problems: CANCELLING,
      replies: changeReplies,
      handler: async ({ params: { id }, query, headers, body, caller }) => {
        await mustBeAt(gateway, id, oneOf('broker', query.broker, body?.broker));
        return changedReply(await gateway.cancelOrder(id, contextOf(caller, headers)));
      },
    }),
  ];
}

function contextOf(
  caller: { readonly id: string },
  headers: z.output<typeof keyHeader>,
): { caller: string; idempotencyKey: string | null } {
  return { caller: caller.id, idempotencyKey: headers['Idempotency-Key'] ?? null };
}

function datedMeta({ broker, mode, asOf, ageMs }: AnswerMeta) {
  return { broker, mode, asOf: istIso(asOf), ageMs };
}
