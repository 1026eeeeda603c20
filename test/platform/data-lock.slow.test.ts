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
  it('can be locked by one process only', () => {
    const held = lock(directory);
    expect(() => lock(directory)).toThrow(DataLockError);
    held.release();
  });

  it('names the holder in the error', () => {
    const held = lock(directory);
    expect(() => lock(directory)).toThrow(`in use by process ${process.pid}`);
    held.release();
  });

  it('reports a holder also when the file that names it is missing', () => {
    const held = lock(directory);
    files.remove(join(directory, 'gateway.pid'));
    expect(() => lock(directory)).toThrow('in use by another process');
    held.release();
  });

  it('is for the user that made it, and free for that one after a refusal of another', () => {
    const madeBy = (user: number) =>
      createDataLock(files, (path) => (path.endsWith('gateway.lock') ? 1_000 : user));
    const [own, root] = [madeBy(1_000), madeBy(0)];
    own(directory).release();
    expect(() => root(directory)).toThrow('is run by user 1000, and this is user 0');
    const held = own(directory);
    // Whoever asks hears first that a gateway runs: the command of keys then asks it.
    expect(() => root(directory)).toThrow('in use by process');
    held.release();
    expect(readdirSync(directory)).toEqual(['gateway.lock']);
  });

  it('is free again after one release, however often the lock was refused before', () => {
    const held = lock(directory);
    for (let tries = 0; tries < 3; tries += 1) expect(() => lock(directory)).toThrow();
    held.release();
    lock(directory).release();
  });

  it('is free when only the file that names a holder is left', () => {
    files.replacePrivate(join(directory, 'gateway.pid'), '1\n');
    lock(directory).release();
  });

  it('keeps no file that names a former holder', () => {
    lock(directory).release();
    expect(files.read(join(directory, 'gateway.pid'))).toBeNull();
  });

  it('is not reported as in use when the lock file itself is broken', () => {
    const path = join(directory, 'gateway.lock');
    writeFileSync(path, 'no lock of ours, and long enough to be looked at '.repeat(40));
    expect(() => lock(directory)).toThrow(DataLockError);
    expect(() => lock(directory)).toThrow(`${path} cannot be taken: file is not a database`);
    rmSync(path);
    mkdirSync(path);
    expect(() => lock(directory)).toThrow(`${path} cannot be taken`);
  });

  it('loses the half-written files of a killed process, and no others', () => {
    const others = ['journal.db', 'token.json', '.note', 'my.tmp', '.token.json.12.tmp'];
    for (const name of [...others, '.token.json.4711.0a1b2c3d.tmp', '.callers.json.1.ffffffff.tmp'])
      writeFileSync(join(directory, name), 'x');
    lock(directory).release();
    expect(readdirSync(directory).sort()).toEqual([...others, 'gateway.lock'].sort());
  });

  it('is not cleaned up by a process that does not get the lock', () => {
    const held = lock(directory);
    const underWay = join(directory, `.token.json.${process.pid}.0a1b2c3d.tmp`);
    writeFileSync(underWay, 'x');
    expect(() => lock(directory)).toThrow(DataLockError);
    expect(files.read(underWay)).toBe('x');
    held.release();
  });

  it('is locked on a full disk too, where the file that names the holder cannot be written', () => {
    const full = createDataLock({
      ...files,
      replacePrivate() {
        throw new Error('ENOSPC: no space left on device');
      },
    });
    const held = full(directory);
    expect(() => lock(directory)).toThrow('in use by another process');
    held.release();
    lock(directory).release();
  });

  it('goes to one of two processes that ask at the same moment', async () => {
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

  it('does not lock another directory', () => {
    const other = files.makeTemporaryDirectory('abg-lock-');
    const held = [lock(directory), lock(other)];
    for (const each of held) each.release();
    rmSync(other, { recursive: true });
  });
});
