import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup, type MadeBackup } from '../../src/backup/backup.ts';
import { restoreBackup, type Restored } from '../../src/backup/restore.ts';
import { createDataLock } from '../../src/platform/data-lock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { cancel, loggedInRig, orderOf, place, placings, RESTING } from '../path/walk.ts';
import type { Environment } from '../../src/platform/environment.ts';
import type { Rig } from '../support/rig.ts';

let target: string;
beforeEach(() => {
  target = mkdtempSync(join(tmpdir(), 'abg-backups-'));
});
afterEach(() => rmSync(target, { recursive: true, force: true }));

const back = ({ dataDirectory, time }: Rig): MadeBackup =>
  makeBackup({ dataDirectory, target, files: systemFiles, clock: time, version: '1.2.3' });

const restore = (rig: Rig, source: string, dataDirectory = rig.dataDirectory): Restored =>
  restoreBackup({
    ...{ source, dataDirectory, files: systemFiles, clock: rig.time },
    lockData: createDataLock(systemFiles),
  });

/** Stops the gateway, puts a backup back, and starts it again with further settings. */
async function restored(rig: Rig, source: string, environment = rig.environment) {
  await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
  const result = restore(rig, source);
  const started = rig.restart(environment).then(
    () => null,
    (error: unknown) => String(error),
  );
  const refusal = await started;
  // What a person does next: nothing is sent on a restored directory before that.
  if (refusal === null) await rig.post('/api/v1/arm', { oldGatewayIsStopped: true });
  return { result, refusal };
}

/** The settings of a gateway, with others in their place. */
function withSettings({ environment }: Rig, more: Readonly<Record<string, string>>): Environment {
  return { ...environment, get: (name) => more[name] ?? environment.get(name) };
}

const accepting = (
  rig: Rig,
  { manifest }: MadeBackup,
  more: Readonly<Record<string, string>> = {},
) => withSettings(rig, { ...more, APP_ACCEPT_JOURNAL_AT: String(manifest.lastEvent) });

describe('a backup', () => {
  it('of a gateway that runs has its orders and keys, and neither token nor admin key', async () => {
    await using rig = await loggedInRig();
    await rig.post('/api/v1/keys', { name: 'bot', scope: 'trade' });
    const { body } = await place(rig, RESTING, 'one');
    const made = back(rig);
    const names = readdirSync(made.path);
    expect(names).toEqual(
      expect.arrayContaining(['journal.db', 'paper.db', 'callers.json', 'backup.json']),
    );
    expect(names.filter((name) => /token|admin|lock|pid|wal|shm|part/.test(name))).toEqual([]);
    // The gateway goes on, and the copy stays as it was.
    await cancel(rig, body.data.id);
    const { refusal } = await restored(rig, made.path, accepting(rig, made));
    expect(refusal).toBeNull();
    expect((await place(rig, RESTING, 'one')).body.data.id).toBe(body.data.id);
    expect(placings(rig)).toHaveLength(1);
  });

  it('of a directory into which a backup was copied by hand can be restored', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'one');
    const old = join(rig.dataDirectory, 'backup.json');
    writeFileSync(old, readFileSync(join(back(rig).path, 'backup.json')));
    await rig.time.advance(2_000);
    const made = back(rig);
    expect(made.manifest.files.map(({ name }) => name)).not.toContain('backup.json');
    // As an earlier version made it.
    const files = [...made.manifest.files, { name: 'backup.json', bytes: 1 }];
    writeFileSync(join(made.path, 'backup.json'), JSON.stringify({ ...made.manifest, files }));
    const { refusal } = await restored(rig, made.path, accepting(rig, made));
    expect(refusal).toBeNull();
  });

  it('is dated, and never replaces another one', async () => {
    await using rig = await loggedInRig();
    const { path } = back(rig);
    expect(path).toBe(join(target, 'altbroker-20261106T110002'));
    expect(() => back(rig)).toThrow('exists already');
    await rig.time.advance(1_000);
    expect(back(rig).path).toBe(join(target, 'altbroker-20261106T110003'));
  });

  it('that cannot be made leaves no directory, and says why', async () => {
    await using rig = await loggedInRig();
    const { dataDirectory, time } = rig;
    const parts = { dataDirectory, files: systemFiles, clock: time, version: '1' };
    const file = join(target, 'file');
    writeFileSync(file, '');
    expect(() => makeBackup({ ...parts, target: file })).toThrow('no backup was made');
    const broken = mkdtempSync(join(target, 'broken-'));
    writeFileSync(join(broken, 'journal.db'), 'this is no database at all');
    expect(() => makeBackup({ ...parts, dataDirectory: broken, target })).toThrow(
      'no backup was made',
    );
    expect(() => makeBackup({ ...parts, dataDirectory: target, target })).toThrow(
      'nothing to back up',
    );
    expect(readdirSync(target).filter((name) => name.startsWith('altbroker'))).toEqual([]);
  });
});

