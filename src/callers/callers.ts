import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { sameText, Secret, sha256 } from '../platform/secret.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';

/** The owner's key. Its record keeps this id also when the key changes. */
export const ADMIN_ID = 'admin';

export interface NewKey {
  readonly caller: Caller;
  /** Shown only once, because only its hash is stored. */
  readonly key: Secret;
}

export interface Callers {
  /** `header` is the value of Authorization. Null for a missing, malformed or wrong key. */
  authenticate(header: string | undefined): Caller | null;
  list(): readonly Caller[];
  /** `name`: 1 to 64 printable characters. Throws CallerError. */
  add(name: string, scope: Scope): NewKey;
  /** The old key no longer works when this returns. Throws CallerError. */
  rotate(id: string): NewKey;
  /** Throws CallerError. The admin key can be rotated, not removed. */
  remove(id: string): void;
}

/** A change of a key that does not exist or must stay, or an invalid name. */
export class CallerError extends Error {
  override readonly name = 'CallerError';
}

export interface CallersParts {
  readonly files: Files;
  readonly ids: Ids;
  readonly clock: Clock;
  /** `data/callers.json`. */
  readonly path: string;
  /** `data/admin-key`: the file to which a new admin key is written once. */
  readonly adminKeyPath: string;
  /** APP_API_KEY: replaces a generated key, and is stored nowhere. */
  readonly adminKey: Secret | null;
  readonly log: Log;
}

export function createCallers(parts: CallersParts): Callers {
  const { files, ids, clock, path, adminKeyPath, adminKey, log } = parts;
  let records = readCallers(files, path);
  const given: CallerRecord | null = adminKey && record(ADMIN_ID, 'admin', 'admin', adminKey);

  function makeKey(): Secret {
    return new Secret(`abg_${ids.secret(32)}`);
  }

  function record(id: string, name: string, scope: Scope, key: Secret): CallerRecord {
    const hash = sha256(key.reveal());
    return { id, name, scope, sha256: hash, createdAt: clock.now(), rotatedAt: null };
  }

  function save(next: readonly CallerRecord[]): void {
    writeCallers(files, path, next);
    records = next;
  }

  function tellAdminKey(key: Secret): void {
    files.replacePrivate(adminKeyPath, `${key.reveal()}\n`);
    log.warn('an admin key was made; read it from this file, and delete the file', {
      path: adminKeyPath,
    });
  }

  /** The keys that are valid now: an admin key of the settings invalidates a generated one. */
  function valid(): readonly CallerRecord[] {
    return given ? [...records.filter((each) => each.id !== ADMIN_ID), given] : records;
  }

  function find(id: string): CallerRecord {
    const found = records.find((each) => each.id === id);
    if (!found) throw new CallerError(`no key has the id ${JSON.stringify(id)}`);
    return found;
  }

  if (!given && !records.some((each) => each.id === ADMIN_ID)) {
    const key = makeKey();
    // Writes the key to the file before it stores the hash: after a crash in between a new key is
    // made, and none is lost.
    tellAdminKey(key);
    save([...records, record(ADMIN_ID, 'admin', 'admin', key)]);
  }

  return {
    authenticate(header) {
      const key = /^Bearer +([\x21-\x7e]{1,4096}) *$/i.exec(header ?? '')?.[1];
      if (key === undefined) return null;
      const hash = sha256(key);
      // Compares every record, so that the duration reveals nothing.
      const [match] = valid().filter((each) => sameText(each.sha256, hash));
      return match ? callerOf(match) : null;
    },

    list: () => valid().map(callerOf),

    add(name, scope) {
      if (!CALLER_NAME.test(name)) {
        throw new CallerError('the name of a key takes 1 to 64 printable characters');
      }
      const key = makeKey();
      const added = record(`key_${ids.uuid7(clock.now())}`, name, scope, key);
      save([...records, added]);
      return { caller: callerOf(added), key };
    },

    rotate(id) {
      if (given && id === ADMIN_ID) {
        throw new CallerError('the admin key is the one that APP_API_KEY sets: change it there');
      }
      const old = find(id);
      const key = makeKey();
      const rotated = { ...old, sha256: sha256(key.reveal()), rotatedAt: clock.now() };
      if (id === ADMIN_ID) tellAdminKey(key);
      save(records.map((each) => (each === old ? rotated : each)));
      return { caller: callerOf(rotated), key };
    },

    remove(id) {
      if (id === ADMIN_ID) throw new CallerError('the admin key can only be rotated');
      const old = find(id);
      save(records.filter((each) => each !== old));
    },
  };
}

function callerOf(record: CallerRecord): Caller {
  return { id: record.id, name: record.name, scope: record.scope };
}

/** What a key may do; each scope includes those before it. */
export const SCOPES = ['read', 'trade', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export function allows(held: Scope, needed: Scope): boolean {
  return SCOPES.indexOf(held) >= SCOPES.indexOf(needed);
}

/** Who calls. The id is that of the key record, so it stays when the key is rotated. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
}

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
