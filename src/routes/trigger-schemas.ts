import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { SIDES } from '../domain/order.ts';
import type { TriggerLegs, TriggerLegTerms, TriggerResponse } from '../domain/trigger.ts';
import { LISTED_TRIGGER_STATUSES, OWN_TRIGGER_STATUSES } from '../domain/trigger.ts';
import type { ListedTrigger } from '../router/triggers.ts';
import type { EpochMs } from '../units/branded.ts';
import {
  answeringBroker,
  answeringMode,
  type BrokerInputs,
  idempotencyKey,
  instrument,
  isoOrNull,
  time,
} from './define-route.ts';
import { NEVER } from './no-pattern.ts';
import { price, PRODUCT_KEYS, productOf, quantity } from './order-schemas.ts';

const placedOrder = z.string().nullable().meta({
  description: 'The order that it has placed; null until then, and where the broker does not say',
});
const whyRefused = z.string().nullable().meta({ description: 'Why its order was refused' });

const rowLeg = z.object({
  triggerPrice: z.number().nullable(),
  side: z.enum(SIDES),
  quantity: z.number(),
  product: z.string(),
  orderType: z.string(),
  price: z.number().nullable(),
  brokerOrderId: placedOrder,
  reason: whyRefused,
});

export const listedTriggerSchema = z
  .object({
    id: z.string().nullable().meta({
      description: "The gateway's own id; null for one that was placed elsewhere",
    }),
    triggerId: z.string().nullable().meta({
      description: "The broker's id; null where it is not known whether the broker has it",
    }),
    instrument: z.string(),
    status: z.enum(LISTED_TRIGGER_STATUSES).meta({
      description:
        '`unrecognised`: a word that the gateway does not know; it may still place an order',
    }),
    rawStatus: z.string(),
    legs: z.array(rowLeg).meta({ description: 'Of two, the first to be reached ends the other' }),
    createdAt: time.nullable(),
    updatedAt: time.nullable(),
    expiresAt: time.nullable(),
  })
  .meta({ id: 'ListedTrigger' });

const ownLeg = z.object({
  triggerPrice: z.number(),
  side: z.enum(SIDES),
  quantity: z.int(),
  product: z.string(),
  price: z.number(),
  brokerOrderId: placedOrder,
  reason: whyRefused,
  filledQuantity: z.number().nullable().meta({
    description:
      'What that order has filled; null before there is one, and while that is not known',
  }),
  averagePrice: z.number().nullable().meta({ description: 'Rupees; null where it is not known' }),
});

export const triggerSchema = z
  .object({
    id: z.string(),
    clientOrderId: z.string(),
    broker: answeringBroker,
    mode: answeringMode,
    instrument: z.string(),
    status: z.enum(OWN_TRIGGER_STATUSES),
    reason: z.string().nullable(),
    triggerId: z.string().nullable().meta({ description: "The broker's id" }),
    rawStatus: z.string().nullable().meta({ description: 'As the broker wrote it' }),
    legs: z.array(ownLeg),
    candidates: z.array(z.string()).meta({
      description: "The broker's triggers of which each could be it: a person has to say which",
    }),
    deleteWanted: z
      .boolean()
      .meta({ description: 'It is to be deleted as soon as that can be done' }),
    createdAt: time,
    updatedAt: time,
    expiresAt: time.nullable(),
  })
  .meta({ id: 'Trigger' });

const legBody = z.strictObject({
  triggerPrice: price,
  side: z.enum(SIDES),
  quantity,
  product: z.enum(PRODUCT_KEYS),
  price: price.meta({ description: 'Of the LIMIT order that it places, in rupees' }),
});

const lastPrice = price.optional().meta({
  description: 'The present price; the gateway asks for it when absent',
});
const force = z.boolean().optional().meta({
  description: 'With an admin key: lets one that reduces pass where its account cannot be read',
});

