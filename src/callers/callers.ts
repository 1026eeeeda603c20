import type { Clock } from '../platform/clock.ts';
import { sameText, Secret, sha256 } from '../platform/secret.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import {
  ADMIN_ID,
  type Caller,
  type KeyLimits,
  type KeyMarks,
  type KeyRecord,
  type KeyStop,
} from './caller.ts';
import type { CallerRecord } from './caller-file.ts';
import {
  CallerError,
  callerOf,
  checkName,
  keyOf,
  type KeyRequest,
  newRecord,
  recordLimits,
} from './key-records.ts';
import { createKeyStore } from './key-store.ts';

export interface KeyChange {
  readonly name?: string;
  /** In place of all limits that it has. */
  readonly limits?: KeyLimits;
  /** Those that are named. */
  readonly marks?: Partial<KeyMarks>;
}

export interface NewKey {
  readonly caller: KeyRecord;
  /** Shown only once, because only its hash is stored. */
  readonly key: Secret;
}

export interface KeyStopped {
  readonly key: KeyRecord;
  readonly onDisk: boolean;
}

export interface Callers {
  /** `header` is the value of Authorization. Null for a missing, malformed or wrong key. */
  authenticate(header: string | undefined): Caller | null;
  /** A key that is valid now, and the SHA-256 of it; null where there is none of this id. */
  current(id: string): { readonly caller: Caller; readonly sha256: string } | null;
  /**
   * `by`, in what follows, is the id of the key that asks for it; null for the command line.
   * Every key, the revoked ones too: the journal's orders name them. Oldest first.
   */
  list(): readonly KeyRecord[];
  /** Throws CallerError. */
  add(request: KeyRequest, by?: string | null): NewKey;
  /** Throws CallerError. */
  change(id: string, change: KeyChange, by?: string | null): KeyRecord;
  /**
   * Stops the orders of a key, but for ways out, or lets them pass again with null. A stop holds at once,
   * also where it could not be written: then `onDisk` is false. Throws CallerError.
   */
  setStop(id: string, stop: Pick<KeyStop, 'reason' | 'by'> | null, by?: string | null): KeyStopped;
  /** The old key no longer works when this returns. Throws CallerError. */
  rotate(id: string, by?: string | null): NewKey;
  /** The key no longer works when this returns. Throws CallerError; the admin key can only be rotated. */
  revoke(id: string, by?: string | null): KeyRecord;
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
  /** Whether an admin key is made where there is none; true when absent. */
  readonly makesAdminKey?: boolean;
  /** Gets every key at the start and after each change. */
  readonly changed?: (keys: readonly KeyRecord[]) => void;
}

export function createCallers(parts: CallersParts): Callers {
  const { files, ids, clock, path, adminKeyPath, adminKey, log, makesAdminKey = true } = parts;
  const makeKey = (): Secret => new Secret(`abg_${ids.secret(32)}`);
  const adminRecord = (key: Secret): CallerRecord =>
    newRecord(ADMIN_ID, { name: 'admin', scope: 'admin' }, key, clock.now(), null);
  const given = adminKey && adminRecord(adminKey);
  const store = createKeyStore({ files, path, given, changed: parts.changed ?? (() => undefined) });

  function tellAdminKey(key: Secret): void {
    files.replacePrivate(adminKeyPath, `${key.reveal()}\n`);
    log.warn('an admin key was made; read it from this file, and delete the file', {
      path: adminKeyPath,
    });
  }

  if (makesAdminKey && !store.hasAdmin()) {
    const key = makeKey();
    // Writes the key to the file before it stores the hash: after a crash in between a new key is
    // made, and none is lost.
    tellAdminKey(key);
    store.add(adminRecord(key));
  }

  return {
    authenticate(header) {
      const key = /^Bearer +([\x21-\x7e]{1,4096}) *$/i.exec(header ?? '')?.[1];
      if (key === undefined) return null;
      const hash = sha256(key);
      // Compares every record, so that the duration reveals nothing.
      const [match] = store.all().filter((each) => sameText(each.sha256 ?? '', hash));
      return match ? callerOf(match) : null;
    },

    current(id) {
      const found = store.all().find((each) => each.id === id);
      const sha256Now = found?.sha256 ?? null;
      return found && sha256Now !== null ? { caller: callerOf(found), sha256: sha256Now } : null;
    },

    list: () => store.all().map(keyOf),

    add(request, by = null) {
      checkName(request.name, store.all());
      const key = makeKey();
      const id = `key_${ids.uuid7(clock.now())}`;
      return { caller: store.add(newRecord(id, request, key, clock.now(), by)), key };
    },

    change(id, { name, limits, marks }) {
      if (id === ADMIN_ID) throw new CallerError('admin_key', ADMIN_STAYS);
      const old = store.find(id);
      if (name !== undefined && name !== old.name) checkName(name, store.all());
      const next = { name: name ?? old.name, limits: recordLimits(limits ?? old.limits) };
      const nextMarks = { ...old.marks, ...marks };
      return store.replace(old, { ...old, ...next, marks: nextMarks });
    },

    setStop(id, stop) {
      if (id === ADMIN_ID) throw new CallerError('admin_key', ADMIN_STAYS);
      const old = store.find(id);
      const next = { ...old, stopped: stop && { ...stop, at: clock.now() } };
      if (stop === null) return { key: store.replace(old, next), onDisk: true };
      const failure = store.replaceAtOnce(old, next);
      if (failure === null) return { key: keyOf(next), onDisk: true };
      log.error('a stopped key could not be written: it holds until the next start', {
        ...{ caller: id, reason: messageOf(failure) },
      });
      return { key: keyOf(next), onDisk: false };
    },

    rotate(id, by = null) {
      if (given && id === ADMIN_ID) {
        const detail = 'the admin key is the one that APP_API_KEY sets: change it there';
        throw new CallerError('admin_key', detail);
      }
      const old = store.find(id);
      const key = makeKey();
      if (id === ADMIN_ID) tellAdminKey(key);
      const rotated = { sha256: sha256(key.reveal()), rotatedAt: clock.now(), rotatedBy: by };
      return { caller: store.replace(old, { ...old, ...rotated }), key };
    },

    revoke(id, by = null) {
      if (id === ADMIN_ID) throw new CallerError('admin_key', ADMIN_STAYS);
      const old = store.find(id);
      const revoked = { sha256: null, revokedAt: clock.now(), revokedBy: by };
      return store.replace(old, { ...old, ...revoked });
    },
  };
}

const ADMIN_STAYS =
  'the admin key can only be rotated; the kill switch stops the orders of all keys';
