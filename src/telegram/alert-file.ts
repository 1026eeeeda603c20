import { z } from 'zod';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { openStateFile, type StateFile } from '../platform/state-file.ts';
import type { AlertMemory } from './alert-policy.ts';
import { epochMs } from '../units/branded.ts';

const memory = z.object({
  version: z.literal(1),
  after: z.number().int().nonnegative(),
  epoch: z.string().nullable().exactOptional(),
  open: z.array(
    z.object({
      orderId: z.string(),
      what: z.string(),
      reason: z.string().nullable(),
      since: z.number().transform(epochMs),
      told: z.boolean(),
    }),
  ),
  told: z.array(z.string()),
});
export type AlertFileContent = AlertMemory & { readonly version: 1 };

/** The last event for which alerts have been sent. */
export function openAlertFile(parts: {
  readonly files: Files;
  readonly log: Log;
  readonly path: string;
}): StateFile<AlertFileContent> {
  return openStateFile({ ...parts, parse: (json) => memory.parse(json) });
}
