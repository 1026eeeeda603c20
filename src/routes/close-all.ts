import { z } from 'zod';
import { figure, instrumentShown, text, word } from './answer-parts.ts';
import type { BrokerId } from '../domain/broker.ts';
import { CLOSING_STATUSES, type ClosingPosition, type ClosingResponse } from '../domain/closing.ts';
import { EXIT_STATUSES } from '../domain/exit.ts';
import { istIso, tradingDay } from '../domain/ist.ts';
import { SIDES } from '../domain/order.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gateway } from '../router/gateway.ts';
import { cursorOf } from '../router/pages.ts';
import type { ClosingId } from '../units/branded.ts';
import { mustAllow } from './access.ts';
import {
  answeringBroker,
  answeringMode,
  day,
  defineRoute,
  enveloped,
  idempotencyKey,
  instrument,
  json,
  keyHeader,
  pagedAlone,
  type Route,
  success,
} from './define-route.ts';
import { exitStatuses } from './exit-schemas.ts';
import {
  clientOrderIdShown,
  createdAtShown,
  productShown,
  updatedAtShown,
} from './order-fields.ts';
import { productAsked, productOf, type RouteInputs } from './order-schemas.ts';
import { oneOf } from './orders.ts';
import { CLOSING } from './declared-problems.ts';
import { pageInputs, pageOf } from './pages.ts';
import { isAskedFor } from './status-filter.ts';

const positionSchema = z.object({
  broker: answeringBroker,
  mode: answeringMode,
  instrument: instrumentShown,
  product: productShown,
  net: z.number().meta({ description: 'As it was when the closing began; negative where short' }),
  quantity: z.int().nullable().meta({ description: 'What is closed of it; null for all' }),
  underlying: text('What the position is on: a share, an index, or what the contract is of'),
  phase: z.literal([1, 2]).meta({
    description: '1: what is short. 2: what is long: closed once phase 1 of its underlying is flat',
  }),
  status: z.enum(CLOSING_STATUSES).meta({ description: '`kept`: not closed, see `reason`' }),
  exitId: word('The exit that ends it; null until that has begun'),
  reason: word('Why it is not closed, or not whole; null where nothing needs to be said'),
});

const unreadSchema = z.object({
  broker: answeringBroker,
  mode: answeringMode,
  list: z
    .enum(['positions', 'holdings'])
    .meta({ description: 'Which list of the broker has the row' }),
  instrument: word('The instrument of the row, where it can be read'),
  product: word('The product of the row, where it can be read; null for a holding'),
  quantity: figure('Shares or units of the row, where they can be read'),
  reason: text('What is wrong with the row, for people'),
});

const closingSchema = z
  .object({
    id: text('`closing_…`'),
    clientOrderId: clientOrderIdShown,
    status: z.enum(EXIT_STATUSES).meta({
      description:
        '`running` while one of its exits is; afterwards how all that was asked for has ended',
    }),
    detail: text('What it does now, or how it ended; for people'),
    positions: z
      .array(positionSchema)
      .meta({ description: 'Each position that it was asked to end' }),
    unread: z.array(unreadSchema).meta({
      description:
        'Rows that cannot be read and may be positions that were asked for: they are not closed. Null is ' +
        'what cannot be read of one',
    }),
    estimatedSeconds: z.int().meta({
      description:
        "For what is left, at the brokers' limits, if each position needs one order; cancels of what rests, and " +
        'further waves of large positions, come on top',
    }),
    createdAt: createdAtShown,
    updatedAt: updatedAtShown,
  })
  .meta({ id: 'Closing' });

const bodyOf = (brokerName: RouteInputs['brokerName']) =>
  z
    .strictObject({
      broker: brokerName.optional().meta({ description: 'Absent: every account of the route' }),
      instrument: instrument.optional(),
      product: productAsked
        .optional()
        .meta({ description: 'Only positions of this product; of each when absent' }),
      side: z.enum(SIDES).optional().meta({ description: 'Of the position: BUY for long ones' }),
      holdings: z.array(instrument).max(500).optional().meta({
        description: 'Delivery shares that are sold too; no others are',
      }),
      includeUndelivered: z.boolean().optional().meta({
        description: 'Of these, also what was bought today, or is not delivered yet (T1)',
      }),
      scope: z
        .enum(['mine', 'account'])
        .optional()
        .meta({
          description:
            "`mine`: what this key's orders have bought and sold, and the default of trade keys; `account`: " +
            'all of it, with an admin key, and the default of those',
        }),
      clientOrderId: idempotencyKey.optional(),
    })
    .meta({ id: 'CloseAllRequest', example: { product: 'INTRADAY' } });

const params = z.strictObject({
  id: z
    .string()
    .regex(/^closing_[0-9a-f-]{36}$/, 'takes the id of a closing')
    .meta({
      description: 'The id of the closing',
      example: 'closing_0193576c-2f00-7000-8000-000000000000',
    }),
});
const one = enveloped(closingSchema);
const path = '/api/v1/positions/close-all';

const CLOSINGS = {
  list: 'closings',
  id: ({ id }: ClosingResponse) => id,
  at: ({ createdAt }: ClosingResponse) => createdAt,
  view,
} as const;

