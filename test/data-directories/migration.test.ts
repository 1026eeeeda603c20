import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSqliteJournal } from '../../src/execution/journal/journal.ts';
import { JOURNAL_VERSION } from '../../src/execution/journal/schema.ts';
import { statusOf } from '../../src/execution/order/order.ts';
import { openDatabase, type Database } from '../../src/platform/database.ts';
import { FileError } from '../../src/platform/files.ts';
import { failingDatabase } from '../support/failing-database.ts';
import { OLD_DIRECTORIES, openOldDataDirectory } from './open.ts';

const versionOf = (database: Database): unknown =>
  database.prepare('PRAGMA user_version').get()?.['user_version'];

const ordersOf = (database: Database): Record<string, unknown> =>
  Object.fromEntries(
    database
      .prepare('SELECT id, status FROM orders')
      .all()
      .map(({ id, status }) => [String(id), status]),
  );

/** Opens the journal of a directory, and closes it again. */
function withJournal<T>(directory: string, use: (database: Database) => T): T {
  const database = openDatabase(join(directory, 'journal.db'));
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const copiesIn = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => name.includes('.version-'))
    .sort();

describe('a journal of version 1', () => {
  it.each(OLD_DIRECTORIES)('of an %s becomes one of this version, row by row', async (name) => {
    using old = openOldDataDirectory(name);
    const before = withJournal(old.directory, ordersOf);
    const database = openDatabase(join(old.directory, 'journal.db'));
    const { changes, quarantine } = await createSqliteJournal(database).load('2026-01-01');
    const loaded = changes.flatMap(({ table, row }) =>
      table === 'orders' && row ? [[row.id, statusOf(row)] as const] : [],
    );
    expect(versionOf(database)).toBe(JOURNAL_VERSION);
    expect(quarantine.rows).toEqual([]);
    expect(Object.fromEntries(loaded)).toEqual(before);
    database.close();
  });

  it('is copied before it is migrated: private, and whole', () => {
    using old = openOldDataDirectory('afternoon');
    const before = withJournal(old.directory, ordersOf);
    withJournal(old.directory, (database) => createSqliteJournal(database));
    expect(copiesIn(old.directory)).toEqual(['journal.db.version-1']);
    const path = join(old.directory, 'journal.db.version-1');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const copy = openDatabase(path);
    expect(versionOf(copy)).toBe(1);
    expect(ordersOf(copy)).toEqual(before);
    copy.close();
  });

  it('is migrated once: the next start finds it done', () => {
    using old = openOldDataDirectory('evening');
    withJournal(old.directory, (database) => createSqliteJournal(database));
    withJournal(old.directory, (database) => createSqliteJournal(database));
    expect(copiesIn(old.directory)).toEqual(['journal.db.version-1']);
  });

  it('stays as it was where the disk is full before the migration is written', () => {
    using old = openOldDataDirectory('afternoon');
    withJournal(old.directory, (real) => {
      const failing = failingDatabase(real);
      failing.fail();
      expect(() => createSqliteJournal(failing.database)).toThrow('full');
      expect(versionOf(real)).toBe(1);
    });
    withJournal(old.directory, (database) => createSqliteJournal(database));
    expect(withJournal(old.directory, versionOf)).toBe(JOURNAL_VERSION);
    // The copy of the start that failed is kept, too.
    expect(copiesIn(old.directory)).toEqual(['journal.db.version-1', 'journal.db.version-1.2']);
  });

  it('is not touched where no copy of it can be kept', () => {
    using old = openOldDataDirectory('afternoon');
    withJournal(old.directory, (real) => {
      const database = {
        ...real,
        copyTo(): string {
          throw new Error('no space left on device');
        },
      };
      expect(() => createSqliteJournal(database)).toThrow(FileError);
      expect(() => createSqliteJournal(database)).toThrow(/no space left.*Nothing was changed/);
      expect(versionOf(real)).toBe(1);
    });
  });

  it('keeps a row that does not read as version 1 for a person: the others go on', async () => {
    using old = openOldDataDirectory('afternoon');
    const id = withJournal(old.directory, (database) => {
      const [first] = database.prepare(`SELECT id FROM orders WHERE status = 'working'`).all();
      database
        .prepare(`UPDATE orders SET record = '{"id":' WHERE id = ?`)
        .run(String(first?.['id']));
      return first?.['id'];
    });
    const database = openDatabase(join(old.directory, 'journal.db'));
    const { quarantine } = await createSqliteJournal(database).load('2026-01-01');
    expect(quarantine.rows.map(({ key }) => key)).toEqual([id]);
    database.close();
  });
});

describe('a journal of a newer version', () => {
  it('is refused with one line that says how to go on, and is not touched', () => {
    using old = openOldDataDirectory('evening');
    const path = join(old.directory, 'journal.db');
    withJournal(old.directory, (database) => {
      createSqliteJournal(database);
      database.exec(`PRAGMA user_version = ${JOURNAL_VERSION + 1}`);
    });
    const copies = copiesIn(old.directory);
    withJournal(old.directory, (database) => {
      const open = (): unknown => createSqliteJournal(database);
      expect(open).toThrow(FileError);
      expect(open).toThrow(`journal version ${JOURNAL_VERSION + 1}`);
      expect(open).toThrow(`${path}.version-${JOURNAL_VERSION}`);
      expect(versionOf(database)).toBe(JOURNAL_VERSION + 1);
    });
    expect(copiesIn(old.directory)).toEqual(copies);
    expect(existsSync(`${path}.part`)).toBe(false);
  });
});
