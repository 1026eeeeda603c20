import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compose } from '../../src/compose.ts';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { UnsafeFileError } from '../../src/platform/files.ts';
import { createPino } from '../../src/platform/log.ts';
import { createRig } from '../support/rig.ts';
import { BUY, loggedInRig, place, placings, RESTING } from './walk.ts';

describe('a data directory that was named and cannot be used', () => {
  it('stops the start: an empty journal would have forgotten which keys were used', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'abg-data-'));
    try {
      writeFileSync(join(parent, 'file'), '');
      const environment = memoryEnvironment({ APP_DATA_DIR: join(parent, 'file', 'data') });
      const starting = compose({
        environment,
        pino: createPino('silent', { write: () => undefined }),
      });
      await expect(starting).rejects.toThrow(/^APP_DATA_DIR: got .*; it takes a directory/);
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });
});

describe('a data directory with something in it that is no file', () => {
  const NAMES = ['journal.db', 'journal.db-wal', 'paper.db', 'gateway.lock', 'token.json'];

  it.each([...NAMES, 'callers.json', 'alerts.json', 'anything'])(
    'stops the start before anything is opened: %s',
    async (name) => {
      const parent = mkdtempSync(join(tmpdir(), 'abg-data-'));
      try {
        const data = join(parent, 'data');
        mkdirSync(data);
        const start = () =>
          compose({
            environment: memoryEnvironment({ APP_DATA_DIR: data }),
            pino: createPino('silent', { write: () => undefined }),
          });
        execFileSync('mkfifo', [join(data, name)]);
        await expect(start()).rejects.toThrow(UnsafeFileError);
        rmSync(join(data, name));
        symlinkSync(join(parent, 'elsewhere'), join(data, name));
        await expect(start()).rejects.toThrow(`${join(data, name)} is a symbolic link`);
      } finally {
        rmSync(parent, { recursive: true, force: true });
      }
    },
  );
});

describe('a data directory whose journal was deleted', () => {
  it('stops the start: the same key would place again', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'once');
    await rig.time.advance(6_000);
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(rig.dataDirectory, `journal.db${end}`), { force: true });
    }
    await expect(rig.restart()).rejects.toThrow(/APP_ACCEPT_JOURNAL_AT=0/);
    await rig.restart(memoryEnvironment({ ...rig.environment.all(), APP_ACCEPT_JOURNAL_AT: '0' }));
    expect((await rig.get('/health/live')).status).toBe(200);
  });
});

describe('a data directory that was restored from a backup, with its mark', () => {
  const backup = mkdtempSync(join(tmpdir(), 'abg-backup-'));
  afterAll(() => rmSync(backup, { recursive: true, force: true }));

  it('places nothing under a key that was used since: the book shows the order', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'before');
    await rig.time.advance(6_000);
    const isLock = (path: string): boolean => path.endsWith('gateway.lock');
    cpSync(rig.dataDirectory, backup, { recursive: true, filter: (path) => !isLock(path) });
    await place(rig, { ...RESTING, quantity: 7 }, 'since');
    await rig.time.advance(6_000);
    expect(placings(rig)).toHaveLength(2);
    await rig.restart(memoryEnvironment({ ...rig.environment.all(), APP_DATA_DIR: backup }));
    const again = await place(rig, { ...RESTING, quantity: 7 }, 'since');
    expect(again.body).toMatchObject({ code: 'kill_switch', mayHaveExecuted: false });
    expect(again.body.detail).toContain('restored from a backup');
    expect(placings(rig)).toHaveLength(2);
  });
});

describe('a data directory that was empty', () => {
  it('takes at most 16 MB, with the space that is kept for a full disk', async () => {
    await using rig = await createRig();
    const files = readdirSync(rig.dataDirectory);
    const bytes = files.map((name) => statSync(join(rig.dataDirectory, name)).size);
    expect(files).toContain('journal.db');
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(16 * 1024 * 1024);
  });
});
