import { z } from 'zod';
import { epochMs } from '../../units/branded.ts';

const text = z.string();
const number = z.number();
const instant = z.number().int().transform(epochMs);

const loss = z.object({
  ...{ broker: text, day: text, profit: number, limit: number, at: instant },
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(['engaged', 'released']) }),
    z.object({ kind: z.literal('armed'), from: number }),
  ]),
  closing: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('wanted') }),
      z.object({ kind: z.literal('begun'), id: text }),
      z.object({ kind: z.literal('not_begun'), reason: text }),
    ])
    .exactOptional(),
});

/** The kill switch, and the daily losses that have engaged it, as the journal keeps them. */
export const killSwitchRow = z.object({
  engaged: z.boolean(),
  reason: text.nullable(),
  changedAt: instant,
  changedBy: text.nullable(),
  losses: z.array(loss).exactOptional(),
});
