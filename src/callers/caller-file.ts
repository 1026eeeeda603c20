import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import type { Files } from '../platform/files.ts';
import { CALLER_NAME, NO_KEY_LIMITS, NO_MARKS, SCOPES } from './caller.ts';

const HASH = /^[0-9a-f]{64}$/;

const byInstrument = z.strictObject({
  every: z.number().nullable(),
  named: z.record(z.string(), z.number()),
});

/** One key as it is stored. The key itself is nowhere: only its hash is. */
const recordSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: z.string().regex(CALLER_NAME),
  scope: z.enum(SCOPES),
  /** The only broker for its orders and portfolio; null for all. */
  broker: z.string().nullable(),
  /** `live`: its orders never go to a paper account; null for no such limit. */
  mode: z.enum(MODES).nullable(),
  limits: z.strictObject({
    maxOrderValue: z.number().nullable(),
    maxOrderQuantity: byInstrument,
    maxOpenOrders: byInstrument,
    maxOrdersPerMinute: z.number().nullable(),
    maxDailyLoss: z.number().nullable().default(null),
  }),
  marks: z
    .strictObject({ algoId: z.string().nullable(), marketProtection: z.number().nullable() })
    .default(NO_MARKS),
  stopped: z.strictObject({ reason: z.string(), at: z.number(), by: z.string() }).nullable(),
  /**
   * SHA-256 of the whole key, prefix included. The key has 256 random bits: no salt is needed. Null once
   * the key was revoked.
   */
  sha256: z.string().regex(HASH).nullable(),
  /** Epoch ms. */
  createdAt: z.number(),
  /** The id of the key that asked for it; null for the command line and the gateway itself. */
  createdBy: z.string().nullable(),
  rotatedAt: z.number().nullable(),
  rotatedBy: z.string().nullable(),
  /** Its record stays, so that the journal's orders keep a name. */
  revokedAt: z.number().nullable(),
  revokedBy: z.string().nullable(),
});
export type CallerRecord = z.output<typeof recordSchema>;

const NOT_IN_FIRST = {
  ...{ limits: NO_KEY_LIMITS, marks: NO_MARKS, stopped: null },
  ...{ broker: null, mode: null, createdBy: null, rotatedBy: null },
  ...{ revokedAt: null, revokedBy: null },
};

/** What the first version had; every one of its keys is valid. */
const firstRecordSchema = recordSchema
  .pick({ id: true, name: true, scope: true, createdAt: true, rotatedAt: true })
  .extend({ sha256: z.string().regex(HASH) })
  .transform((record) => ({ ...record, ...NOT_IN_FIRST }));

const fileSchema = z.discriminatedUnion('version', [
  z.strictObject({ version: z.literal(1), callers: z.array(firstRecordSchema) }),
  z.strictObject({ version: z.literal(2), callers: z.array(recordSchema) }),
]);

/**
 * The file of keys cannot be read. The gateway leaves it as it is, because it may be the only
 * record of the keys.
 */
export class CallerFileError extends Error {
  override readonly name = 'CallerFileError';
}

/** An absent file holds no keys. Throws CallerFileError or UnsafeFileError. */
export function readCallers(files: Files, path: string): readonly CallerRecord[] {
  const content = files.readPrivate(path);
  if (content === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new CallerFileError(`${path} is not JSON: restore it, or remove it to make new keys`);
  }
  const read = fileSchema.safeParse(value);
  if (!read.success) {
    throw new CallerFileError(
      `${path} is not a file of keys that this version knows: restore it, or remove it to make new keys`,
    );
  }
  for (const { name, broker, mode, sha256 } of read.data.callers) {
    // The routes look at the broker alone: this key's exits would leave for a real account.
    if (mode === 'paper' && broker === null && sha256 !== null) {
      throw new CallerFileError(
        `${path}: the key ${name} is for paper and names no account: give it the "broker" of the paper account`,
      );
    }
  }
  return read.data.callers;
}

export function writeCallers(files: Files, path: string, callers: readonly CallerRecord[]): void {
  files.replacePrivate(path, `${JSON.stringify({ version: 2, callers }, null, 2)}\n`);
}
