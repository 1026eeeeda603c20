import { z } from 'zod';
import { MODES } from '../../domain/broker.ts';
import { PRODUCTS, SIDES } from '../../domain/order.ts';
import {
  TRIGGER_CHANGE_KINDS,
  TRIGGER_CHANGE_STATUSES,
  TRIGGER_STATUSES,
} from '../../domain/trigger.ts';
import { epochMs } from '../../units/branded.ts';

const text = z.string();
const instant = z.number().int().transform(epochMs);
/** As a broker's row had it: not always whole. */
const maybeTime = z.number().transform(epochMs).nullable();
const maybeNumber = z.number().nullable();

const leg = z.object({
  triggerPrice: z.number(),
  side: z.enum(SIDES),
  quantity: z.number().int().positive(),
  product: z.enum(PRODUCTS),
  price: z.number(),
});

const terms = z.object({
  instrument: text,
  legs: z.union([z.tuple([leg]), z.tuple([leg, leg])]),
});

const row = z.object({
  triggerId: text,
  instrument: text,
  status: z.enum(TRIGGER_STATUSES),
  rawStatus: text,
  legs: z.array(
    z.object({
      triggerPrice: maybeNumber,
      side: z.enum(SIDES),
      quantity: z.number(),
      product: text,
      orderType: text,
      price: maybeNumber,
      brokerOrderId: text.nullable(),
      reason: text.nullable(),
    }),
  ),
  createdAt: maybeTime,
  updatedAt: maybeTime,
  expiresAt: maybeTime,
  mayReturn: z.literal(true).exactOptional(),
});

const binding = z.object({ triggerId: text, by: z.enum(['id', 'match', 'person']) });

const state = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sending') }),
  z.object({ kind: z.enum(['refused', 'not_sent']), reason: text }),
  z.object({
    kind: z.literal('uncertain'),
    reason: text,
    absentSince: instant.nullable(),
    candidates: z.array(text),
  }),
  z.object({ kind: z.literal('absent'), reason: text, by: z.enum(['reads', 'person']) }),
  z.object({
    kind: z.literal('waiting'),
    binding,
    row: row.nullable(),
    missingSince: instant.nullable(),
  }),
  z.object({ kind: z.literal('triggered'), binding, row }),
  z.object({
    kind: z.literal('ended'),
    binding,
    row: row.nullable(),
    reason: text.nullable(),
    isUntold: z.literal(true).exactOptional(),
  }),
]);

const order = z.object({
  brokerOrderId: text,
  side: z.enum(SIDES),
  day: text,
  state: z.enum(['open', 'over', 'lost', 'told']),
  isFinal: z.boolean(),
  isRowMissing: z.literal(true).exactOptional(),
  filledQuantity: maybeNumber,
  averagePrice: maybeNumber,
  fills: z.array(z.object({ key: text, quantity: z.number(), price: z.number() })),
});

const asked = { caller: text, idempotencyKey: text, requestHash: text };

/** What a row of the table of triggers has to be. */
export const triggerRecordRow = z.object({
  id: text,
  ...asked,
  broker: text,
  mode: z.enum(MODES),
  day: text,
  terms,
  replacedTerms: z.array(terms).exactOptional(),
  lastPrice: z.number(),
  baseline: z.array(text).nullable(),
  account: text.exactOptional(),
  brokerAt: instant,
  isDeleteWanted: z.boolean(),
  state,
  orders: z.array(order).exactOptional(),
  createdAt: instant,
  updatedAt: instant,
});

/** What a row of the table of changes of triggers has to be. */
export const triggerChangeRow = z.object({
  triggerId: text,
  kind: z.enum(TRIGGER_CHANGE_KINDS),
  ...asked,
  terms: terms.nullable(),
  state: z.enum(TRIGGER_CHANGE_STATUSES),
  reason: text.nullable(),
  at: instant,
  settledAt: instant.nullable(),
});
