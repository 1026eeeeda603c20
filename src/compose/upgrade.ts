import { join } from 'node:path';
import { makeBackup, type Tell } from '../backup/backup.ts';
import type { CopyParts } from '../backup/command.ts';
import { JOURNAL } from '../backup/manifest.ts';
import { isFinal, ORDER_STATUSES } from '../domain/order.ts';
import { createSqliteJournal, type Journal } from '../execution/journal/journal.ts';
import type { Quarantine } from '../execution/journal/quarantined.ts';
import { JOURNAL_VERSION } from '../execution/journal/schema.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { createDataLock, type DataLock } from '../platform/data-lock.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { copyPrivately, filesOf, inTemporaryDirectory } from '../platform/directories.ts';
import { FileError, type Files, systemFiles } from '../platform/files.ts';
import { messageOf } from '../platform/values.ts';

export interface UpgradeParts {
  readonly dataDirectory: string;
  /** The directory in which the backup gets one of its own. */
  readonly target: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly version: string;
  readonly lockData: DataLock;
  /** Told what is being done, while it is. */
  readonly tell?: Tell;
}

export interface Upgraded {
  /** The backup, of the version that was found: an older program can restore it. */
  readonly backup: string;
  /** Versions of the journal's format: the same where there was nothing to migrate. */
  readonly from: number;
  readonly to: number;
  /** How many rows the journal has, each of which this version can read. */
  readonly orders: number;
  readonly fills: number;
  readonly events: number;
  /** Orders that are not over, oldest first: to be compared with the broker's app. */
  readonly open: readonly { readonly id: string; readonly status: string }[];
}

/**
 * Brings the data directory of a gateway that does not run to this version: backs it up, migrates a copy
 * and reads every row of that, and only then migrates the journal itself (docs/moving.md). Throws a
 * DataLockError while a gateway uses the directory, otherwise a FileError; then the journal is as it was, but where
 * its own migration, unlike that of the copy, has changed what it holds: then the error says not to start this version.
 */
export async function upgradeDataDirectory(parts: UpgradeParts): Promise<Upgraded> {
  if (filesOf(parts.dataDirectory) === null) {
    throw new FileError(
      `there is nothing to upgrade: ${parts.dataDirectory} does not exist; APP_DATA_DIR names the data directory`,
    );
  }
  const lock = parts.lockData(parts.dataDirectory);
  try {
    const { path: backup } = makeBackup(parts);
    parts.tell?.('migrating a copy of the journal, and reading every row of it');
    await migrateACopy(backup);
    const database = openDatabase(join(parts.dataDirectory, JOURNAL));
    try {
      parts.tell?.('migrating the journal');
      const before = contentOf(database);
      migrateOrRefuse(database, backup);
      const after = contentOf(database);
      refuseDifference(before, after, backup);
      return { backup, from: before.version, to: after.version, ...figuresOf(after) };
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}

/** Throws where a copy of the journal, once migrated, has other orders, or rows that this version cannot read. */
async function migrateACopy(backup: string): Promise<void> {
  await inTemporaryDirectory(`${backup}-upgrade-`, async (directory) => {
    const path = join(directory, JOURNAL);
    copyPrivately(join(backup, JOURNAL), path);
    const database = openDatabase(path);
    try {
      const before = contentOf(database);
      // Of all days: what stays unread here would be found by a caller who asks for that day.
      const { quarantine } = await migrateOrRefuse(database, backup).load('0000-00-00');
      refuseUnread(quarantine, backup);
      refuseDifference(before, contentOf(database), backup);
    } finally {
      database.close();
    }
  });
}

/** A migration is one transaction: where it fails, for instance on a full disk, the journal is as it was. */
function migrateOrRefuse(database: Database, backup: string): Journal {
  try {
    return createSqliteJournal(database);
  } catch (error) {
    if (error instanceof FileError) throw error;
    const reason = messageOf(error);
    throw new FileError(`the journal cannot be migrated: ${reason}. ${unchanged(backup)}`, {
      cause: error,
    });
  }
}

function refuseUnread({ rows }: Quarantine, backup: string): void {
  if (rows.length === 0) return;
  const named = rows.slice(0, 5).map(({ key, table }) => `${key} of ${table}`);
  throw new FileError(
    `${rows.length} rows of the journal cannot be read by this version: ${named.join(', ')}. ${unchanged(backup)} ` +
      'A start of this version uses the other rows, and tells of each of these by an alert',
  );
}

const unchanged = (backup: string): string =>
  `The journal is as it was, and a backup of it is ${backup}: run the version that you had, or report this.`;

/** What a migration leaves as it is. */
interface Content {
  readonly version: number;
  readonly statuses: ReadonlyMap<string, string>;
  readonly fills: number;
  readonly events: number;
}

function contentOf(database: Database): Content {
  const count = (sql: string): number => Number(database.prepare(sql).get()?.['found'] ?? 0);
  const orders = database.prepare('SELECT id, status FROM orders ORDER BY id').all();
  return {
    version: Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0),
    statuses: new Map(orders.map(({ id, status }) => [String(id), String(status)])),
    fills: count('SELECT count(*) AS found FROM fills'),
    events: count('SELECT coalesce(max(sequence), 0) AS found FROM events'),
  };
}

function refuseDifference(before: Content, after: Content, backup: string): void {
  const changed = [...before.statuses].filter(([id, status]) => after.statuses.get(id) !== status);
  const isSame =
    changed.length === 0 &&
    after.version === JOURNAL_VERSION &&
    after.statuses.size === before.statuses.size &&
    after.fills === before.fills &&
    after.events === before.events;
  if (isSame) return;
  throw new FileError(
    `the migration changed the journal's orders, fills or events: ${before.statuses.size} orders became ` +
      `${after.statuses.size}, ${changed.length} of another status. Do not start this version; a backup is ${backup}`,
  );
}

const OVER: readonly string[] = ORDER_STATUSES.filter(isFinal);

function figuresOf({ statuses, fills, events }: Content): Omit<Upgraded, 'backup' | 'from' | 'to'> {
  const open = [...statuses].flatMap(([id, status]) =>
    OVER.includes(status) ? [] : [{ id, status }],
  );
  return { orders: statuses.size, fills, events, open };
}

export interface UpgradeCommand {
  readonly kind: 'upgrade';
  readonly directory: string;
  /** Prints JSON, for programs. */
  readonly json?: true;
}

/** Does what `upgrade` of the command line asks for; returns what to print. */
export async function runUpgradeCommand(
  { directory, json }: UpgradeCommand,
  { dataDirectory, version, tell }: CopyParts,
): Promise<string> {
  const files = systemFiles;
  const upgraded = await upgradeDataDirectory({
    ...{ dataDirectory, target: directory, files, version },
    ...{ clock: systemClock, lockData: createDataLock(files) },
    ...(tell ? { tell } : {}),
  });
  return json ? JSON.stringify({ data: upgraded }, null, 2) : wordsOf(upgraded);
}

function wordsOf({ backup, from, to, orders, fills, events, open }: Upgraded): string {
  const rows = `${orders} orders, ${fills} fills, ${events} events`;
  return [
    `a backup of what was there is ${backup}`,
    from === to
      ? `the journal is of version ${to} already, and every row was read: ${rows}`
      : `the journal is of version ${to} now (it was of version ${from}), and every row was read first, on a copy: ${rows}`,
    ...open.slice(0, 20).map(({ id, status }) => `order ${id} is ${status}`),
    open.length === 0
      ? 'no order is open: start the gateway'
      : `orders that are not over: ${open.length}. Start the gateway, and compare them with the broker's app`,
  ].join('\n');
}
