import { z } from 'zod';
import { ABOUT_PAGE } from './answer-parts.ts';
import type { Caller } from '../callers/caller.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import { isFinal, ORDER_STATUSES } from '../domain/order.ts';
import { GatewayProblem, type ProblemFields } from '../domain/problem.ts';
import type { ExecutionResult, Gateway } from '../router/gateway.ts';
import { externalName } from '../router/order-list.ts';
import {
  accounted,
  accountSchema,
  day,
  defineRoute,
  json,
  keyHeader,
  listScope,
  metaView,
  paged,
  problem,
  type Reply,
  type ReplyDescription,
  type Route,
  success,
} from './define-route.ts';
import { mustAllow } from './access.ts';
import { orderRequestOf, orderSchema, orderView, type RouteInputs } from './order-schemas.ts';
import { ORDER_LISTS, PLACING } from './declared-problems.ts';
import { pageInputs } from './pages.ts';
import { statusFilter } from './status-filter.ts';

const page = paged(z.array(orderSchema));
const bookSchema = accountSchema.extend({
  read: z.boolean().meta({
    description: 'Whether the list has all orders that were placed elsewhere at this broker',
  }),
  reason: z.string().nullable().meta({ description: 'Why it has not; null where it has' }),
  unreadRows: z.int().meta({
    description:
      'Rows of the book that cannot be read, each of which may be an order that the list lacks. It has all others',
  }),
});
const orderPage = page.extend({
  meta: page.shape.meta
    .extend({
      books: z.array(bookSchema).meta({
        description:
          'The brokers that take orders. The orders of the gateway itself are in the list in any case, as ' +
          'they were last known',
      }),
      uncertainTriggers: z.array(z.string()).optional().meta({
        description:
          'With scope=mine, today: triggers of the key that may have placed an order that the list does not have',
      }),
      eventsCursor: z
        .string()
        .nullable()
        .meta({
          description:
            'GET /events?after= goes on from here: every change that is not in this list yet comes after it. Null ' +
            'where the journal cannot be read',
        }),
    })
    .meta(ABOUT_PAGE),
});

export const orderReply = accounted(orderSchema);

const statuses = statusFilter('Orders', ORDER_STATUSES, (status) => !isFinal(status));

const MADE = ['Location', 'Idempotency-Key', 'Idempotent-Replayed'] as const;

/**
 * A repeated key returns the order that it placed, in its present state, with Idempotent-Replayed.
 */
const placeReplies: Readonly<Record<number, ReplyDescription>> = {
  201: { description: 'The broker has the order', schema: orderReply, headers: MADE },
  202: {
    description: 'Whether the broker has the order is not known yet: read it until that is known',
    schema: orderReply,
    headers: MADE,
  },
};

export function orderRoutes(
  gateway: Gateway,
  { brokerQuery, readQuery, orderBody }: RouteInputs,
  newestEvent: () => Promise<string>,
): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/orders',
      scope: 'read',
      operationId: 'getOrders',
      tag: 'Orders',
      summary:
        "A page of a trading day's orders, newest first: the gateway's and those placed elsewhere",
      query: readQuery.extend({
        scope: listScope.optional(),
        status: statuses.optional(),
        day: day.optional().meta({ description: 'IST day; today when absent' }),
        ...pageInputs('Orders'),
      }),
      problems: ORDER_LISTS,
      replies: { 200: { description: 'Orders', schema: orderPage } },
      handler: async ({ query: { scope, ...query }, caller }) => {
        // Asked for before the orders are read: a change in between is told once more, and never lost.
        const eventsCursor = await newestEvent().catch(() => null);
        const mine = scope === 'mine' ? { caller: caller.id } : {};
        const { data, meta, nextCursor, books, uncertainTriggers } = await gateway.getOrders({
          ...{ ...query, ...mine },
        });
        const told = {
          ...metaView(meta),
          nextCursor,
          books: books.map((book) => ({ ...book })),
          ...(uncertainTriggers ? { uncertainTriggers: [...uncertainTriggers] } : {}),
          eventsCursor,
        };
        return json(200, success(data.map(orderView), { meta: told }));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v1/orders',
      scope: 'trade',
      operationId: 'placeOrder',
      tag: 'Orders',
      summary: 'Places an order, at most once for each key',
      query: brokerQuery,
      headers: keyHeader,
      body: orderBody,
      problems: PLACING,
      replies: placeReplies,
      handler: async ({ query, headers, body, caller, arrived }) => {
        const broker = oneOf('broker', query.broker, body.broker);
        const key = oneOf('clientOrderId', headers['Idempotency-Key'], body.clientOrderId);
        const order = { ...orderRequestOf(body), broker, mode: modeOf(caller, body.mode) };
        const force = body.force === true;
        if (force) mustAllow(caller, 'admin', 'force');
        const context = {
          ...{ caller: caller.id, idempotencyKey: key },
          ...(force ? { force } : {}),
          ...(arrived ? { arrived } : {}),
        };
        return placedReply(await gateway.placeOrder(order, context));
      },
    }),
  ];
}

