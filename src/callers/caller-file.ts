import { z } from 'zod';
import type { Files } from '../platform/files.ts';
import { SCOPES } from './caller.ts';

export const CALLER_NAME = /^[\x20-\x7e]{1,64}$/;

const recordSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  name: z.string().regex(CALLER_NAME),
  scope: z.enum(SCOPES),
  /** SHA-256 of the whole key, prefix included. The key has 256 random bits: no salt is needed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Epoch ms. */
  createdAt: z.number(),
  rotatedAt: z.number().nullable(),
});
export type CallerRecord = z.output<typeof recordSchema>;

const fileSchema = z.strictObject({ version: z.literal(1), callers: z.array(recordSchema) });

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
  return read.data.callers;
}

export function writeCallers(files: Files, path: string, callers: readonly CallerRecord[]): void {
  files.replacePrivate(path, `${JSON.stringify({ version: 1, callers }, null, 2)}\n`);
}
