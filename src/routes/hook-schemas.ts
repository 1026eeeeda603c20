import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { CALLER_NAME } from '../callers/caller.ts';
import type { Hook } from '../domain/signal-template.ts';
import type { EpochMs } from '../units/branded.ts';
import { istIso } from '../domain/ist.ts';
import { at, atOrNull, figure as figureOrNull, isoOrNull, text, word } from './answer-parts.ts';
import { printable } from './inputs.ts';
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

const wordsFor = (what: string) =>
  words.optional().meta({ description: `Words of the alert, and the ${what} that they stand for` });

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
        instrument: part.meta({ description: 'What to trade, as POST /orders takes it' }),
        side: part.meta({ description: 'BUY or SELL, or a field of the alert' }),
        quantity: figure.meta({ description: 'Shares or units, or a field of the alert' }),
        orderType: part.meta({ description: 'MARKET, LIMIT, SL or SL-M, or a field of the alert' }),
        product: part.meta({ description: 'CNC, INTRADAY or MARGIN, or a field of the alert' }),
        price: figure
          .optional()
          .meta({ description: 'The limit in rupees, or a field of the alert' }),
        triggerPrice: figure
          .optional()
          .meta({ description: 'The trigger price in rupees, or a field of the alert' }),
        validity: part
          .optional()
          .meta({ description: 'DAY or IOC, or a field of the alert; DAY when absent' }),
        tag: part.optional().meta({ description: 'Your own label, or a field of the alert' }),
        broker: part.optional().meta({
          description:
            'The only broker to use, or a field of the alert; the route chooses when absent',
        }),
      })
      .meta({
        description: 'The fields of POST /orders: constants, and fields of the alert in braces',
      }),
    words: z
      .strictObject({
        instrument: wordsFor('instruments'),
        side: wordsFor('BUY and SELL'),
        orderType: wordsFor('types of orders'),
        product: wordsFor('products'),
        validity: wordsFor('DAY and IOC'),
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

const name = z
  .string()
  .regex(CALLER_NAME, 'takes 1 to 64 printable characters')
  .meta({ description: 'What people call the hook' });
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
    template: template.meta({ description: 'How an alert becomes orders' }),
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
    id: text('`hook_…`'),
    name: text('What people call the hook'),
    key: text('The id of the key whose orders the alerts become'),
    mode: z
      .enum(MODES)
      .meta({ description: '`live`: its orders are of real money; `paper`: they are not' }),
    template: z
      .object({
        id: text('What tells one alert from another'),
        time: word('The field that has the own time of an alert; null where none is read'),
        text: word('The form of a body of plain text; null where the body is JSON'),
        forEach: z.array(z.string()).meta({
          description:
            'Fields of the alert that are lists: an order for each place; empty for one order',
        }),
        order: z.record(z.string(), z.union([z.string(), z.number()])).meta({
          description: 'The fields of the order: constants, and fields of the alert in braces',
        }),
        words: z.record(z.string(), z.record(z.string(), z.string())).meta({
          description: 'What words of the alert stand for, by the field of the order',
        }),
        maxQuantity: figureOrNull(
          'The most of one order, shares or units; null where the quantity is no part of the alert',
        ),
      })
      .meta({ description: 'How an alert becomes orders' }),
    addresses: z.array(z.string()).nullable().meta({ description: 'Null for any' }),
    maxAgeSeconds: figureOrNull(
      'Alerts whose own time is longer ago are refused; null for any age',
    ),
    createdAt: at('When the hook was made'),
    createdBy: text('The id of the key that asked for it'),
    rotatedAt: atOrNull('When it got another secret last; null while it has its first'),
    rotatedBy: word('The id of the key that asked for that; null likewise'),
    changedAt: atOrNull('When anything but the secret was changed last; null where nothing was'),
    changedBy: word('The id of the key that asked for that; null likewise'),
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
