import type { Files } from '../platform/files.ts';
import { type CallerRecord, readCallers, writeCallers } from './caller-file.ts';
import { ADMIN_ID, type KeyRecord } from './caller.ts';
import { CallerError, keyOf } from './key-records.ts';

export interface KeyStoreParts {
  readonly files: Files;
  /** `data/callers.json`. */
  readonly path: string;
  /** The admin key of the settings, which takes the place of a generated one; null for none. */
  readonly given: CallerRecord | null;
  /** Gets every key at the start and after each change. */
  readonly changed: (keys: readonly KeyRecord[]) => void;
}

/** The records of keys: in memory and in a file. */
export interface KeyStore {
  /** Every record, revoked ones too, oldest first. */
  all(): readonly CallerRecord[];
  /** A key that is valid now. Throws CallerError. */
  find(id: string): CallerRecord;
  hasAdmin(): boolean;
  add(record: CallerRecord): KeyRecord;
  /** Throws what the file system throws; nothing has changed then. */
  replace(old: CallerRecord, next: CallerRecord): KeyRecord;
  /** Replaces it in memory, whatever becomes of the file; returns what the file system threw. */
  replaceAtOnce(old: CallerRecord, next: CallerRecord): unknown;
}

/** Throws CallerFileError or UnsafeFileError. */
export function createKeyStore({ files, path, given, changed }: KeyStoreParts): KeyStore {
  let records = readCallers(files, path);

  function hold(next: readonly CallerRecord[]): void {
    records = next;
    changed(all().map(keyOf));
  }

  function save(next: readonly CallerRecord[]): void {
    writeCallers(files, path, next);
    hold(next);
  }

  function all(): readonly CallerRecord[] {
    return given ? [...records.filter((each) => each.id !== ADMIN_ID), given] : records;
  }

  const replaced = (old: CallerRecord, next: CallerRecord): readonly CallerRecord[] =>
    records.map((each) => (each === old ? next : each));

  hold(records);

  return {
    all,
    hasAdmin: () => given !== null || records.some((each) => each.id === ADMIN_ID),
    find(id) {
      const found = records.find((each) => each.id === id);
      if (!found) throw new CallerError('unknown', `no key has the id ${JSON.stringify(id)}`);
      if (found.revokedAt !== null) {
        throw new CallerError(
          'revoked',
          `the key ${id} (${found.name}) was revoked: add a new one`,
        );
      }
      return found;
    },
    add(record) {
      save([...records, record]);
      return keyOf(record);
    },
    replace(old, next) {
      save(replaced(old, next));
      return keyOf(next);
    },
    replaceAtOnce(old, next) {
      hold(replaced(old, next));
      try {
        writeCallers(files, path, records);
        return null;
      } catch (error) {
        return error;
      }
    },
  };
}
