import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createSqliteChangeStore, openRoomyDatabase } from '../../src/platform/database.ts';
import { type DiskReserve, keepReserve } from '../../src/platform/disk-reserve.ts';

const KB = 1_024;
const MB = KB * KB;
const ROOM = { reserveBytes: 256 * KB, logPages: 200 };

function directory() {
  const path = mkdtempSync(join(tmpdir(), 'altbroker-reserve-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A database of blobs, which fills quickly, and a change store over it. */
function blobs(path: string) {
  const database = openRoomyDatabase(path, ROOM);
  database.exec('CREATE TABLE blobs (id INTEGER PRIMARY KEY, bytes BLOB) STRICT');
  const insert = database.prepare('INSERT INTO blobs (bytes) VALUES (zeroblob(?))');
  const store = createSqliteChangeStore<number>(database, (bytes) => void insert.run(bytes));
  const pragma = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  /** From now on the database file cannot become larger, as on a disk that is full. */
  const stopGrowth = (): void => database.exec(`PRAGMA max_page_count = ${pragma('page_count')}`);
  async function commitMany(times: number): Promise<number> {
    for (let done = 0; done < times; done += 1) {
      if ((await store.commit([[6 * KB]])).committed === 0) return done;
    }
    return times;
  }
  return { database, store, pragma, stopGrowth, commitMany };
}

describe('a database with a reserve', () => {
  it('has its log and its reserve on the disk from the start', () => {
    using at = directory();
    const path = join(at.path, 'd.db');
    const { database } = blobs(path);
    expect(statSync(`${path}-wal`).size).toBeGreaterThanOrEqual(ROOM.logPages * 4 * KB);
    expect(statSync(path).size).toBeGreaterThanOrEqual(ROOM.reserveBytes);
    expect(statSync(path).size).toBeLessThan(2 * ROOM.reserveBytes);
    database.close();
  });

  it('still takes commits when its file cannot grow, as many as the reserve has room for', async () => {
    using at = directory();
    const { database, pragma, stopGrowth, commitMany } = blobs(join(at.path, 'd.db'));
    await commitMany(5);
    stopGrowth();
    expect(database.reserve?.look()).toBe('ample');
    const done = await commitMany(100);
    expect(done).toBeGreaterThanOrEqual(30);
    expect(done).toBeLessThan(100);
    expect(pragma('freelist_count')).toBeLessThan(3);
    database.close();
  });

  it('keeps what it took, and takes more once there is space again', async () => {
    using at = directory();
    const path = join(at.path, 'd.db');
    const { database, store, stopGrowth, commitMany } = blobs(path);
    stopGrowth();
    const done = await commitMany(100);
    expect(String((await store.commit([[6 * KB]])).error)).toContain('full');
    database.exec('PRAGMA max_page_count = 1000000');
    expect(await commitMany(3)).toBe(3);
    database.close();
    const again = openRoomyDatabase(path, ROOM);
    expect(again.prepare('SELECT count(*) AS n FROM blobs').get()?.['n']).toBe(done + 3);
    again.close();
  });

  it('writes a failed unit again once at most, and no unit twice', async () => {
    using at = directory();
    const { database, store, stopGrowth } = blobs(join(at.path, 'd.db'));
    stopGrowth();
    const { committed, error } = await store.commit([[6 * KB], [6 * KB], [600 * KB], [6 * KB]]);
    expect(committed).toBe(2);
    expect(String(error)).toContain('full');
    expect(database.prepare('SELECT count(*) AS n FROM blobs').get()?.['n']).toBe(2);
    database.close();
  });
});

describe('the reserve', () => {
  /** A reserve on a disk with so much space as the test says. */
  function reserveOn(path: string, disk: { free: number | null }) {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL');
    const reserve: DiskReserve = keepReserve(database, path, ROOM, () => disk.free);
    const free = (): number =>
      Number(database.prepare('PRAGMA freelist_count').get()?.['freelist_count']);
    return { database, reserve, free };
  }

  it('is freed where the disk is nearly full, and made again where it has space', () => {
    using at = directory();
    const disk = { free: 100 * MB };
    const { database, reserve, free } = reserveOn(join(at.path, 'd.db'), disk);
    expect([reserve.look(), free() < 10]).toEqual(['ample', true]);
    // As docs/orders.md tells: from below 10 MB until 24 MB are free.
    disk.free = 10 * MB;
    expect(reserve.look()).toBe('ample');
    disk.free = 10 * MB - 1;
    expect(reserve.look()).toBe('reserve');
    expect(free()).toBeGreaterThanOrEqual(ROOM.reserveBytes / (4 * KB));
    disk.free = 24 * MB - 1;
    expect(reserve.look()).toBe('reserve');
    disk.free = 24 * MB;
    expect([reserve.look(), free() < 10]).toEqual(['ample', true]);
    database.close();
  });

  it('is free from the start on a disk that is nearly full', () => {
    using at = directory();
    const { database, reserve } = reserveOn(join(at.path, 'd.db'), { free: MB });
    expect([reserve.look(), reserve.release()]).toEqual(['reserve', false]);
    database.close();
  });

  it('is kept where the file system does not say what is free', () => {
    using at = directory();
    const { database, reserve } = reserveOn(join(at.path, 'd.db'), { free: null });
    expect(reserve.look()).toBe('ample');
    database.close();
  });

  it('that cannot be made again is tried again seldom', () => {
    using at = directory();
    const disk: { free: number } = { free: 100 * MB };
    const { database, reserve } = reserveOn(join(at.path, 'd.db'), disk);
    reserve.release();
    const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count']);
    database.exec('CREATE TABLE others (bytes BLOB)');
    database.exec(`INSERT INTO others VALUES (zeroblob(${ROOM.reserveBytes}))`);
    // A quota, which the file system does not count as used space.
    database.exec(`PRAGMA max_page_count = ${pages}`);
    expect(reserve.look()).toBe('reserve');
    database.exec('PRAGMA max_page_count = 1000000');
    for (let count = 0; count < 100; count += 1) expect(reserve.look()).toBe('reserve');
    expect(reserve.look()).toBe('ample');
    database.close();
  });
});