export const triggerBodyOf = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      instrument,
      legs: z.array(legBody).min(1, 'takes one leg or two').max(2, 'takes one leg or two').meta({
        description: 'Of two, the first has the lower trigger price',
      }),
      lastPrice,
      clientOrderId: idempotencyKey.optional(),
      broker: brokerName.optional().meta({ description: 'Absent: the account of the route' }),
      mode: z.enum(MODES).optional().meta({ description: '`live` excludes the paper account' }),
      force,
    })
    .meta({ id: 'TriggerRequest' });

export const triggerChangeBodyOf = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      legs: z
        .array(
          z.strictObject({
            triggerPrice: price.nullish(),
            quantity: quantity.nullish(),
            price: price.nullish(),
          }),
        )
        .min(1, 'takes one entry for each leg')
        .max(2, 'takes one entry for each leg'),
      lastPrice,
      broker: brokerName.optional(),
      force,
    })
    .meta({ id: 'TriggerModification' });

export const triggerResolveBody = z
  .strictObject({
    placed: z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,64}$/, "takes the broker's id of the trigger")
      .optional()
      .meta({ description: "The broker's id of the trigger" }),
    absent: z.literal(true, 'takes true').optional(),
    filled: z.int('takes a whole number').min(0, 'takes 0 or more').optional().meta({
      description:
        'How much the order that it has placed has filled in all, which no book tells any more; 0: nothing',
    }),
    averagePrice: price.optional().meta({ description: 'At what price on average, in rupees' }),
    force: z
      .literal(true, 'takes true')
      .optional()
      .meta({ description: 'Also where the trigger at the broker differs' }),
  })
  .refine(
    ({ placed, absent, filled }) =>
      [placed, absent, filled].filter((word) => word !== undefined).length === 1,
    { message: 'takes one of {placed: <trigger id>}, {absent: true} and {filled: <quantity>}' },
  )
  .refine((word) => word.force === undefined || word.placed !== undefined, {
    message: 'takes force with placed alone',
  })
  .refine((word) => word.averagePrice === undefined || word.filled !== undefined, {
    message: 'takes averagePrice with filled alone',
  })
  .meta({
    id: 'TriggerResolution',
    example: { placed: '123' },
    override: {
      oneOf: [
        {
          required: ['placed'],
          properties: { absent: NEVER, filled: NEVER, averagePrice: NEVER },
        },
        {
          required: ['absent'],
          properties: { placed: NEVER, force: NEVER, filled: NEVER, averagePrice: NEVER },
        },
        {
          required: ['filled'],
          properties: { placed: NEVER, absent: NEVER, force: NEVER },
        },
      ],
    },
  });

/** Our id: `trg_…`, `ord_…` where triggers are orders; `<broker>:<id>` names one placed elsewhere. */
export const triggerIdParams = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/, 'is not the id of a trigger')
    .meta({
      description: 'The id of the trigger',
      example: 'trg_0193576c-2f00-7000-8000-000000000000',
    }),
});

/** The schema has taken one leg or two. */
export function legsOf(body: readonly z.output<typeof legBody>[]): TriggerLegs {
  const [first, second] = body.map((leg): TriggerLegTerms => ({
    ...leg,
    product: productOf(leg.product),
  }));
  if (first === undefined) throw new Error('the body was not checked');
  return second === undefined ? [first] : [first, second];
}

export function listedTriggerView(trigger: ListedTrigger): z.output<typeof listedTriggerSchema> {
  const { legs, createdAt, updatedAt, expiresAt, ...rest } = trigger;
  return {
    ...rest,
    legs: legs.map((leg) => ({ ...leg })),
    createdAt: instant(createdAt),
    updatedAt: instant(updatedAt),
    expiresAt: instant(expiresAt),
  };
}

const instant = (at: EpochMs | null): string | null => (at === null ? null : istIso(at));

export function triggerView(trigger: TriggerResponse): z.output<typeof triggerSchema> {
  const { legs, candidates, createdAt, updatedAt, expiresAt, ...rest } = trigger;
  return {
    ...rest,
    legs: legs.map((leg) => ({ ...leg })),
    candidates: [...candidates],
    createdAt: istIso(createdAt),
    updatedAt: istIso(updatedAt),
    expiresAt: isoOrNull(expiresAt),
  };
}
