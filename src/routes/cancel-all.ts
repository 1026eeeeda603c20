import { z } from 'zod';
import { instrumentShown, sentUnwritten, text, word } from './answer-parts.ts';
import { CANCEL_RESULTS, CANCEL_SCOPES } from '../domain/cancel-all.ts';
import { SIDES } from '../domain/order.ts';
import { OWN_TRIGGER_STATUSES } from '../domain/trigger.ts';
import type { CancelledOrder, Gateway } from '../router/gateway.ts';
import { mustAllow } from './access.ts';
import {
  answeringBroker,
  defineRoute,
  enveloped,
  instrument,
  json,
  keyHeader,
  type Route,
  success,
} from './define-route.ts';
import {
  orderSchema,
  orderView,
  productAsked,
  productOf,
  type RouteInputs,
} from './order-schemas.ts';
import { CANCELLING_ALL } from './declared-problems.ts';

const onDisk = sentUnwritten('a cancel, or a deletion,');

const cancelledSchema = z
  .object({
    id: text('The id of the order'),
    broker: answeringBroker,
    result: z.enum(CANCEL_RESULTS).meta({
      description:
        'cancelling and uncertain are open: repeat the request under the same key, or read the order',
    }),
    order: orderSchema.meta({ description: 'The order as it now stands' }),
    reason: word('Why it was not cancelled, for people; null where nothing needs to be said'),
    onDisk,
  })
  .meta({ id: 'CancelledOrder' });

const triggerSchema = z
  .object({
    id: z.string().nullable().meta({ description: 'Null for one placed elsewhere' }),
    triggerId: z
      .string()
      .nullable()
      .meta({ description: "The broker's id; null where it is not known" }),
    broker: answeringBroker,
    instrument: instrumentShown,
    status: z
      .enum([...OWN_TRIGGER_STATUSES, 'unrecognised'])
      .nullable()
      .meta({ description: 'Null where no list shows it' }),
    result: z.enum(CANCEL_RESULTS).meta({
      description: 'As that of an order. cancelled: it has ended. over: it has placed its order',
    }),
    reason: word('Why it was not deleted, for people; null where nothing needs to be said'),
    onDisk,
  })
  .meta({ id: 'CancelledTrigger' });

const meta = z.object({
  triggers: z
    .array(triggerSchema)
    .optional()
    .meta({ description: 'Each trigger; absent where triggers were not asked for' }),
  estimatedSeconds: z.int().nonnegative().meta({
    description: "How long all requests take at the brokers' limits, counted from the first one",
  }),
  errors: z
    .array(z.object({ broker: answeringBroker, reason: text('What could not be read, and why') }))
    .meta({
      description:
        'Books, and lists of triggers, that could not be read whole: what is in no list may rest there',
    }),
});
const headers = ['Idempotency-Key', 'Idempotent-Replayed'] as const;
const reply = enveloped(z.array(cancelledSchema)).extend({
  meta: meta.meta({
    description: 'What was asked for beside the orders, and what could not be read',
  }),
});

const cancelAllBody = (brokerName: RouteInputs['brokerName']) =>
  z
    .strictObject({
      scope: z
        .enum(CANCEL_SCOPES)
        .optional()
        .meta({
          description:
            'mine (when absent): orders of this key, and those that its triggers have placed. account, with an ' +
            'admin key: all open orders, those placed elsewhere included',
        }),
      broker: brokerName.optional().meta({ description: 'Absent: all brokers' }),
      instrument: instrument.optional(),
      product: productAsked
        .optional()
        .meta({ description: 'Only orders of this product; of each when absent' }),
      side: z
        .enum(SIDES)
        .optional()
        .meta({ description: 'Only orders of this side; of both when absent' }),
      triggers: z
        .boolean()
        .optional()
        .meta({
          description:
            'true: also deletes the triggers that the filters hit, those of the scope. They are answered in ' +
            'meta.triggers',
        }),
    })
    .meta({ id: 'CancelAllRequest', example: { instrument: 'NSE:INFY' } });

export function cancelAllRoutes(gateway: Gateway, { brokerName }: RouteInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/api/v1/orders/cancel-all',
      scope: 'trade',
      operationId: 'cancelAll',
      tag: 'Orders',
      summary: 'Cancels many open orders, and deletes triggers where asked, each for itself',
      headers: keyHeader,
      body: cancelAllBody(brokerName),
      problems: CANCELLING_ALL,
      replies: {
        200: { description: 'What became of each order: nothing is open', schema: reply, headers },
        202: {
          description: 'Some are open, or a book or a list of triggers could not be read',
          schema: reply,
          headers,
        },
      },
      handler: async ({ headers, body, caller }) => {
        const { scope = 'mine', broker = null, instrument: name = null, side = null } = body;
        if (scope === 'account') mustAllow(caller, 'admin', 'scope account');
        const product = body.product === undefined ? null : productOf(body.product);
        const triggers = body.triggers === true ? { triggers: true as const } : {};
        const asked = { scope, broker, instrument: name, product, side, ...triggers };
        const idempotencyKey = headers['Idempotency-Key'] ?? null;
        const answer = await gateway.cancelAll(asked, { caller: caller.id, idempotencyKey });
        const { orders, triggers: told, repeated, settled } = answer;
        const { estimatedSeconds, errors } = answer;
        const ofTriggers =
          told === undefined ? {} : { triggers: told.map((each) => ({ ...each })) };
        return json(
          settled ? 200 : 202,
          success(orders.map(cancelledView), { meta: { estimatedSeconds, errors, ...ofTriggers } }),
          {
            'Idempotency-Key': answer.idempotencyKey,
            ...(repeated ? { 'Idempotent-Replayed': 'true' } : {}),
          },
        );
      },
    }),
  ];
}

function cancelledView({
  order,
  result,
  reason,
  onDisk: written,
}: CancelledOrder): z.output<typeof cancelledSchema> {
  const { id, broker } = order;
  const unwritten = written === false ? { onDisk: written } : {};
  return { id, broker, result, order: orderView(order), reason, ...unwritten };
}
