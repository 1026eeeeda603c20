import { z } from 'zod';
import { type KeyLimits, type KeyRecord, NO_KEY_LIMITS, SCOPES } from '../callers/caller.ts';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import {
  answeringMode,
  at,
  atOrNull,
  type BrokerInputs,
  isoOrNull,
  printable,
  text,
  time,
} from './define-route.ts';

const by = z
  .string()
  .nullable()
  .meta({ description: 'Id of the key that asked for it; null for the command line' });

const byInstrument = z.object({
  every: z.number().nullable().meta({ description: 'For every instrument; null for none' }),
  named: z.record(z.string(), z.number()).meta({
    description: 'By instrument (NSE:INFY) or underlying (NIFTY), in place of `every`',
  }),
});

const limitsSchema = z
  .object({
    maxOrderValue: z.number().nullable().meta({ description: 'Rupees of one order' }),
    maxOrderQuantity: byInstrument.meta({ description: 'Shares or units of one order' }),
    maxOpenOrders: byInstrument.meta({ description: 'Orders of the key, of one instrument' }),
    maxOrdersPerMinute: z.int().nullable().meta({
      description: 'Orders that the key may place in any 60 seconds; null for any number',
    }),
    maxDailyLoss: z.number().nullable().meta({
      description: 'Rupees of loss in a day that engage the kill switch of the key',
    }),
  })
  .meta({ id: 'KeyLimits', description: 'Beside those of the settings, and for the key alone' });

const ALGO_ID = 'takes letters, digits, _ and -, at most 64';
const algoIdShown = z.string().nullable();
const protectionShown = z.number().nullable();

export const algoId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, ALGO_ID)
  .meta({ description: 'Kite Connect alone: the id of a registered algorithm' });
export const marketProtection = z
  .number()
  .refine((value) => value === -1 || (value >= 0 && value <= 100), 'takes -1, or 0 to 100')
  .refine((value) => Math.round(value * 100) / 100 === value, 'takes at most 2 decimals')
  .meta({
    description:
      'Kite Connect alone: percent from the last price at which an order at the market stops to fill, with at ' +
      'most 2 decimals; -1 leaves it to the broker',
    override: { anyOf: [{ const: -1 }, { minimum: 0, maximum: 100 }] },
  });

const MARK_OF_KEY = 'For orders of the key that name none; null: as the settings say';
/** With an order, or with the orders of a key: null or absent leaves it to what is behind. */
export const algoIdAsked = algoId.nullish().meta({
  description:
    'Kite Connect alone: the id of a registered algorithm; null or absent: of the key, else of the settings',
});
export const marketProtectionAsked = marketProtection.nullish().meta({
  description:
    'Kite Connect alone: percent from the last price at which an order at the market stops to fill, with at ' +
    'most 2 decimals; -1 leaves it to the broker. Null or absent: of the key, else of the settings',
});
const marksOfKey = {
  algoId: algoId.nullish().meta({
    description: `The id of a registered algorithm, at Kite Connect alone. ${MARK_OF_KEY}`,
  }),
  marketProtection: marketProtection.nullish().meta({
    description: `Percent from the last price at which an order at the market stops to fill; -1 leaves it to the broker. ${MARK_OF_KEY}`,
  }),
};

const marksShown = {
  algoId: algoIdShown.meta({ description: 'Of orders that name none; null: that of the settings' }),
  marketProtection: protectionShown.meta({ description: 'Likewise, in percent' }),
};

export const SCOPE =
  'What it may do: `read` reads, `trade` also places and changes orders, `admin` does everything';

/** Of a key whose orders are stopped. */
export const stopFields = {
  reason: text('Why it was stopped, in the words of who did it'),
  at: at('When it was stopped'),
  by: text('Who stopped it: the id of a key, or what else did, such as `command line`'),
};
const stopSchema = z.object(stopFields);

export const keySchema = z
  .object({
    id: text('The id of the key, `key_…`'),
    name: text('What people call the key; no other valid key has it'),
    scope: z.enum(SCOPES).meta({ description: SCOPE }),
    broker: z.string().nullable().meta({
      description: 'The only broker for its orders and portfolio; null for all',
    }),
    mode: answeringMode.nullable().meta({
      description: '`live`: its orders never go to a paper account; `paper`: they go nowhere else',
    }),
    limits: limitsSchema.meta({
      description: 'Of the orders of this key, beside those of the settings',
    }),
    ...marksShown,
    stopped: stopSchema
      .nullable()
      .meta({ description: 'Its own kill switch; null while its orders are not stopped' }),
    createdAt: at('When the key was made'),
    createdBy: by,
    rotatedAt: atOrNull('When it got another secret last; null while it has its first'),
    rotatedBy: by,
    revokedAt: time.nullable().meta({ description: 'Null while the key is valid' }),
    revokedBy: by,
  })
  .meta({ id: 'Key' });

