import { z } from 'zod';
import { at, number, text } from './answer-parts.ts';
import { MODES } from '../domain/broker.ts';
import { ORDER_TYPES, SIDES, VALIDITIES } from '../domain/order.ts';
import { type Signal, SIGNAL_STATES, type SignalQuery, signalState } from '../domain/signal.ts';
import { istIso } from '../domain/ist.ts';
import {
  defineRoute,
  digits,
  enveloped,
  isoOrNull,
  json,
  pagedAlone,
  type Route,
  success,
  time,
} from './define-route.ts';
import {
  ORDER_TYPE,
  priceShown,
  productShown,
  SIDE,
  triggerPriceShown,
  VALIDITY,
} from './order-fields.ts';
import { TAKING_SIGNALS } from './declared-problems.ts';

/** An alert as it was posted. */
export interface PostedAlert {
  readonly secret: string;
  readonly body: string;
  /** The address that posted it. */
  readonly address: string;
}

/** Signals, for the routes. */
export interface Signals {
  /**
   * Takes an alert in: resolves once it is on disk, before its orders are sent. `repeated`: it had come before,
   * and the signal is that of the first time. Rejects with the problem of a signal that was refused.
   */
  take(alert: PostedAlert): Promise<{ readonly signal: Signal; readonly repeated: boolean }>;
  newest(query: SignalQuery): Promise<readonly Signal[]>;
}

const problem = z
  .object({
    code: text('The code of the problem, as POST /orders has it'),
    detail: text('What is wrong, for people'),
    mayHaveExecuted: z.literal(true).optional().meta({
      description: 'That the order may have been placed in spite of it; absent where it was not',
    }),
  })
  .nullable()
  .meta({ description: 'Why it was refused; null where it was not' });

export const signalSchema = z
  .object({
    id: text('`sig_…`'),
    hook: z
      .object({ id: text('The id of the hook'), name: text('What it was called then') })
      .meta({ description: 'Where the alert was posted' }),
    key: z.string().meta({ description: 'The key whose orders they are' }),
    mode: z
      .enum(MODES)
      .meta({ description: '`live`: its orders are of real money; `paper`: they are not' }),
    state: z.enum(SIGNAL_STATES).meta({
      description:
        '`accepted`: on disk, its orders are being sent; `placed`: each of them is an order, whose own status tells what ' +
        'became of it, also where that is not known (`uncertain`); `refused`: one of them, or the whole signal, was refused',
    }),
    alertId: z.string().nullable().meta({ description: 'By which a repeat is recognised' }),
    alertAt: time.nullable().meta({ description: 'The own time of the alert' }),
    receivedAt: at('When the gateway had read the alert'),
    orders: z
      .array(
        z.object({
          orderId: z.string().nullable().meta({ description: 'Null while it is no order' }),
          clientOrderId: z.string().meta({ description: 'The idempotency key of the order' }),
          instrument: text('What to trade, as the template makes it of the alert'),
          side: z.enum(SIDES).meta({ description: SIDE }),
          quantity: number('Shares or units'),
          orderType: z.enum(ORDER_TYPES).meta({ description: ORDER_TYPE }),
          product: productShown,
          validity: z.enum(VALIDITIES).meta({ description: VALIDITY }),
          ...{ price: priceShown, triggerPrice: triggerPriceShown },
          problem,
        }),
      )
      .meta({
        description: 'The orders that the alert became; empty where none could be made of it',
      }),
    problem,
  })
  .meta({ id: 'Signal' });

const signalId = z.string().regex(/^sig_[0-9a-f-]{36}$/, 'takes the nextCursor of an answer');

/** Signals as a list (docs/signals.md). */
export function signalRoutes(signals: Pick<Signals, 'newest'>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/signals',
      scope: 'read',
      operationId: 'getSignals',
      tag: 'Signals',
      summary: 'A page of the signals of the key, or of all for an admin, newest first',
      query: z.strictObject({
        state: z
          .enum(SIGNAL_STATES)
          .optional()
          .meta({ description: 'Signals of this state; of any when absent' }),
        limit: digits(1, 500)
          .optional()
          .meta({ description: 'Signals in the page; 100 when absent' }),
        cursor: signalId.optional().meta({
          description: 'The nextCursor of the previous page; the first page when absent',
          example: 'sig_0193576c-2f00-7000-8000-000000000000',
        }),
      }),
      problems: ['journal_unavailable'],
      replies: { 200: { description: 'Signals', schema: pagedAlone(z.array(signalSchema)) } },
      handler: async ({ query: { state = null, limit = 100, cursor = null }, caller }) => {
        const own = caller.scope === 'admin' ? null : caller.id;
        const found = await signals.newest({ caller: own, state, before: cursor, limit });
        const nextCursor = found.length < limit ? null : (found.at(-1)?.id ?? null);
        return json(200, success(found.map(signalView), { meta: { nextCursor } }));
      },
    }),
  ];
}

const ALERT_LIMIT = 64 * 1024;

/** The one route of the listener of hooks. The secret is the path: no key is asked for. */
export function hookRoute(signals: Pick<Signals, 'take'>, forwardedHeader: string | null): Route {
  const headers = forwardedHeader === null ? {} : { [forwardedHeader]: z.string().optional() };
  return defineRoute({
    method: 'POST',
    path: '/hooks/{secret}',
    scope: 'none',
    operationId: 'receiveSignal',
    tag: 'Signals',
    summary: 'Takes an alert of another program, and places its orders',
    params: z.strictObject({ secret: z.string() }),
    query: z.looseObject({}),
    headers: z.strictObject(headers),
    // Each proxy may add its word to the line that is there, or a line of its own.
    listHeaders: Object.keys(headers),
    body: z.string(),
    rawBody: { limit: ALERT_LIMIT },
    problems: TAKING_SIGNALS,
    replies: {
      202: {
        description: 'The signal is on disk, since now or earlier; its orders follow',
        schema: enveloped(signalSchema),
        headers: ['Idempotent-Replayed'],
      },
    },
    handler: async ({ params: { secret }, headers: sent, body, address }) => {
      const told = forwardedHeader === null ? undefined : sent[forwardedHeader];
      // The nearest proxy adds its own word at the end.
      const source = typeof told === 'string' ? told.split(',').at(-1)?.trim() : undefined;
      const { signal, repeated } = await signals.take({
        secret,
        body,
        address: source ?? address ?? '',
      });
      const headersOf = repeated ? { 'Idempotent-Replayed': 'true' } : {};
      return json(202, success(signalView(signal)), headersOf);
    },
  });
}

/** Field by field, so that nothing of a signal is published by accident. */
export function signalView(signal: Signal): z.output<typeof signalSchema> {
  const { id, hookId, hookName, caller, mode, alertId, alertAt, receivedAt, orders } = signal;
  return {
    ...{ id, hook: { id: hookId, name: hookName }, key: caller, mode, state: signalState(signal) },
    ...{ alertId, alertAt: isoOrNull(alertAt), receivedAt: istIso(receivedAt) },
    orders: orders.map(({ idempotencyKey, request, orderId, problem: why }) => ({
      ...{ orderId, clientOrderId: idempotencyKey },
      ...{ instrument: request.instrument, side: request.side, quantity: request.quantity },
      ...{ orderType: request.orderType, product: request.product, validity: request.validity },
      ...{ price: request.price, triggerPrice: request.triggerPrice },
      problem: why && { ...why },
    })),
    problem: signal.problem && { ...signal.problem },
  };
}
