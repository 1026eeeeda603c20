import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Clock } from '../platform/clock.ts';
import { epochMs, type EpochMs } from '../units/branded.ts';
import { sameText, Secret, sha256 } from '../platform/secret.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { ADMIN_ID, type Caller, CALLER_NAME, type KeyRecord, type Scope } from './caller.ts';
import { type CallerRecord, readCallers, writeCallers } from './caller-file.ts';

export interface KeyRequest {
  /** 1 to 64 printable characters, and no other valid key's. */
  readonly name: string;
  readonly scope: Scope;
  /** The only broker for its orders and portfolio; null for all. */
  readonly broker?: BrokerId | null;
  readonly mode?: Mode | null;
}

export interface NewKey {
  readonly caller: KeyRecord;
  /** Shown only once, because only its hash is stored. */
  readonly key: Secret;
}

export interface Callers {
  /** `header` is the value of Authorization. Null for a missing, malformed or wrong key. */
  authenticate(header: string | undefined): Caller | null;
  /**
   * `by`, in what follows, is the id of the key that asks for it; null for the command line.
   * Every key, the revoked ones too: the journal's orders name them. Oldest first.
   */
  list(): readonly KeyRecord[];
  /** Throws CallerError. */
  add(request: KeyRequest, by?: string | null): NewKey;
  /** The old key no longer works when this returns. Throws CallerError. */
  rotate(id: string, by?: string | null): NewKey;
  /** The key no longer works when this returns. Throws CallerError; the admin key can only be rotated. */
  revoke(id: string, by?: string | null): KeyRecord;
}

/** A change of a key that does not exist or must stay, or an invalid or used name. */
export class CallerError extends Error {
  override readonly name = 'CallerError';
  readonly kind: 'unknown' | 'refused';

  constructor(kind: CallerError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
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
  const given: CallerRecord | null = adminKey && adminRecord(adminKey);

  const makeKey = (): Secret => new Secret(`abg_${ids.secret(32)}`);

  function adminRecord(key: Secret): CallerRecord {
    return newRecord(ADMIN_ID, { name: 'admin', scope: 'admin' }, key, clock.now(), null);
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

  /** An admin key of the settings takes the place of a generated one. */
  function known(): readonly CallerRecord[] {
    return given ? [...records.filter((each) => each.id !== ADMIN_ID), given] : records;
  }

  /** A key that is valid now. */
  function find(id: string): CallerRecord {
    const found = records.find((each) => each.id === id);
    if (!found) throw new CallerError('unknown', `no key has the id ${JSON.stringify(id)}`);
    if (found.revokedAt !== null) {
      throw new CallerError('refused', `the key ${id} (${found.name}) was revoked: add a new one`);
    }
    return found;
  }

  if (!given && !records.some((each) => each.id === ADMIN_ID)) {
    const key = makeKey();
    // Writes the key to the file before it stores the hash: after a crash in between a new key is
    // made, and none is lost.
    tellAdminKey(key);
    save([...records, adminRecord(key)]);
  }

  return {
    authenticate(header) {
      const key = /^Bearer +([\x21-\x7e]{1,4096}) *$/i.exec(header ?? '')?.[1];
      if (key === undefined) return null;
      const hash = sha256(key);
      // Compares every record, so that the duration reveals nothing.
      const [match] = known().filter((each) => sameText(each.sha256 ?? '', hash));
      return match ? callerOf(match) : null;
    },

    list: () => known().map(keyOf),

    add(request, by = null) {
      checkName(request.name, known());
      const key = makeKey();
      const id = `key_${ids.uuid7(clock.now())}`;
      const added = newRecord(id, request, key, clock.now(), by);
      save([...records, added]);
      return { caller: keyOf(added), key };
    },

    rotate(id, by = null) {
      if (given && id === ADMIN_ID) {
        const detail = 'the admin key is the one that APP_API_KEY sets: change it there';
        throw new CallerError('refused', detail);
      }
      const old = find(id);
      const key = makeKey();
      const rotated = {
        ...old,
        sha256: sha256(key.reveal()),
        rotatedAt: clock.now(),
        rotatedBy: by,
      };
      if (id === ADMIN_ID) tellAdminKey(key);
      save(records.map((each) => (each === old ? rotated : each)));
      return { caller: keyOf(rotated), key };
    },

    revoke(id, by = null) {
      if (id === ADMIN_ID) throw new CallerError('refused', 'the admin key can only be rotated');
      const old = find(id);
      const revoked = { ...old, sha256: null, revokedAt: clock.now(), revokedBy: by };
      save(records.map((each) => (each === old ? revoked : each)));
      return keyOf(revoked);
    },
  };
}

function checkName(name: string, known: readonly CallerRecord[]): void {
  if (!CALLER_NAME.test(name)) {
    throw new CallerError('refused', 'the name of a key takes 1 to 64 printable characters');
  }
  const same = known.find((each) => each.name === name && each.revokedAt === null);
  if (!same) return;
  const detail = `the key ${same.id} has the name ${name}: choose another name, or rotate that key`;
  throw new CallerError('refused', detail);
}

function newRecord(
  id: string,
  { name, scope, broker = null, mode = null }: KeyRequest,
  key: Secret,
  at: EpochMs,
  by: string | null,
): CallerRecord {
  return {
    ...{ id, name, scope, broker, mode },
    sha256: sha256(key.reveal()),
    ...{ createdAt: at, createdBy: by },
    ...{ rotatedAt: null, rotatedBy: null, revokedAt: null, revokedBy: null },
  };
}

function callerOf({ id, name, scope, broker, mode }: CallerRecord): Caller {
  return { id, name, scope, broker, mode };
}

function keyOf(record: CallerRecord): KeyRecord {
  const { createdAt, createdBy, rotatedAt, rotatedBy, revokedAt, revokedBy } = record;
  return {
    ...callerOf(record),
    ...{ createdBy, rotatedBy, revokedBy },
    createdAt: epochMs(createdAt),
    rotatedAt: rotatedAt === null ? null : epochMs(rotatedAt),
    revokedAt: revokedAt === null ? null : epochMs(revokedAt),
  };
}