describe('a restored backup', () => {
  it('of a journal that has not gone on starts at once', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    const { path } = back(rig);
    const { mayLackOrders, keptIn } = restore(rig, path);
    await rig.restart();
    expect(mayLackOrders).toBe(false);
    expect(existsSync(join(keptIn!, 'journal.db'))).toBe(true);
    expect(await orderOf(rig, body.data.id)).toMatchObject({ clientOrderId: 'one' });
  });

  it('that is older than the journal starts only once that is accepted', async () => {
    await using rig = await loggedInRig();
    const made = back(rig);
    await place(rig, RESTING, 'since');
    const { result, refusal } = await restored(rig, made.path);
    expect(result.mayLackOrders).toBe(true);
    expect(refusal).toContain(`APP_ACCEPT_JOURNAL_AT=${made.manifest.lastEvent}`);
    await rig.restart(accepting(rig, made));
    await rig.time.advance(5_000);
    // The order since then is a row with a tag of this directory that nobody knows.
    const { body } = await rig.get('/api/v1/kill-switch');
    expect(body.data.engaged).toBe(true);
    expect(placings(rig)).toHaveLength(1);
  });

  it('in an empty directory starts only once somebody has accepted that orders may be missing', async () => {
    await using rig = await loggedInRig();
    const made = back(rig);
    const elsewhere = join(target, 'elsewhere');
    expect(restore(rig, made.path, elsewhere)).toMatchObject({ mayLackOrders: true, keptIn: null });
    const at = { APP_DATA_DIR: elsewhere };
    const accepted = accepting(rig, made, at);
    await expect(rig.restart(withSettings(rig, at))).rejects.toThrow('APP_ACCEPT_JOURNAL_AT');
    await rig.restart(accepted);
  });
});

describe('a restore that ends halfway', () => {
  it('leaves a directory on which no gateway starts: its keys would place again', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'one');
    const { path } = back(rig);
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    // The disk was lost, with the mark of its journal.
    for (const name of ['paper.db', 'journal.db', 'journal-mark.json']) {
      rmSync(join(rig.dataDirectory, name));
    }
    mkdirSync(join(rig.dataDirectory, 'paper.db'));
    expect(() => restore(rig, path)).toThrow('paper.db exists');
    rmSync(join(rig.dataDirectory, 'paper.db'), { recursive: true });
    rmSync(join(rig.dataDirectory, 'journal.db'), { force: true });
    await expect(rig.restart()).rejects.toThrow('Orders could be placed twice');
    // The same restore, made whole, a second later.
    await rig.time.advance(1_000);
    expect(restore(rig, path).mayLackOrders).toBe(true);
  });
});

describe('a restore that is refused moves nothing', () => {
  const untouched = (rig: Rig) =>
    readdirSync(rig.dataDirectory).filter((name) => name.startsWith('before-restore'));

  it('while the gateway runs', async () => {
    await using rig = await loggedInRig();
    const { path } = back(rig);
    expect(() => restore(rig, path)).toThrow('is in use by');
    expect(untouched(rig)).toEqual([]);
  });

  it('from a directory that is no backup, or is not whole', async () => {
    await using rig = await loggedInRig();
    const { path } = back(rig);
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    expect(() => restore(rig, target)).toThrow('is no backup');
    truncateSync(join(path, 'journal.db'), 8_192);
    expect(() => restore(rig, path)).toThrow(/journal\.db has 8192 bytes/);
    rmSync(join(path, 'journal.db'));
    expect(() => restore(rig, path)).toThrow(/journal\.db is missing/);
    writeFileSync(join(path, 'backup.json'), '{"files":[{"name":"../../x","bytes":1}]}');
    expect(() => restore(rig, path)).toThrow('cannot be read');
    expect(untouched(rig)).toEqual([]);
    await rig.restart();
  });
});
