import { z } from 'zod';

/**
 * Rows of good-till-triggered orders (docs/spec/kite-gtt.md). Ids arrive as numbers; parseKiteJson
 * makes them text.
 */
const triggerId = z.string().regex(/^\d{1,32}$/);
const maybeText = z.string().nullish();

export const triggerAcknowledgement = z.object({ trigger_id: triggerId });

const leg = z.object({
  transaction_type: z.enum(['BUY', 'SELL']),
  product: z.string(),
  order_type: z.string(),
  quantity: z.number(),
  price: z.number(),
  result: z
    .object({
      order_result: z
        .object({ status: maybeText, order_id: maybeText, rejection_reason: maybeText })
        .nullish(),
    })
    .nullish(),
});
export type TriggerLegRow = z.infer<typeof leg>;

export const triggerRow = z.object({
  id: triggerId,
  type: z.string(),
  status: z.string(),
  created_at: maybeText,
  updated_at: maybeText,
  expires_at: maybeText,
  condition: z.object({
    exchange: z.string().min(1),
    tradingsymbol: z.string().min(1),
    trigger_values: z.array(z.number()),
  }),
  orders: z.array(leg),
});
export type TriggerRow = z.infer<typeof triggerRow>;
export const triggerRows = z.array(triggerRow);
