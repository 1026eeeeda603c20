import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBackupCommand } from '../../src/backup/command.ts';
import { BUY, loggedInRig, place } from '../path/walk.ts';

let target: string;
beforeEach(() => void (target = mkdtempSync(join(tmpdir(), 'abg-backup-command-'))));
afterEach(() => rmSync(target, { recursive: true, force: true }));

const TIME = /^\d{4}-\d\d-\d\dT.*\+05:30$/;

describe('backup and restore --json', () => {
  it('print what was copied, and what the next start needs', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'one');
    const { dataDirectory } = rig;
    const run = (kind: 'backup' | 'restore', directory: string) => {
      const at = { dataDirectory, version: '1.2.3' };
      return JSON.parse(runBackupCommand({ kind, directory, json: true }, at)).data;
    };
    const made = run('backup', target);
    expect(made).toEqual({
      ...{ path: expect.stringContaining(target), version: '1.2.3' },
      ...{ madeAt: expect.stringMatching(TIME), lastEvent: expect.any(Number) },
      files: expect.arrayContaining([{ name: 'journal.db', bytes: expect.any(Number) }]),
    });
    await place(rig, BUY, 'two');
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    const restored = run('restore', made.path);
    const { madeAt, lastEvent } = made;
    expect(restored).toEqual({
      ...{ dataDirectory, madeAt, lastEvent, acceptJournalAt: lastEvent, armed: false },
      keptIn: expect.stringContaining('before-restore-'),
    });
    expect(existsSync(restored.keptIn)).toBe(true);
    await expect(rig.restart()).rejects.toThrow(`APP_ACCEPT_JOURNAL_AT=${lastEvent}`);
  });

  it('tell what they do while they do it, with the sizes of the databases', async () => {
    await using rig = await loggedInRig();
    const told: string[] = [];
    const { dataDirectory } = rig;
    const at = { dataDirectory, version: '1.2.3', tell: (line: string) => void told.push(line) };
    const made = runBackupCommand({ kind: 'backup', directory: target, json: true }, at);
    expect(told.at(-1)).toMatch(/^copying and checking journal\.db \(\d+\.\d MB\)$/);
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    told.length = 0;
    const { path } = JSON.parse(made).data;
    runBackupCommand({ kind: 'restore', directory: path, json: true }, at);
    const steps = told.filter((line) => line.includes('journal.db'));
    expect(steps.map((line) => line.replace(/\d+\.\d/, 'N'))).toEqual([
      'checking journal.db of the backup (N MB)',
      'putting journal.db back (N MB)',
    ]);
  });

  it('say nothing has to be accepted where the journal has not gone on', async () => {
    await using rig = await loggedInRig();
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    const at = { dataDirectory: rig.dataDirectory, version: '1.2.3' };
    const made = JSON.parse(
      runBackupCommand({ kind: 'backup', directory: target, json: true }, at),
    );
    const again = { kind: 'restore', directory: made.data.path, json: true } as const;
    const { data } = JSON.parse(runBackupCommand(again, at));
    expect([data.acceptJournalAt, data.armed]).toEqual([null, false]);
    await rig.restart();
  });
});