/** A key that is confined to live accounts places no paper order, whatever the route says. */
export function modeOf({ name, mode }: Caller, asked: Mode | undefined): Mode | null {
  if (mode === null || asked === undefined || asked === mode) return asked ?? mode;
  throw new GatewayProblem({
    code: 'forbidden',
    detail: `The key ${name} places ${mode} orders alone, and the request has mode ${asked}: leave mode out, or use another key.`,
    mayHaveExecuted: false,
  });
}

/** One value that can be given in two places: both are accepted when they are equal. */
export function oneOf<T extends string>(
  name: 'broker' | 'clientOrderId',
  outside: T | undefined,
  inBody: T | undefined,
  path = `body.${name}`,
): T | null {
  if (outside !== undefined && inBody !== undefined && outside !== inBody) {
    const other = name === 'broker' ? 'the query parameter broker' : 'the header Idempotency-Key';
    const message = `differs from ${other}: send only one of them`;
    throw new GatewayProblem({
      code: 'invalid_request',
      detail: `${path}: ${message}`,
      errors: [{ path, message }],
    });
  }
  return outside ?? inBody ?? null;
}

/** When a request names a broker for an existing order, it must be the order's broker. */
export async function mustBeAt(
  gateway: Pick<Gateway, 'getOrder'>,
  id: string,
  broker: BrokerId | null,
): Promise<void> {
  if (broker === null) return;
  // The id names the broker, so that a cancel does not wait for its book.
  if (externalName(id)?.broker === broker) return;
  const order = await gateway.getOrder(id);
  if (order.broker === broker) return;
  throw new GatewayProblem({
    code: 'unknown_order',
    detail: `There is no order ${id} at ${broker}; it is at ${order.broker}.`,
    broker,
  });
}

/**
 * The reply to a request to place an order (docs/orders.md). An open outcome is handled first:
 * while it is open, no reply says that the order was not placed.
 */
export function placedReply(result: ExecutionResult): Reply {
  const headers = {
    ...replayHeaders(result),
    Location: `/api/v1/orders/${encodeURIComponent(result.order.id)}`,
  };
  const { order } = result;
  if (isOpen(result)) return json(202, orderBody(result), headers);
  if (order.status === 'rejected') {
    const detail = order.reason ?? 'The broker refused the order; it was not placed.';
    return problem(422, closed('order_refused', detail, result), headers);
  }
  if (order.status === 'not_sent') {
    const detail = order.reason ?? 'The order was not sent to any broker.';
    return problem(503, closed('order_not_sent', detail, result), headers);
  }
  return json(201, orderBody(result), headers);
}

/** The reply to a cancel or a modification: the order in its present state. */
export function changedReply(result: ExecutionResult): Reply {
  return json(isOpen(result) ? 202 : 200, orderBody(result), replayHeaders(result));
}

/** The reply to a manual resolution: the order in its present state. */
export function resolvedReply(result: ExecutionResult): Reply {
  return json(200, orderBody(result), replayHeaders(result));
}

/** Also while a rejected order may have filled in part: its row does not say how much of it has. */
function isOpen({ order, settled }: ExecutionResult): boolean {
  const { status, filledQuantity } = order;
  if (status === 'rejected') return !settled || filledQuantity === null;
  return !settled || status === 'uncertain' || status === 'disputed';
}

function orderBody({ order, onDisk }: ExecutionResult) {
  const unwritten = onDisk === false ? { onDisk } : {};
  return success(orderView(order), {
    meta: { broker: order.broker, mode: order.mode, ...unwritten },
  });
}

function replayHeaders(result: ExecutionResult): Record<string, string> {
  return {
    ...(result.idempotencyKey === null ? {} : { 'Idempotency-Key': result.idempotencyKey }),
    ...(result.repeated ? { 'Idempotent-Replayed': 'true' } : {}),
  };
}

function closed(
  code: 'order_refused' | 'order_not_sent',
  detail: string,
  { order }: ExecutionResult,
): ProblemFields {
  return {
    code,
    detail,
    broker: order.broker,
    mayHaveExecuted: false,
    extra: { order },
  };
}
