import { z } from 'zod';
import { type KeyLimits, type KeyRecord, NO_KEY_LIMITS, SCOPES } from '../callers/caller.ts';
import { MODES } from '../domain/broker.ts';
import { istIso } from '../domain/ist.ts';
import { answeringMode, type BrokerInputs, isoOrNull, printable, time } from './define-route.ts';

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
    maxOrderQuantity: byInstrument,
    maxOpenOrders: byInstrument.meta({ description: 'Orders of the key, of one instrument' }),
    maxOrdersPerMinute: z.int().nullable(),
  })
  .meta({ id: 'KeyLimits', description: 'Beside those of the settings, and for the key alone' });

export const keySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    scope: z.enum(SCOPES),
    broker: z.string().nullable().meta({
      description: 'The only broker for its orders and portfolio; null for all',
    }),
    mode: answeringMode.nullable().meta({
      description: '`live`: its orders never go to a paper account; `paper`: they go nowhere else',
    }),
    limits: limitsSchema,
    stopped: z
      .object({ reason: z.string(), at: time, by: z.string() })
      .nullable()
      .meta({ description: 'Its own kill switch; null while its orders are not stopped' }),
    createdAt: time,
    createdBy: by,
    rotatedAt: time.nullable(),
    rotatedBy: by,
    revokedAt: time.nullable().meta({ description: 'Null while the key is valid' }),
    revokedBy: by,
  })
  .meta({ id: 'Key' });

export const newKeySchema = keySchema
  .extend({ key: z.string().meta({ description: 'Shown this once: only its hash is stored' }) })
  .meta({ id: 'NewKey' });

export function keyView(key: KeyRecord): z.output<typeof keySchema> {
  const { id, name, scope, broker, mode, limits, stopped, createdBy, rotatedBy, revokedBy } = key;
  return {
    ...{ id, name, scope, broker, mode, createdBy, rotatedBy, revokedBy },
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
const count = z.int('takes a whole number').min(1, 'takes at least 1').max(999_999_999);
const NAME = /^([A-Z]{2,8}:)?[A-Z0-9][A-Z0-9 &_-]{0,49}$/;
const countByInstrument = z.union(
  [
    count,
    z.strictObject({
      every: count.nullish(),
      named: z
        .record(z.string().regex(NAME, 'takes names such as NSE:INFY or NIFTY'), count)
        .optional(),
    }),
  ],
  'takes a number, or {"every": 1000, "named": {"NIFTY": 1800}}',
);

const limitsBody = z
  .strictObject({
    maxOrderValue: rupees.nullish(),
    maxOrderQuantity: countByInstrument.nullish(),
    maxOpenOrders: countByInstrument.nullish(),
    maxOrdersPerMinute: count.nullish(),
  })
  .meta({ id: 'KeyLimitsRequest' });

export function limitsOf(body: z.output<typeof limitsBody> | undefined): KeyLimits {
  if (body === undefined) return NO_KEY_LIMITS;
  return {
    maxOrderValue: body.maxOrderValue ?? null,
    maxOrderQuantity: ofInstruments(body.maxOrderQuantity),
    maxOpenOrders: ofInstruments(body.maxOpenOrders),
    maxOrdersPerMinute: body.maxOrdersPerMinute ?? null,
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
      name: printable(64),
      scope: z.enum(SCOPES),
      broker: brokerName.optional().meta({
        description: 'Confines the key to this broker, for orders and the portfolio',
      }),
      mode: z.enum(MODES).optional(),
      limits: limitsBody.optional(),
    })
    .meta({ id: 'KeyRequest' });

export const keyChangeBody = z
  .strictObject({
    name: printable(64).optional(),
    limits: limitsBody.optional().meta({ description: 'In place of all limits of the key' }),
  })
  .refine(({ name, limits }) => name !== undefined || limits !== undefined, {
    message: 'contains no change: send name, limits or both',
  })
  .meta({ id: 'KeyChange' });
