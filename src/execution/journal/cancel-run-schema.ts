import { z } from 'zod';
import { epochMs } from '../../units/branded.ts';

const text = z.string();

/** What a row of the table of requests to cancel many orders has to be. */
export const cancelRunRow = z.object({
  id: text,
  caller: text,
  idempotencyKey: text,
  requestHash: text,
  orderIds: z.array(text),
  external: z.array(
    z.object({ broker: text, brokerOrderId: text, state: z.enum(['wanted', 'sent']) }),
  ),
  toRead: z.array(text),
  triggers: z
    .object({
      ids: z.array(text),
      external: z.array(
        z.object({
          ...{ broker: text, triggerId: text, instrument: text },
          state: z.enum(['wanted', 'sent']),
        }),
      ),
      toRead: z.array(text),
    })
    .exactOptional(),
  at: z.number().int().transform(epochMs),
});

/** What a row of the table of keys of cancels, modifications and resolutions has to be. */
export const amendmentRow = z.object({
  caller: text,
  method: z.enum(['cancel', 'modify', 'resolve']),
  orderId: text,
  idempotencyKey: text,
  requestHash: text,
  attemptId: text.nullable(),
  state: z.enum(['used', 'freed']),
  at: z.number().int().transform(epochMs),
});
