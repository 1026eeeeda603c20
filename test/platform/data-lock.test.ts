import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDataLock, DataLockError } from '../../src/platform/data-lock.ts';
import { systemFiles as files } from '../../src/platform/files.ts';
import type { Contest } from './support/lock-contender.ts';

let directory: string;
beforeEach(() => (directory = files.makeTemporaryDirectory('abg-lock-')));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lock = createDataLock(files);

describe('a data directory', () => {
  it('is held once', () => {
    const held = lock(directory);
    expect(() => lock(directory)).toThrow(DataLockError);
    held.release();
  });

  it('says who holds it', () => {
    const held = lock(directory);
    expect(() => lock(directory)).toThrow(`in use by process ${process.pid}`);
    held.release();
  });

  it('says that somebody holds it also where the note of who is gone', () => {
    const held = lock(directory);
    files.remove(join(directory, 'gateway.pid'));
    expect(() => lock(directory)).toThrow('in use by another process');
    held.release();
  });

  it('is free again once released, however often it was asked for', () => {
    const held = lock(directory);
    for (let tries = 0; tries < 3; tries += 1) expect(() => lock(directory)).toThrow();
    held.release();
    lock(directory).release();
  });

  it('is not held by a note that somebody left behind', () => {
    files.replacePrivate(join(directory, 'gateway.pid'), '1\n');
    lock(directory).release();
  });

  it('keeps no note of a holder that let go', () => {
    lock(directory).release();
    expect(files.read(join(directory, 'gateway.pid'))).toBeNull();
  });

  it('is not said to be held by somebody when the lock itself is broken', () => {
    const path = join(directory, 'gateway.lock');
    writeFileSync(path, 'no lock of ours, and long enough to be looked at '.repeat(40));
    expect(() => lock(directory)).toThrow(DataLockError);
    expect(() => lock(directory)).toThrow(`${path} cannot be taken: file is not a database`);
    rmSync(path);
    mkdirSync(path);
    expect(() => lock(directory)).toThrow(`${path} cannot be taken`);
  });

  it('is cleared of what a killed process has left half written, and of nothing else', () => {
    const others = ['journal.db', 'token.json', '.note', 'my.tmp', '.token.json.12.tmp'];
    for (const name of [...others, '.token.json.4711.0a1b2c3d.tmp', '.callers.json.1.ffffffff.tmp'])
      writeFileSync(join(directory, name), 'x');
    lock(directory).release();
    expect(readdirSync(directory).sort()).toEqual([...others, 'gateway.lock'].sort());
  });

  it('is not cleared by one that does not get it', () => {
    const held = lock(directory);
    const underWay = join(directory, `.token.json.${process.pid}.0a1b2c3d.tmp`);
    writeFileSync(underWay, 'x');
    expect(() => lock(directory)).toThrow(DataLockError);
    expect(files.read(underWay)).toBe('x');
    held.release();
  });

  it('is let go when the note of who holds it cannot be written', () => {
    const full = createDataLock({
      ...files,
      replacePrivate() {
        throw new Error('ENOSPC: no space left on device');
      },
    });
    expect(() => full(directory)).toThrow('ENOSPC');
    lock(directory).release();
  });

  it('of two that ask in the same instant, one gets it', async () => {
    const directories = Array.from({ length: 200 }, (_, round) => {
      const path = join(directory, String(round));
      mkdirSync(path);
      return path;
    });
    const contest: Contest = {
      directories,
      contenders: 2,
      line: new Int32Array(new SharedArrayBuffer(4)),
      held: new Int32Array(new SharedArrayBuffer(4 * directories.length)),
    };
    const program = new URL('support/lock-contender.ts', import.meta.url);
    const exits = [1, 2].map(async () => {
      const worker = new Worker(program, { workerData: contest });
      return new Promise((resolve, reject) => {
        worker.once('error', reject).once('exit', resolve);
      });
    });
    expect(await Promise.all(exits)).toEqual([0, 0]);
    expect([...contest.held]).toEqual(directories.map(() => 1));
  });

  it('does not hold another one', () => {
    const other = files.makeTemporaryDirectory('abg-lock-');
    const held = [lock(directory), lock(other)];
    for (const each of held) each.release();
    rmSync(other, { recursive: true });
  });
});
