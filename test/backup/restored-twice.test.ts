import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup, type MadeBackup } from '../../src/backup/backup.ts';
import { restoreBackup, type Restored } from '../../src/backup/restore.ts';
import { createDataLock } from '../../src/platform/data-lock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { loggedInRig, place, RESTING } from '../path/walk.ts';
import type { Rig } from '../support/rig.ts';

let target: string;
beforeEach(() => {
  target = mkdtempSync(join(tmpdir(), 'abg-twice-'));
});
afterEach(() => rmSync(target, { recursive: true, force: true }));

const back = ({ dataDirectory, time }: Rig): MadeBackup =>
  makeBackup({ dataDirectory, target, files: systemFiles, clock: time, version: '1.2.3' });

const restore = (rig: Rig, source: string): Restored =>
  restoreBackup({
    ...{ source, dataDirectory: rig.dataDirectory, files: systemFiles, clock: rig.time },
    lockData: createDataLock(systemFiles),
  });

/** Starts the gateway with the accepted journal, so that the rig can end. */
async function accept(rig: Rig, lastEvent: string): Promise<void> {
  const { environment } = rig;
  await rig.restart({
    ...environment,
    get: (name) => (name === 'APP_ACCEPT_JOURNAL_AT' ? lastEvent : environment.get(name)),
  });
}

const stop = (rig: Rig): Promise<void> =>
  rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));

describe('a backup that is older than the journal', () => {
  it('still has to be accepted where it is restored a second time, since the start was refused', async () => {
    await using rig = await loggedInRig();
    const { path, manifest } = back(rig);
    await place(rig, RESTING, 'since');
    await stop(rig);
    expect(restore(rig, path).mayLackOrders).toBe(true);
    await expect(rig.restart()).rejects.toThrow('APP_ACCEPT_JOURNAL_AT');
    // "Put the missing files back", says the refusal: so a person restores once more.
    await rig.time.advance(1_000);
    const again = restore(rig, path);
    expect(again.mayLackOrders).toBe(true);
    await expect(rig.restart()).rejects.toThrow(`APP_ACCEPT_JOURNAL_AT=${manifest.lastEvent}`);
    await accept(rig, String(manifest.lastEvent));
  });

  it('still has to be accepted where the first restore was cut off behind the journal', async () => {
    await using rig = await loggedInRig();
    const { path, manifest } = back(rig);
    await place(rig, RESTING, 'since');
    await stop(rig);
    // What makes the copying end behind journal.db, as a full disk does.
    rmSync(join(rig.dataDirectory, 'paper.db'));
    mkdirSync(join(rig.dataDirectory, 'paper.db'));
    expect(() => restore(rig, path)).toThrow('paper.db exists');
    rmSync(join(rig.dataDirectory, 'paper.db'), { recursive: true });
    await rig.time.advance(1_000);
    // "Run it again" (docs/operations.md, "Backups").
    expect(restore(rig, path).mayLackOrders).toBe(true);
    await expect(rig.restart()).rejects.toThrow('APP_ACCEPT_JOURNAL_AT');
    await accept(rig, String(manifest.lastEvent));
  });
});
