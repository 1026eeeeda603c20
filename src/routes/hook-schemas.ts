import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { CALLER_NAME } from '../callers/caller.ts';
import type { Hook } from '../domain/signal-template.ts';
import type { EpochMs } from '../units/branded.ts';
import { istIso } from '../domain/ist.ts';
import { isoOrNull, printable, time } from './define-route.ts';
import { quantity } from './order-schemas.ts';

/** A hook, and who made it. */
export interface HookView extends Hook {
  readonly createdAt: EpochMs;
  /** The id of the key that asked for it. */
  readonly createdBy: string;
  readonly rotatedAt: EpochMs | null;
  readonly rotatedBy: string | null;
  /** Of the newest change; a new secret is none. */
  readonly changedAt: EpochMs | null;
  readonly changedBy: string | null;
}

const part = printable(200);
const figure = z.union([part, z.number().positive('takes a number above 0').max(10_000_000)]);
const words = z
  .record(printable(100), printable(100))
  .refine((each) => Object.keys(each).length <= 200, 'takes at most 200 words');

const template = z
  .strictObject({
    id: part.meta({
      description:
        'What tells one alert from another: at least one of its fields, and {@day} for the trading day',
      example: '{id} {at}',
    }),
    time: part.nullish().meta({ description: 'The own time of the alert', example: '{at}' }),
    text: part.nullish().meta({
      description: 'The form of a body of plain text; JSON when absent',
      example: '{action} {ticker} {quantity}',
    }),
    forEach: z.array(part).max(10, 'takes at most 10 fields').optional().meta({
      description:
        'Fields that are lists of one length, or texts with commas: an order for each place',
    }),
    order: z
      .strictObject({
        ...{ instrument: part, side: part, quantity: figure, orderType: part, product: part },
        ...{ price: figure.optional(), triggerPrice: figure.optional() },
        ...{ validity: part.optional(), tag: part.optional(), broker: part.optional() },
      })
      .meta({
        description: 'The fields of POST /orders: constants, and fields of the alert in braces',
      }),
    words: z
      .strictObject({
        ...{ instrument: words.optional(), side: words.optional(), orderType: words.optional() },
        ...{ product: words.optional(), validity: words.optional() },
      })
      .optional()
      .meta({ description: 'What words of the alert stand for, by the field of the order' }),
    maxQuantity: quantity
      .nullish()
      .meta({ description: 'The most of one order; required where the alert says the quantity' }),
  })
  .meta({ id: 'SignalTemplate' });

const TRADINGVIEW = {
  ...{ id: '{id} {at}', time: '{at}', maxQuantity: 100 },
  order: {
    ...{ instrument: '{exchange}:{ticker}', side: '{action}', quantity: '{quantity}' },
    ...{ orderType: 'MARKET', product: 'INTRADAY' },
  },
};

const name = z.string().regex(CALLER_NAME, 'takes 1 to 64 printable characters');
const addresses = z
  .array(printable(50))
  .min(1, 'takes at least one address')
  .max(100, 'takes at most 100 addresses')
  .nullish();
const maxAgeSeconds = z
  .int('takes a whole number')
  .min(1, 'takes a number from 1')
  .max(86_400, 'takes at most 86400')
  .nullish()
  .meta({ description: 'Alerts whose own time is longer ago are refused' });

export const hookBody = z
  .strictObject({
    name,
    key: z
      .string()
      .meta({ description: 'The id of the key whose orders they are; of scope trade' }),
    mode: z.enum(MODES).optional().meta({
      description:
        '`live`: orders of real money, for a key of mode live alone; `paper` when absent',
    }),
    template,
    addresses: addresses.meta({
      description: 'Addresses and networks that may post; any when absent',
    }),
    maxAgeSeconds,
  })
  .meta({
    id: 'HookRequest',
    example: {
      ...{ name: 'tradingview', key: 'key_0193576c-2f00-7000-8000-000000000000' },
      ...{ maxAgeSeconds: 30, template: TRADINGVIEW },
    },
  });

export const hookChangeBody = z
  .strictObject({
    name: name.optional(),
    template: template.optional().meta({
      description:
        'In place of the whole template; its `id`, `text` and `forEach` stay, because they tell a repeat of an alert from a new one',
    }),
    addresses: addresses.meta({ description: 'In place of all of them; null for any' }),
    maxAgeSeconds,
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'contains no change: name at least one field to change',
  })
  .meta({
    id: 'HookChange',
    example: { addresses: ['52.89.214.238', '10.0.0.0/8'] },
    override: {
      anyOf: ['name', 'template', 'addresses', 'maxAgeSeconds'].map((field) => ({
        required: [field],
      })),
    },
  });

export const hookSchema = z
  .object({
    ...{ id: z.string(), name: z.string(), key: z.string(), mode: z.enum(MODES) },
    template: z.object({
      ...{ id: z.string(), time: z.string().nullable(), text: z.string().nullable() },
      forEach: z.array(z.string()),
      order: z.record(z.string(), z.union([z.string(), z.number()])),
      words: z.record(z.string(), z.record(z.string(), z.string())),
      maxQuantity: z.number().nullable(),
    }),
    addresses: z.array(z.string()).nullable().meta({ description: 'Null for any' }),
    maxAgeSeconds: z.number().nullable(),
    ...{ createdAt: time, createdBy: z.string() },
    ...{ rotatedAt: time.nullable(), rotatedBy: z.string().nullable() },
    ...{ changedAt: time.nullable(), changedBy: z.string().nullable() },
  })
  .meta({ id: 'Hook' });

export const newHookSchema = hookSchema.extend({
  path: z.string().meta({
    description:
      'Where alerts are posted, on the listener of APP_HOOKS_PORT; it has the secret, and is shown once',
    example: '/hooks/sig_…',
  }),
});

/** Field by field, so that nothing of a hook is published by accident. */
export function hookView(hook: HookView): z.output<typeof hookSchema> {
  const { id, name, key, mode, template: given, addresses, maxAgeSeconds } = hook;
  return {
    ...{ id, name, key, mode },
    template: {
      ...{ id: given.id, time: given.time, text: given.text, forEach: [...given.forEach] },
      order: textsAndNumbers(given.order),
      words: Object.fromEntries(
        Object.entries(given.words).map(([field, each]) => [field, { ...each }]),
      ),
      maxQuantity: given.maxQuantity,
    },
    ...{ addresses: addresses && [...addresses], maxAgeSeconds },
    ...{ createdAt: istIso(hook.createdAt), createdBy: hook.createdBy },
    ...{ rotatedAt: isoOrNull(hook.rotatedAt), rotatedBy: hook.rotatedBy },
    ...{ changedAt: isoOrNull(hook.changedAt), changedBy: hook.changedBy },
  };
}

const textsAndNumbers = (order: HookView['template']['order']): Record<string, string | number> =>
  Object.fromEntries(Object.entries(order));
