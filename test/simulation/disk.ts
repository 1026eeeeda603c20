import { copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { openDatabase, type Database, type DatabaseOpener } from '../../src/platform/database.ts';
import type { DiskSpace } from '../../src/platform/disk-reserve.ts';

/** What a database wrapper asks, before and after each commit among others. */
export interface CommitHooks {
  /** Throws to make the commit fail, or the machine crash, before anything is written. */
  before(): void;
  /** Throws to crash when the commit is on disk and nobody has been told. */
  after(): void;
  /** How much space the disk has. */
  space(): DiskSpace;
}

/** The databases of one incarnation, and how far each is durable. */
export interface Disk {
  readonly open: DatabaseOpener;
  /** Closes everything, as the end of a process does; after a power loss, cut to what was durable. */
  fail(power: boolean): void;
}

interface Opened {
  readonly path: string;
  readonly database: Database;
  readonly raw: Database;
  durable: number;
}

const walOf = (path: string): string => `${path}-wal`;
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Real files. A power loss is played by cutting the write-ahead log back to its length at the last
 * commit that was synced; the log is never checkpointed meanwhile, so the main file does not change.
 */
export function createDisk(hooks: CommitHooks): Disk {
  const opened: Opened[] = [];
  return {
    open(path) {
      const raw = openDatabase(path);
      raw.exec('PRAGMA wal_autocheckpoint = 0');
      const level = raw.prepare('PRAGMA synchronous');
      const synced = (): boolean => Number(level.get()?.synchronous) >= 2;
      const each: Opened = { path, raw, durable: sizeOf(walOf(path)), database: raw };
      opened.push(each);
      return {
        ...raw,
        reserve: { look: hooks.space, release: () => false },
        commit() {
          hooks.before();
          raw.commit();
          if (synced()) each.durable = sizeOf(walOf(path));
          hooks.after();
        },
      };
    },
    fail(power) {
      for (const { path, raw, durable } of opened) {
        const wal = walOf(path);
        if (!power) {
          close(raw);
          continue;
        }
        copyFileSync(path, `${path}.kept`);
        const hasWal = existsSync(wal);
        if (hasWal) copyFileSync(wal, `${wal}.kept`);
        close(raw);
        copyFileSync(`${path}.kept`, path);
        rmSync(`${path}-shm`, { force: true });
        rmSync(wal, { force: true });
        if (hasWal) {
          copyFileSync(`${wal}.kept`, wal);
          truncateSync(wal, Math.min(durable, sizeOf(wal)));
        }
      }
    },
  };
}

function close(database: Database): void {
  try {
    database.rollback();
    database.close();
  } catch {
    // Closed already.
  }
}
