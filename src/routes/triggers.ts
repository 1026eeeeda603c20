import { z } from 'zod';
import { istIso } from '../domain/ist.ts';
import { SIDES } from '../domain/order.ts';
import { type BrokerTrigger, TRIGGER_STATUSES } from '../domain/trigger.ts';
import type { Gateway } from '../router/gateway.ts';
import {
  answerBody,
  answered,
  type BrokerInputs,
  defineRoute,
  json,
  type Route,
  time,
} from './define-route.ts';
import type { EpochMs } from '../units/branded.ts';
import { ACCOUNT_READS } from './declared-problems.ts';

const legSchema = z.object({
  triggerPrice: z.number().nullable(),
  side: z.enum(SIDES),
  quantity: z.number(),
  product: z.string(),
  orderType: z.string(),
  price: z.number().nullable(),
  brokerOrderId: z.string().nullable().meta({
    description: 'The order that it has placed; null until then, and where the broker does not say',
  }),
  reason: z.string().nullable().meta({ description: 'Why its order was refused' }),
});

const triggerSchema = z
  .object({
    triggerId: z.string(),
    instrument: z.string(),
    status: z.enum(TRIGGER_STATUSES).meta({
      description:
        '`unrecognised`: a word that the gateway does not know; it may still place an order',
    }),
    rawStatus: z.string(),
    legs: z
      .array(legSchema)
      .meta({ description: 'Of two, the first to be reached ends the other' }),
    createdAt: time.nullable(),
    updatedAt: time.nullable(),
    expiresAt: time.nullable(),
  })
  .meta({ id: 'Trigger' });

export function triggerRoutes(gateway: Gateway, { readQuery }: BrokerInputs): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/triggers',
      scope: 'read',
      operationId: 'getTriggers',
      tag: 'Triggers',
      summary: 'Orders that wait at the broker for a price: GTTs and smart orders',
      query: readQuery.pick({ broker: true }),
      problems: ACCOUNT_READS,
      replies: { 200: { description: 'Triggers', schema: answered(z.array(triggerSchema)) } },
      handler: async ({ query }) =>
        json(
          200,
          answerBody(await gateway.getTriggers(query), (all) => all.map(triggerView)),
        ),
    }),
  ];
}

const instant = (at: EpochMs | null): string | null => (at === null ? null : istIso(at));

function triggerView(trigger: BrokerTrigger): z.output<typeof triggerSchema> {
  const { legs, createdAt, updatedAt, expiresAt, ...rest } = trigger;
  return {
    ...rest,
    legs: legs.map((leg) => ({ ...leg })),
    createdAt: instant(createdAt),
    updatedAt: instant(updatedAt),
    expiresAt: instant(expiresAt),
  };
}
