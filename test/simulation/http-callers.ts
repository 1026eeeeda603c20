import type { RequestListener } from 'node:http';
import type { OrderModification, OrderRequest } from '../../src/domain/order.ts';
import { z } from 'zod';
import type { Composed } from '../../src/compose.ts';
import { EXIT_ENDS, type ExitResponse } from '../../src/domain/exit.ts';
import type { GatewayProblem } from '../../src/domain/problem.ts';
import { CANCEL_RESULTS, type CancelResult } from '../../src/domain/cancel-all.ts';
import type { ClosingResponse } from '../../src/domain/closing.ts';
import type { CloseAllRequest } from '../../src/router/closings.ts';
import type {
  BasketRequest,
  CallContext,
  CancelAllRequest,
  ExitRequest,
  ResolveWord,
} from '../../src/router/gateway.ts';
import { basketReply } from '../../src/routes/basket.ts';
import { enveloped } from '../../src/routes/define-route.ts';
import { orderSchema } from '../../src/routes/order-schemas.ts';
import { problemSchema } from '../../src/routes/problems.ts';
import { keyOf } from './callers-file.ts';
import { type CalledKeys, keysDirectly, keysOverHttp } from './http-keys.ts';
import { type CalledTriggers, triggersDirectly, triggersOverHttp } from './http-triggers.ts';
import { type CalledOwnLists, ownListsDirectly, ownListsOverHttp } from './http-own-lists.ts';
import { inProcessHttp, type InProcessReply } from '../support/in-process-http.ts';
import {
  itemOf,
  problemFrom,
  type ToldItem,
  type ToldOrder,
  type ToldResult,
} from './told-orders.ts';

/** What a program is told of a way out. */
export type ToldExit = Pick<ExitResponse, 'id' | 'status'>;

/** What a program is told of a closing of many positions. */
export type ToldClosing = Pick<ClosingResponse, 'id' | 'status'> & {
  readonly positions: readonly Pick<ClosingResponse['positions'][number], 'instrument' | 'net'>[];
};

/** How one of the triggers of a cancel of many stands; `id` null for one placed elsewhere. */
export interface ToldCancelledTrigger {
  readonly id: string | null;
  readonly triggerId: string | null;
  readonly result: CancelResult;
  readonly onDisk?: false | undefined;
}

/** What a program is told of a cancel of many orders. */
export interface ToldCancelAll {
  readonly orders: readonly {
    readonly order: ToldOrder;
    readonly result: CancelResult;
    readonly onDisk?: false | undefined;
  }[];
  /** Absent where triggers were not asked for. */
  readonly triggers?: readonly ToldCancelledTrigger[] | undefined;
  readonly errors: readonly { readonly broker: string; readonly reason: string }[];
  /** Nothing of it is open any more. */
  readonly settled: boolean;
}

/** What the programs and people of the simulation call: the router itself, or its HTTP routes. */
export interface CalledGateway extends CalledTriggers, CalledKeys, CalledOwnLists {
  /** Posts an alert to the listener of hooks, over HTTP on every day. */
  postAlert(secret: string, body: string): Promise<InProcessReply>;
  placeOrder(order: OrderRequest, context: CallContext): Promise<ToldResult>;
  placeBasket(basket: BasketRequest, caller: string): Promise<readonly ToldItem[]>;
  cancelOrder(id: string, context: CallContext): Promise<ToldResult>;
  modifyOrder(id: string, changes: OrderModification, context: CallContext): Promise<ToldResult>;
  resolveOrder(id: string, word: ResolveWord, context: CallContext): Promise<ToldResult>;
  getOrder(id: string): Promise<ToldOrder>;
  startExit(request: ExitRequest, context: CallContext): Promise<ToldExit>;
  cancelExit(id: string, context: CallContext): Promise<unknown>;
  closeAll(request: CloseAllRequest, context: CallContext): Promise<ToldClosing>;
  cancelClosing(id: string, context: CallContext): Promise<unknown>;
  cancelAll(request: CancelAllRequest, context: CallContext): Promise<ToldCancelAll>;
  getPositions(): Promise<unknown>;
  setKillSwitch: (engaged: boolean, reason: string, context: CallContext) => Promise<ToldSwitch>;
}

