import { z } from 'zod';
import { ORDER_STATUSES } from '../domain/order.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { openStateFile, type StateFile } from '../platform/state-file.ts';
import { epochMs } from '../units/branded.ts';

const content = z.object({
  version: z.literal(1),
  /** The id of the last event of which everything is told. */
  cursor: z.string(),
  /** When that happened. */
  at: z.number().transform(epochMs),
  told: z.array(
    z.object({
      orderId: z.string(),
      filled: z.number().nullable(),
      end: z.enum(ORDER_STATUSES).nullable(),
      upTo: z.number(),
    }),
  ),
  cancels: z.array(z.object({ orderId: z.string(), by: z.string().nullable() })),
});
export type OrderLinesContent = z.output<typeof content>;

/** How far orders are told in the chat. */
export function openOrderLinesFile(parts: {
  readonly files: Files;
  readonly log: Log;
  readonly path: string;
}): StateFile<OrderLinesContent> {
  return openStateFile({ ...parts, parse: (json) => content.parse(json) });
}
