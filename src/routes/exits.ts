import { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { ExitResponse } from '../domain/exit.ts';
import { tradingDay } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { ExitId } from '../units/branded.ts';
import type { ExitRequest, ExitWithLegs, Gateway } from '../router/gateway.ts';
import { cursorOf } from '../router/pages.ts';
import {
  day,
  defineRoute,
  enveloped,
  idempotencyKey,
  instrument,
  json,
  keyHeader,
  orderId,
  pagedAlone,
  type Route,
  success,
} from './define-route.ts';
import {
  orderSchema,
  orderView,
  productAsked,
  productOf,
  quantity,
  type RouteInputs,
} from './order-schemas.ts';
import { exitSchema, exitStatuses, exitView } from './exit-schemas.ts';
import { modeOf, mustBeAt, oneOf } from './orders.ts';
import { pageInputs, pageOf } from './pages.ts';
import { isAskedFor } from './status-filter.ts';
import { EXITING } from './declared-problems.ts';
import { NEVER } from './no-pattern.ts';

const exitWithOrders = exitSchema.extend({
  orders: z.array(orderSchema).meta({ description: 'The orders that it has sent, oldest first' }),
});

const exitBodyOf = (brokerName: RouteInputs['brokerName']) =>
  z
    .strictObject({
      instrument: instrument.optional(),
      product: productAsked.optional().meta({
        description: 'Of the position; MIS is another name of INTRADAY, and NRML of MARGIN',
      }),
      quantity: quantity.optional().meta({ description: 'Shares or units; absent for all' }),
      broker: brokerName.optional().meta({ description: 'Absent: the account that holds it' }),
      orderId: orderId.optional().meta({
        description:
          'A resting order: it is cancelled, and what is left of it goes out at the market',
      }),
      cancelExternal: z.boolean().optional().meta({
        description:
          'Also cancels orders placed elsewhere that rest for the position; they are left when absent',
      }),
      clientOrderId: idempotencyKey.optional(),
    })
    .superRefine((body, context) => {
      const others = [
        body.instrument,
        body.product,
        body.quantity,
        body.broker,
        body.cancelExternal,
      ];
      const isOfPosition = body.instrument !== undefined && body.product !== undefined;
      const isOfOrder = body.orderId !== undefined && others.every((each) => each === undefined);
      if (body.orderId === undefined ? isOfPosition : isOfOrder) return;
      const message =
        'takes either {instrument, product, quantity?, broker?, cancelExternal?} or {orderId}';
      context.addIssue({ code: 'custom', message });
    })
    .meta({
      id: 'ExitRequest',
      description: 'The exit of a position, or of a resting order',
      example: { instrument: 'NSE:INFY', product: 'INTRADAY' },
      override: {
        oneOf: [
          { required: ['instrument', 'product'], properties: { orderId: NEVER } },
          {
            required: ['orderId'],
            properties: {
              ...{ instrument: NEVER, product: NEVER, quantity: NEVER },
              ...{ broker: NEVER, cancelExternal: NEVER },
            },
          },
        ],
      },
    });

const params = z.strictObject({
  id: z
    .string()
    .regex(/^exit_[0-9a-f-]{36}$/, 'takes the id of an exit')
    .meta({
      description: 'The id of the exit',
      example: 'exit_0193576c-2f00-7000-8000-000000000000',
    }),
});
const one = enveloped(exitSchema);

const EXITS = {
  list: 'exits',
  id: ({ id }: ExitResponse) => id,
  at: ({ createdAt }: ExitResponse) => createdAt,
  view: exitView,
} as const;

export function exitRoutes(
  gateway: Gateway,
  clock: Clock,
  { brokerName, brokerQuery }: RouteInputs,
): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/exits',
      scope: 'trade',
      operationId: 'startExit',
      tag: 'Exits',
      summary: 'Ends a position, or takes the place of a resting order that was to end it',
      headers: keyHeader,
      body: exitBodyOf(brokerName),
      problems: EXITING,
      replies: {
        202: {
          description: 'The exit is on disk and under way',
          schema: one,
          headers: ['Location', 'Idempotency-Key', 'Idempotent-Replayed'],
        },
      },
      handler: async ({ headers, body, caller }) => {
        const key = oneOf('clientOrderId', headers['Idempotency-Key'], body.clientOrderId);
        const context = { caller: caller.id, idempotencyKey: key };
        // Only a key that is confined to a broker brings one here beside an order.
        if (body.orderId !== undefined) await mustBeAt(gateway, body.orderId, body.broker ?? null);
        const { exit, repeated } = await gateway.startExit(
          requestOf(body, modeOf(caller, undefined)),
          context,
        );
        return json(202, success(exitView(exit)), {
          Location: `/api/v1/exits/${exit.id}`,
          'Idempotency-Key': exit.clientOrderId,
          ...(repeated ? { 'Idempotent-Replayed': 'true' } : {}),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/exits',
      scope: 'read',
      operationId: 'getExits',
      tag: 'Exits',
      summary: "A page of a trading day's exits, oldest first",
      query: brokerQuery.extend({
        status: exitStatuses('Exits').optional(),
        day: day.optional().meta({ description: 'IST day; today when absent' }),
        ...pageInputs('Exits'),
      }),
      problems: ['wrong_cursor'],
      replies: { 200: { description: 'Exits', schema: pagedAlone(z.array(exitSchema)) } },
      handler: async ({ query }) => {
        const named = cursorOf('exits', query.cursor, query.day)?.of ?? query.day;
        const of = named ?? tradingDay(clock.now());
        const all = await gateway.getExits(of);
        const exits = all.filter(
          (exit) => exit.broker === (query.broker ?? exit.broker) && isAskedFor(query.status, exit),
        );
        const { data, nextCursor } = pageOf(exits, query, { ...EXITS, of });
        return json(200, success(data, { meta: { nextCursor } }));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/exits/{id}',
      scope: 'read',
      operationId: 'getExit',
      tag: 'Exits',
      summary: 'An exit with its orders',
      params,
      query: brokerQuery,
      problems: ['unknown_exit'],
      replies: { 200: { description: 'The exit', schema: enveloped(exitWithOrders) } },
      handler: async ({ params: { id }, query }) => {
        const { orders, ...exit } = await exitAt(gateway, id, query.broker);
        return json(200, success({ ...exitView(exit), orders: orders.map(orderView) }));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/api/v1/exits/{id}',
      scope: 'trade',
      operationId: 'cancelExit',
      tag: 'Exits',
      summary: 'Ends an exit: its order is cancelled, and no further one is sent',
      params,
      query: brokerQuery,
      problems: ['unknown_exit', 'journal_unavailable'],
      replies: { 202: { description: 'The exit, as it stands', schema: one } },
      handler: async ({ params: { id }, query }) => {
        await exitAt(gateway, id, query.broker);
        return json(202, success(exitView(await gateway.cancelExit(id))));
      },
    }),
  ];
}

/** Where a request names a broker, it must be the exit's. */
async function exitAt(
  gateway: Pick<Gateway, 'getExit'>,
  id: ExitId,
  broker: BrokerId | undefined,
): Promise<ExitWithLegs> {
  const exit = await gateway.getExit(id);
  if (broker === undefined || exit.broker === broker) return exit;
  const detail = `There is no exit ${id} at ${broker}; it is at ${exit.broker}.`;
  throw new GatewayProblem({ code: 'unknown_exit', detail, broker });
}

function requestOf(body: z.output<ReturnType<typeof exitBodyOf>>, mode: Mode | null): ExitRequest {
  const { instrument: name, product, quantity: asked = null, broker = null } = body;
  if (body.orderId !== undefined) return { kind: 'order', orderId: body.orderId };
  if (name === undefined || product === undefined) throw new Error('the body was not checked');
  return {
    kind: 'position',
    instrument: name,
    product: productOf(product),
    quantity: asked,
    broker,
    mode,
    ...(body.cancelExternal === true ? { cancelExternal: true } : {}),
  };
}