const toldSwitch = z.object({ data: z.object({ onDisk: z.boolean() }) });
/** What a person is told about the kill switch, as far as it matters here. */
export type ToldSwitch = z.infer<typeof toldSwitch>['data'];
const answerSchema = enveloped(orderSchema);
const problemReply = problemSchema.extend({ order: orderSchema.optional() });

/** Posts alerts to the application of hooks. */
function alertsTo(hooks: RequestListener): CalledGateway['postAlert'] {
  const send = inProcessHttp(hooks);
  return (secret, text) => send({ method: 'POST', path: `/hooks/${secret}`, text });
}

/** Calls the router itself. */
export const directly = ({
  gateway,
  callers,
  apps,
}: Pick<Composed, 'gateway' | 'callers' | 'apps'>): CalledGateway => ({
  ...gateway,
  ...triggersDirectly(gateway),
  ...keysDirectly(gateway, callers),
  ...ownListsDirectly(gateway),
  postAlert: alertsTo(apps.hooks),
  startExit: async (request, context) => (await gateway.startExit(request, context)).exit,
  closeAll: async (request, context) => (await gateway.closeAll(request, context)).closing,
  placeBasket: async (basket, caller) =>
    (await gateway.placeBasket(basket, caller)).orders.map(({ result, placed, problem }) =>
      itemOf(result, placed, problem),
    ),
});

/**
 * Calls the application of the gateway over HTTP in memory: its real server, parser, routes, keys and
 * validation, and no socket. What is answered against
 * docs/spec/outcomes.md rejects with an Error, which the checker reports.
 */
export function overHttp({ main, hooks }: Composed['apps']): CalledGateway {
  const send = inProcessHttp(main);

  async function ask(
    method: string,
    path: string,
    { caller, idempotencyKey }: Pick<CallContext, 'caller' | 'idempotencyKey'>,
    json?: unknown,
  ): Promise<InProcessReply> {
    const headers = {
      authorization: `Bearer ${keyOf(caller)}`,
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    };
    return send({ method, path, headers, ...(json === undefined ? {} : { json }) });
  }

  const result = (reply: InProcessReply): ToldResult => ({
    order: orderOf(reply),
    repeated: reply.headers['idempotent-replayed'] === 'true',
    ...(reply.body.meta?.onDisk === false ? { onDisk: false } : {}),
  });
  const pathOf = (id: string): string => `/api/v1/orders/${encodeURIComponent(id)}`;
  // A key that is confined to an account finds the orders of that one alone.
  const reader = { caller: 'person', idempotencyKey: null };

  return {
    ...triggersOverHttp(ask),
    ...keysOverHttp(ask, mustSucceed),
    ...ownListsOverHttp(ask, mustSucceed),
    postAlert: alertsTo(hooks),
    async placeOrder(order, context) {
      return result(await ask('POST', '/api/v1/orders', context, given(order)));
    },
    async placeBasket({ orders, ordered }, caller) {
      const body = {
        orders: orders.map(({ request, clientOrderId }) => given({ ...request, clientOrderId })),
        ordered,
      };
      const context = { caller, idempotencyKey: null };
      return basketOf(await ask('POST', '/api/v1/orders/basket', context, body));
    },
    async cancelOrder(id, context) {
      return result(await ask('DELETE', pathOf(id), context));
    },
    async modifyOrder(id, changes, context) {
      return result(await ask('PATCH', pathOf(id), context, given(changes)));
    },
    async resolveOrder(id, word, context) {
      const body = word.kind === 'absent' ? { absent: true } : { placed: word.brokerOrderId };
      return result(await ask('POST', `${pathOf(id)}/resolve`, context, body));
    },
    async getOrder(id) {
      return orderOf(await ask('GET', pathOf(id), reader));
    },
    async startExit(request, context) {
      const body = given({ ...request, kind: null });
      return exitOf(await ask('POST', '/api/v1/exits', context, body));
    },
    async cancelExit(id, context) {
      return mustSucceed(await ask('DELETE', `/api/v1/exits/${id}`, context));
    },
    async closeAll(request, context) {
      const body = given({ ...request });
      return closingOf(await ask('POST', '/api/v1/positions/close-all', context, body));
    },
    async cancelClosing(id, context) {
      return mustSucceed(await ask('DELETE', `/api/v1/positions/close-all/${id}`, context));
    },
    async cancelAll(request, context) {
      const body = given({ ...request });
      return cancelAllOf(await ask('POST', '/api/v1/orders/cancel-all', context, body));
    },
    async getPositions() {
      return mustSucceed(await ask('GET', '/api/v1/positions', reader));
    },
    async setKillSwitch(engaged, reason, context) {
      const reply = await ask('POST', '/api/v1/kill-switch', context, { engaged, reason });
      return toldSwitch.parse(mustSucceed(reply)).data;
    },
  };
}