export function closeAllRoutes(
  gateway: Gateway,
  clock: Clock,
  { brokerName, brokerQuery }: RouteInputs,
): readonly Route[] {
  return [
    closingsRoute(gateway, clock, { brokerQuery }),
    defineRoute({
      method: 'POST',
      path,
      scope: 'trade',
      operationId: 'closeAll',
      tag: 'Exits',
      summary: 'Ends many positions, the short ones of each underlying first',
      headers: keyHeader,
      body: bodyOf(brokerName),
      problems: CLOSING,
      replies: {
        202: {
          description: 'The closing is on disk and under way',
          schema: one,
          headers: ['Location', 'Idempotency-Key', 'Idempotent-Replayed'],
        },
      },
      handler: async ({ headers, body, caller }) => {
        const isAdmin = caller.scope === 'admin';
        const scope = body.scope ?? (isAdmin ? 'account' : 'mine');
        if (scope === 'account') mustAllow(caller, 'admin', 'scope account');
        const request = {
          ...{ broker: body.broker ?? null, instrument: body.instrument ?? null, scope },
          product: body.product === undefined ? null : productOf(body.product),
          side: body.side ?? null,
          holdings: body.holdings ?? [],
          includeUndelivered: body.includeUndelivered === true,
        };
        const key = oneOf('clientOrderId', headers['Idempotency-Key'], body.clientOrderId);
        const context = { caller: caller.id, idempotencyKey: key };
        const { closing, repeated } = await gateway.closeAll(request, context);
        return json(202, success(view(closing)), {
          Location: `${path}/${closing.id}`,
          'Idempotency-Key': closing.clientOrderId,
          ...(repeated ? { 'Idempotent-Replayed': 'true' } : {}),
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      scope: 'read',
      operationId: 'getClosing',
      tag: 'Exits',
      summary: 'A closing with its positions',
      params,
      query: brokerQuery,
      problems: ['unknown_closing'],
      replies: { 200: { description: 'The closing', schema: one } },
      handler: async ({ params: { id }, query }) =>
        json(200, success(view(await closingAt(gateway, id, query.broker)))),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      scope: 'trade',
      operationId: 'cancelClosing',
      tag: 'Exits',
      summary: 'Ends a closing: no further exit begins, and those under way end',
      params,
      query: brokerQuery,
      problems: ['unknown_closing', 'journal_unavailable'],
      replies: { 202: { description: 'The closing, as it stands', schema: one } },
      handler: async ({ params: { id }, query }) => {
        await closingAt(gateway, id, query.broker);
        return json(202, success(view(await gateway.cancelClosing(id))));
      },
    }),
  ];
}

function closingsRoute(
  gateway: Gateway,
  clock: Clock,
  { brokerQuery }: Pick<RouteInputs, 'brokerQuery'>,
): Route {
  return defineRoute({
    method: 'GET',
    path,
    scope: 'read',
    operationId: 'getClosings',
    tag: 'Exits',
    summary: "A page of a day's closings of positions, oldest first",
    query: brokerQuery.extend({
      status: exitStatuses('Closings').optional(),
      day: day.optional().meta({ description: 'IST day; today when absent' }),
      ...pageInputs('Closings'),
    }),
    problems: ['wrong_cursor'],
    replies: { 200: { description: 'Closings', schema: pagedAlone(z.array(closingSchema)) } },
    handler: async ({ query }) => {
      const named = cursorOf('closings', query.cursor, query.day)?.of ?? query.day;
      const of = named ?? tradingDay(clock.now());
      const all = await gateway.getClosings(of);
      const closings = all.filter(
        (each) => elsewhere(each, query.broker) === undefined && isAskedFor(query.status, each),
      );
      const { data, nextCursor } = pageOf(closings, query, { ...CLOSINGS, of });
      return json(200, success(data, { meta: { nextCursor } }));
    },
  });
}

/** A part of a closing that is at another broker than the one that a request names. */
const elsewhere = (
  { positions, unread }: ClosingResponse,
  broker: BrokerId | undefined,
): Pick<ClosingPosition, 'broker'> | undefined =>
  [...positions, ...unread].find((each) => each.broker !== (broker ?? each.broker));

/** Where a request names a broker, all of the closing must be there. */
async function closingAt(
  gateway: Pick<Gateway, 'getClosing'>,
  id: ClosingId,
  broker: BrokerId | undefined,
): Promise<ClosingResponse> {
  const closing = await gateway.getClosing(id);
  const other = elsewhere(closing, broker);
  if (other === undefined) return closing;
  const detail = `There is no closing ${id} at ${broker} alone; it is also at ${other.broker}.`;
  throw new GatewayProblem({ code: 'unknown_closing', detail });
}

function view(closing: ClosingResponse): z.output<typeof closingSchema> {
  const { createdAt, updatedAt, positions, unread } = closing;
  return {
    ...closing,
    positions: [...positions],
    unread: [...unread],
    createdAt: istIso(createdAt),
    updatedAt: istIso(updatedAt),
  };
}
