import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBackupCommand } from '../../src/backup/command.ts';
import { runUpgradeCommand, type Upgraded } from '../../src/compose/upgrade.ts';
import { JOURNAL_VERSION } from '../../src/execution/journal/schema.ts';
import { createDataLock, DataLockError } from '../../src/platform/data-lock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { FileError, systemFiles } from '../../src/platform/files.ts';
import { openOldDataDirectory } from '../data-directories/open.ts';

let target: string;
beforeEach(() => void (target = mkdtempSync(join(tmpdir(), 'abg-upgrade-'))));
afterEach(() => rmSync(target, { recursive: true, force: true }));

const upgrade = (dataDirectory: string): Promise<string> =>
  runUpgradeCommand({ kind: 'upgrade', directory: target }, { dataDirectory, version: '1.2.3' });

async function upgraded(dataDirectory: string): Promise<Upgraded> {
  const at = { dataDirectory, version: '1.2.3' };
  const told = await runUpgradeCommand({ kind: 'upgrade', directory: target, json: true }, at);
  return JSON.parse(told).data;
}

/** What a journal has, as its database tells it. */
function inJournal<T>(path: string, read: (one: (sql: string) => unknown) => T): T {
  const database = openDatabase(path);
  try {
    return read((sql) => Object.values(database.prepare(sql).get() ?? {})[0]);
  } finally {
    database.close();
  }
}

const change = (path: string, sql: string): void => {
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
};

const versionIn = (directory: string): unknown =>
  inJournal(join(directory, 'journal.db'), (one) => one('PRAGMA user_version'));

/** Only a backup may stay in the target: the copy that was migrated first is removed. */
const left = (): string[] => readdirSync(target).filter((name) => name.includes('upgrade-'));

describe('upgrade', () => {
  it('backs up, migrates, and tells what the journal has and which orders are open', async () => {
    using old = openOldDataDirectory('afternoon');
    const told = await upgraded(old.directory);
    const path = join(old.directory, 'journal.db');
    const found = inJournal(path, (one) => ({
      orders: one('SELECT count(*) FROM orders'),
      fills: one('SELECT count(*) FROM fills'),
      events: one('SELECT max(sequence) FROM events'),
    }));
    expect(told).toMatchObject({ from: 1, to: JOURNAL_VERSION, ...found });
    expect(told.open.map(({ status }) => status)).toContain('uncertain');
    expect(told.open.map(({ status }) => status)).not.toContain('filled');
    expect(versionIn(old.directory)).toBe(JOURNAL_VERSION);
    expect(versionIn(told.backup)).toBe(1);
    expect(left()).toEqual([]);
  });

  it('makes a backup that the older version can be given back', async () => {
    using old = openOldDataDirectory('afternoon');
    const { backup } = await upgraded(old.directory);
    const at = { dataDirectory: old.directory, version: '1.2.3' };
    runBackupCommand({ kind: 'restore', directory: backup }, at);
    expect(versionIn(old.directory)).toBe(1);
  });

  it('reads every row of a journal of this version, and changes nothing', async () => {
    using old = openOldDataDirectory('evening');
    await upgrade(old.directory);
    const path = join(old.directory, 'journal.db');
    const before = readFileSync(path);
    target = join(target, 'again');
    const told = await upgrade(old.directory);
    expect(told).toContain(`the journal is of version ${JOURNAL_VERSION} already`);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a row that this version cannot read, of whatever day, and leaves the journal as it was', async () => {
    using old = openOldDataDirectory('afternoon');
    const path = join(old.directory, 'journal.db');
    const [id] = [inJournal(path, (one) => one("SELECT id FROM orders WHERE status = 'filled'"))];
    change(path, `UPDATE orders SET record = '{"of":"nobody"}' WHERE id = '${String(id)}'`);
    await expect(upgrade(old.directory)).rejects.toThrow(
      new RegExp(`${String(id)} of orders.* The journal is as it was, and a backup of it is `),
    );
    expect(versionIn(old.directory)).toBe(1);
    expect(existsSync(`${path}.version-1`)).toBe(false);
    expect(left()).toEqual([]);
  });

  it('refuses a journal of a newer version', async () => {
    using old = openOldDataDirectory('afternoon');
    change(join(old.directory, 'journal.db'), `PRAGMA user_version = ${JOURNAL_VERSION + 1}`);
    await expect(upgrade(old.directory)).rejects.toThrow('newer version');
    expect(versionIn(old.directory)).toBe(JOURNAL_VERSION + 1);
  });

  it('is refused while a gateway runs, and makes no backup then', async () => {
    using old = openOldDataDirectory('afternoon');
    const lock = createDataLock(systemFiles)(old.directory);
    await expect(upgrade(old.directory)).rejects.toThrow(DataLockError);
    expect(readdirSync(target)).toEqual([]);
    expect(versionIn(old.directory)).toBe(1);
    lock.release();
  });

  it('makes no data directory where there is none', async () => {
    const absent = join(target, 'absent');
    await expect(upgrade(absent)).rejects.toThrow(FileError);
    await expect(upgrade(absent)).rejects.toThrow('does not exist; APP_DATA_DIR names');
    expect(existsSync(absent)).toBe(false);
  });
});