/** A body without what is null: a caller leaves out what it does not mean. */
const given = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const toldExit = z.object({
  data: z.object({ id: z.string(), status: z.enum(['running', ...EXIT_ENDS]) }),
});

const toldClosing = z.object({
  data: z.object({
    id: z.string(),
    status: z.enum(['running', ...EXIT_ENDS]),
    positions: z.array(z.object({ instrument: z.string(), net: z.number() })),
  }),
});

const toldCancelAll = z.object({
  data: z.array(
    z.object({
      ...{ result: z.enum(CANCEL_RESULTS), order: orderSchema },
      onDisk: z.literal(false).optional(),
    }),
  ),
  meta: z.object({
    errors: z.array(z.object({ broker: z.string(), reason: z.string() })),
    triggers: z
      .array(
        z.object({
          ...{ id: z.string().nullable(), triggerId: z.string().nullable() },
          result: z.enum(CANCEL_RESULTS),
          onDisk: z.literal(false).optional(),
        }),
      )
      .optional(),
  }),
});

const OPEN: ReadonlySet<string> = new Set(['uncertain', 'disputed']);
/** On a full disk what came of an order cannot be written yet: it is answered as it is in the journal. */
const UNSETTLED: ReadonlySet<string> = new Set([...OPEN, 'accepted', 'sending']);

/** The order that an answer shows. Throws a GatewayProblem for a problem without one. */
function orderOf(reply: InProcessReply): ToldOrder {
  if (reply.status < 400) {
    const order = answerSchema.parse(reply.body).data;
    if (reply.status === 201 && OPEN.has(order.status)) {
      throw new Error(`201 with an order that is ${order.status}`);
    }
    return order;
  }
  const problem = problemReply.parse(reply.body);
  const isClosed = problem.code === 'order_refused' || problem.code === 'order_not_sent';
  if (!isClosed || problem.order === undefined) throw problemOf(reply);
  if (OPEN.has(problem.order.status) || problem.mayHaveExecuted) {
    throw new Error(`${problem.code} with an order that is ${problem.order.status}`);
  }
  return problem.order;
}

/** The answers to the orders of a basket, each of which has to be that of a single order. */
function basketOf(reply: InProcessReply): ToldItem[] {
  const { data, meta } = basketReply.parse(mustSucceed(reply));
  const { counts } = meta;
  if (counts.uncertain > 0 !== (reply.status === 202))
    throw new Error(`${reply.status} for a basket`);
  const counted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (counted !== data.length) throw new Error(`a basket of ${data.length} counts ${counted}`);
  return data.map(({ result, order, problem, httpStatus, repeated }) => {
    if (order && UNSETTLED.has(order.status) !== (httpStatus === 202)) {
      throw new Error(`${httpStatus} with an order that is ${order.status}`);
    }
    return itemOf(result, order && { order, repeated }, problem);
  });
}

function exitOf(reply: InProcessReply): ToldExit {
  return toldExit.parse(mustSucceed(reply)).data;
}

const closingOf = (reply: InProcessReply): ToldClosing =>
  toldClosing.parse(mustSucceed(reply)).data;

function cancelAllOf(reply: InProcessReply): ToldCancelAll {
  const { data, meta } = toldCancelAll.parse(mustSucceed(reply));
  const { errors, triggers } = meta;
  return { orders: data, errors, triggers, settled: reply.status === 200 };
}

function mustSucceed(reply: InProcessReply): unknown {
  if (reply.status >= 400) throw problemOf(reply);
  return reply.body;
}

function problemOf(reply: InProcessReply): GatewayProblem {
  const { status, code, detail, mayHaveExecuted } = problemReply.parse(reply.body);
  if (status !== reply.status)
    throw new Error(`a problem of ${status} under status ${reply.status}`);
  return problemFrom({ code, detail, mayHaveExecuted });
}
