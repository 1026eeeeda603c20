import { z } from 'zod';
import { MODES } from '../domain/broker.ts';
import { FileError, type Files } from '../platform/files.ts';
import { epochMs } from '../units/branded.ts';

const text = z.string();
const figure = z.union([text, z.number()]);
const dictionary = z.record(text, text);
const instant = z.number().transform(epochMs);

const template = z.object({
  id: text,
  time: text.nullable(),
  text: text.nullable(),
  forEach: z.array(text),
  order: z.object({
    ...{ instrument: text.exactOptional(), side: text.exactOptional() },
    ...{ orderType: text.exactOptional(), product: text.exactOptional() },
    ...{ validity: text.exactOptional(), tag: text.exactOptional(), broker: text.exactOptional() },
    ...{ quantity: figure.exactOptional(), price: figure.exactOptional() },
    triggerPrice: figure.exactOptional(),
  }),
  words: z.object({
    ...{ instrument: dictionary.exactOptional(), side: dictionary.exactOptional() },
    ...{ orderType: dictionary.exactOptional(), product: dictionary.exactOptional() },
    ...{ validity: dictionary.exactOptional(), tag: dictionary.exactOptional() },
    broker: dictionary.exactOptional(),
  }),
  maxQuantity: z.number().nullable(),
});

const record = z.object({
  ...{ id: text, name: text, key: text, mode: z.enum(MODES), template },
  addresses: z.array(text).nullable(),
  maxAgeSeconds: z.number().nullable(),
  /** SHA-256 of the secret, which has 256 random bits: no salt is needed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  ...{ createdAt: instant, createdBy: text },
  ...{ rotatedAt: instant.nullable(), rotatedBy: text.nullable() },
  // Older versions could not change a hook.
  ...{ changedAt: instant.nullable().default(null), changedBy: text.nullable().default(null) },
});
/** A hook as the data directory keeps it. The secret itself is nowhere. */
export type HookRecord = z.output<typeof record>;

const file = z.object({ version: z.literal(1), hooks: z.array(record) });

/** The file has other contents than hooks: it may be the only record of them, and is never replaced. */
export class DamagedHooksError extends FileError {}

/** An absent file has no hooks. Throws DamagedHooksError, or the FileError of one that others can read. */
export function readHooks(files: Files, path: string): readonly HookRecord[] {
  const content = files.readPrivate(path);
  if (content === null) return [];
  const read = file.safeParse(jsonOf(content));
  if (read.success) return read.data.hooks;
  throw new DamagedHooksError(
    `${path} is not a file of hooks that this version knows: restore it, or remove it to make new hooks, ` +
      'and start the gateway again',
  );
}

export function writeHooks(files: Files, path: string, hooks: readonly HookRecord[]): void {
  files.replacePrivate(path, `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`);
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
