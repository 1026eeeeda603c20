import { z } from 'zod';
import { atOrNull, figure, instrumentShown, number, text, word } from './answer-parts.ts';
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
} from './define-route.ts';
import { NEVER } from './no-pattern.ts';
import {
  clientOrderIdShown,
  createdAtShown,
  MODE,
  orderTypeShown,
  productShown,
  SIDE,
  updatedAtShown,
} from './order-fields.ts';
import { price, productAsked, productOf, quantity } from './order-schemas.ts';

const placedOrder = z.string().nullable().meta({
  description: 'The order that it has placed; null until then, and where the broker does not say',
});
const whyRefused = z.string().nullable().meta({ description: 'Why its order was refused' });

const expiresAtShown = atOrNull('When the broker ends it; null where it does not say it');

const rowLeg = z.object({
  triggerPrice: figure('Rupees at which its order is placed; null where the row has no such price'),
  side: z.enum(SIDES).meta({ description: SIDE }),
  quantity: number('Shares or units of its order, not lots'),
  product: productShown,
  orderType: orderTypeShown,
  price: figure('The limit of its order, in rupees; null where it has none'),
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
    instrument: instrumentShown,
    status: z.enum(LISTED_TRIGGER_STATUSES).meta({
      description:
        '`unrecognised`: a word that the gateway does not know; it may still place an order',
    }),
    rawStatus: text('The status as the broker wrote it, for people'),
    legs: z.array(rowLeg).meta({ description: 'Of two, the first to be reached ends the other' }),
    createdAt: atOrNull('When it was placed; null where the row does not say it'),
    updatedAt: atOrNull('When its row last changed; null where it does not say it'),
    expiresAt: expiresAtShown,
  })
  .meta({ id: 'ListedTrigger' });

const ownLeg = z.object({
  triggerPrice: number('Rupees at which its order is placed'),
  side: z.enum(SIDES).meta({ description: SIDE }),
  quantity: z.int().meta({ description: 'Shares or units of its order, not lots' }),
  product: productShown,
  price: number('The limit of its order, in rupees'),
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
    id: text('`trg_…`, or `ord_…` where the triggers of the broker are orders'),
    clientOrderId: clientOrderIdShown,
    broker: answeringBroker,
    mode: answeringMode,
    instrument: instrumentShown,
    status: z.enum(OWN_TRIGGER_STATUSES).meta({
      description:
        'What is known of the trigger (docs/triggers.md says what each promises): `uncertain` is never "not placed"',
    }),
    reason: word(
      'Why it is refused, not sent, uncertain, absent or ended, for people; null otherwise',
    ),
    triggerId: word("The broker's id; null while it is not known to have one"),
    rawStatus: word('The status as the broker wrote it; null before a list has shown it'),
    legs: z.array(ownLeg).meta({ description: 'Of two, the first to be reached ends the other' }),
    candidates: z.array(z.string()).meta({
      description: "The broker's triggers of which each could be it: a person has to say which",
    }),
    deleteWanted: z
      .boolean()
      .meta({ description: 'It is to be deleted as soon as that can be done' }),
    createdAt: createdAtShown,
    updatedAt: updatedAtShown,
    expiresAt: expiresAtShown,
  })
  .meta({ id: 'Trigger' });

const legBody = z.strictObject({
  triggerPrice: price.meta({
    description: 'Rupees at which its order is placed, with at most 4 decimals',
  }),
  side: z.enum(SIDES).meta({ description: SIDE }),
  quantity,
  product: productAsked,
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
      mode: z.enum(MODES).optional().meta({ description: MODE }),
      force,
    })
    .meta({ id: 'TriggerRequest' });

const AS_IT_IS = '; null or absent leaves it as it is';

export const triggerChangeBodyOf = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      legs: z
        .array(
          z.strictObject({
            triggerPrice: price
              .nullish()
              .meta({ description: `The new trigger price, in rupees${AS_IT_IS}` }),
            quantity: quantity
              .nullish()
              .meta({ description: `Shares or units from now on${AS_IT_IS}` }),
            price: price
              .nullish()
              .meta({ description: `The new limit of its order, in rupees${AS_IT_IS}` }),
          }),
        )
        .min(1, 'takes one entry for each leg')
        .max(2, 'takes one entry for each leg')
        .meta({
          description: 'One entry for each leg, in the order in which the trigger has them',
        }),
      lastPrice,
      broker: brokerName.optional().meta({
        description: 'The broker of the trigger: another one is refused',
      }),
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
    absent: z
      .literal(true, 'takes true')
      .optional()
      .meta({ description: 'The broker does not have it, and never had' }),
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