export const newKeySchema = keySchema
  .extend({ key: z.string().meta({ description: 'Shown this once: only its hash is stored' }) })
  .meta({ id: 'NewKey' });

export function keyView(key: KeyRecord): z.output<typeof keySchema> {
  const { id, name, scope, broker, mode, limits, marks, stopped } = key;
  const { createdBy, rotatedBy, revokedBy } = key;
  return {
    ...{ id, name, scope, broker, mode, createdBy, rotatedBy, revokedBy },
    ...{ algoId: marks.algoId, marketProtection: marks.marketProtection },
    limits: {
      ...limits,
      maxOrderQuantity: viewOf(limits.maxOrderQuantity),
      maxOpenOrders: viewOf(limits.maxOpenOrders),
    },
    stopped: stopped && { ...stopped, at: istIso(stopped.at) },
    createdAt: istIso(key.createdAt),
    rotatedAt: isoOrNull(key.rotatedAt),
    revokedAt: isoOrNull(key.revokedAt),
  };
}

const viewOf = ({ every, named }: KeyLimits['maxOpenOrders']): z.output<typeof byInstrument> => ({
  every,
  named: { ...named },
});

const rupees = z
  .number()
  .min(1, 'takes at least 1 rupee')
  .max(1_000_000_000_000, 'takes at most 1000000000000 rupees');
const whole = z.int('takes a whole number').min(1, 'takes at least 1').max(999_999_999);
const NAME = /^([A-Z]{2,8}:)?[A-Z0-9][A-Z0-9 &_-]{0,49}$/;
const countByInstrument = z.union(
  [
    whole,
    z.strictObject({
      every: whole.nullish().meta({
        description: 'For every instrument that has none of its own; null or absent for any number',
      }),
      named: z
        .record(z.string().regex(NAME, 'takes names such as NSE:INFY or NIFTY'), whole)
        .optional()
        .meta({
          description: 'By instrument (NSE:INFY) or underlying (NIFTY), in place of `every`',
        }),
    }),
  ],
  'takes a number, or {"every": 1000, "named": {"NIFTY": 1800}}',
);

const limitsBody = z
  .strictObject({
    maxOrderValue: rupees
      .nullish()
      .meta({ description: 'Rupees of one order; null or absent for any' }),
    maxOrderQuantity: countByInstrument.nullish().meta({
      description: 'Shares or units of one order: one number for all instruments, or some by name',
    }),
    maxOpenOrders: countByInstrument.nullish().meta({
      description: 'Orders of the key in one instrument that may be open at a time, likewise',
    }),
    maxOrdersPerMinute: whole.nullish().meta({
      description: 'Orders that the key may place in any 60 seconds; null or absent for any number',
    }),
    maxDailyLoss: rupees.nullish().meta({
      description:
        'Rupees of loss in a day that engage the kill switch of the key; null or absent for none',
    }),
  })
  .meta({ id: 'KeyLimitsRequest' });

export function limitsOf(body: z.output<typeof limitsBody> | undefined): KeyLimits {
  if (body === undefined) return NO_KEY_LIMITS;
  return {
    maxOrderValue: body.maxOrderValue ?? null,
    maxOrderQuantity: ofInstruments(body.maxOrderQuantity),
    maxOpenOrders: ofInstruments(body.maxOpenOrders),
    maxOrdersPerMinute: body.maxOrdersPerMinute ?? null,
    maxDailyLoss: body.maxDailyLoss ?? null,
  };
}

function ofInstruments(
  limit: z.output<typeof countByInstrument> | null | undefined,
): KeyLimits['maxOpenOrders'] {
  if (typeof limit === 'number') return { every: limit, named: {} };
  return { every: limit?.every ?? null, named: limit?.named ?? {} };
}

export const newKeyBody = (brokerName: BrokerInputs['brokerName']) =>
  z
    .strictObject({
      name: printable(64).meta({ description: 'For people; no other valid key may have it' }),
      scope: z.enum(SCOPES).meta({ description: SCOPE }),
      broker: brokerName.optional().meta({
        description: 'Confines the key to this broker, for orders and the portfolio',
      }),
      mode: z.enum(MODES).optional().meta({
        description:
          '`live`: its orders never go to a paper account; `paper`: they go nowhere else; either when absent',
      }),
      limits: limitsBody.optional().meta({ description: 'Of its orders; none when absent' }),
      ...marksOfKey,
    })
    .meta({ id: 'KeyRequest', example: { name: 'breakout strategy', scope: 'trade' } });

export const keyChangeBody = z
  .strictObject({
    name: printable(64)
      .optional()
      .meta({ description: 'The new name; no other valid key may have it' }),
    limits: limitsBody.optional().meta({ description: 'In place of all limits of the key' }),
    ...marksOfKey,
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'contains no change: name at least one field to change',
  })
  .meta({
    id: 'KeyChange',
    example: { name: 'breakout strategy' },
    override: {
      anyOf: ['name', 'limits', 'algoId', 'marketProtection'].map((name) => ({ required: [name] })),
    },
  });
