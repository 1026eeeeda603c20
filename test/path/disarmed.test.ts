import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBackup } from '../../src/backup/backup.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { createDataLock } from '../../src/platform/data-lock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { identifyFile } from '../../src/platform/directories.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { failingDatabase, type FailingDatabase } from '../support/failing-database.ts';
import type { Rig } from '../support/rig.ts';
import { placeTrigger, STOP } from './trigger-walk.ts';
import { BUY, cancel, loggedInRig, modify, orderOf, pinnedRig, place, RESTING } from './walk.ts';

/** The directory in which copies are made. */
let parent: string;
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'abg-copies-'))));
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const start = () => loggedInRig({ overrides: { identify: identifyFile } });
const ARM = { oldGatewayIsStopped: true };

/** Requests that could change something at a live broker. */
const sent = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => isOrderCall(method, url)).length;
const isOrderCall = (method: string, url: string): boolean =>
  method !== 'GET' && /\/(orders?|gtt|smart)\b/.test(new URL(url).pathname);

async function startOn(rig: Rig, directory: string): Promise<void> {
  const { environment } = rig;
  await rig.restart({
    ...environment,
    get: (name) => (name === 'APP_DATA_DIR' ? directory : environment.get(name)),
  });
  await rig.time.advance(2_000);
}

/** Stops the gateway, copies its directory by hand, and starts it on the copy. */
async function startOnCopy(rig: Rig): Promise<string> {
  await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
  const copy = join(parent, 'copy');
  cpSync(rig.dataDirectory, copy, { recursive: true, preserveTimestamps: true });
  await startOn(rig, copy);
  return copy;
}

describe('a data directory whose record of itself cannot be read', () => {
  it.each(['', '{"inode":"4', '[]'])(
    'reads, and sends nothing until it is armed: %j',
    async (text) => {
      await using rig = await start();
      const home = join(rig.dataDirectory, 'home.json');
      await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
      writeFileSync(home, text, { mode: 0o600 });
      await startOn(rig, rig.dataDirectory);
      const { status, body } = await place(rig, BUY, 'one');
      expect([status, body.code]).toEqual([409, 'disarmed']);
      expect(body.detail).toContain('may be a copy, because its home.json cannot be read');
      expect((await rig.get('/api/v1/positions')).status).toBe(200);
      await rig.post('/api/v1/arm', ARM);
      await startOn(rig, rig.dataDirectory);
      expect((await place(rig, BUY, 'two')).status).toBe(201);
    },
  );
});

describe('a data directory that was copied by hand', () => {
  it('sends nothing, whatever is asked, and reads', async () => {
    await using rig = await start();
    const { id } = (await place(rig, RESTING, 'one')).body.data;
    await place(rig, BUY, 'two');
    await startOnCopy(rig);
    const before = sent(rig);
    const asked = [
      await place(rig, BUY, 'three'),
      await place(rig, { ...BUY, broker: 'paper' }, 'four'),
      await modify(rig, id, { price: 1_460 }),
      await cancel(rig, id),
      await rig.post('/api/v1/orders/cancel-all', {}, { 'idempotency-key': 'five' }),
      await rig.post(
        '/api/v1/exits',
        { instrument: 'NSE:INFY', product: 'CNC' },
        { 'idempotency-key': 'six' },
      ),
      await rig.post('/api/v1/positions/close-all', {}, { 'idempotency-key': 'seven' }),
      await placeTrigger(rig, STOP, 'eight'),
    ];
    const codes = asked.map(({ status, body }) => [status, body.code, body.mayHaveExecuted]);
    // Under a key, the gateway of the original may have done it after the copy was made.
    const isKeyed = [true, true, false, false, true, true, true, true];
    expect(codes).toEqual(isKeyed.map((each) => [409, 'disarmed', each]));
    await rig.time.advance(60_000);
    expect(sent(rig)).toBe(before);
    expect((await orderOf(rig, id)).status).toBe('working');
    expect((await rig.get('/api/v1/positions')).status).toBe(200);
  });

  it('tells so where a person looks', async () => {
    await using rig = await start();
    await startOnCopy(rig);
    const { data } = (await rig.get('/api/v1/overview')).body;
    expect([data.trading, data.account, data.needs[0].what]).toEqual(['none', null, 'disarmed']);
    expect(data.sentence).toMatch(/^No: this data directory is a copy \(2026-11-06 11:\d\d IST\)/);
    const ready = (await rig.get('/health/ready')).body.data;
    expect(ready.missing[0]).toMatchObject({ what: 'new_orders' });
    expect(ready.missing[0].detail).toContain('altbroker-gateway arm');
    expect(rig.log.join('')).toContain('this data directory is a copy');
  });

  it('tells which broker has no session, and sends an order to none', async () => {
    // Nobody has logged in at Kite; the paper account would take its orders.
    await using rig = await pinnedRig({ overrides: { identify: identifyFile } });
    await startOnCopy(rig);
    const { data } = (await rig.get('/api/v1/brokers')).body;
    const alt = data.find(({ broker }: { broker: string }) => broker === 'alt');
    expect(alt.reason).toMatch(/token|log/i);
    expect(alt.reason).not.toContain('copy');
    const refused = await place(rig, BUY, 'one');
    expect([refused.status, refused.body.code]).toEqual([409, 'disarmed']);
    expect((await rig.get('/api/v1/orders?broker=paper')).body.data).toEqual([]);
  });

  it('stays so over a restart and a kill, until an admin says that the old gateway is stopped', async () => {
    await using rig = await start();
    const copy = await startOnCopy(rig);
    await rig.crash();
    await rig.time.advance(2_000);
    expect((await place(rig, BUY, 'one')).body.code).toBe('disarmed');
    await startOn(rig, copy);
    expect((await place(rig, BUY, 'one')).body.code).toBe('disarmed');

    const { key } = (await rig.post('/api/v1/keys', { name: 'bot', scope: 'trade' })).body.data;
    const asTrader = { authorization: `Bearer ${key}` };
    expect((await rig.post('/api/v1/arm', ARM, asTrader)).status).toBe(403);
    const armed = await rig.post('/api/v1/arm', ARM);
    expect(armed.body.data).toEqual({ armed: true, wasDisarmed: true });
    expect((await rig.post('/api/v1/arm', ARM)).body.data.wasDisarmed).toBe(false);
    const { data } = (await rig.get('/api/v1/events?type=gateway.armed')).body;
    expect(data).toHaveLength(1);
    expect(data[0].data).toMatchObject({ why: 'copied', by: 'admin' });
    expect((await place(rig, BUY, 'one')).body.data.broker).toBe('alt');
    await startOn(rig, copy);
    expect((await place(rig, BUY, 'two')).status).toBe(201);
  });

  it('stays so where the event of it cannot be written', async () => {
    let disk: FailingDatabase | null = null;
    await using rig = await loggedInRig({
      overrides: {
        identify: identifyFile,
        openDatabase(path) {
          if (!path.endsWith('journal.db')) return openDatabase(path);
          disk = failingDatabase(openDatabase(path));
          return disk.database;
        },
      },
    });
    await startOnCopy(rig);
    disk!.fail();
    const refused = await rig.post('/api/v1/arm', ARM);
    expect([refused.status, refused.body.code]).toEqual([503, 'journal_unavailable']);
    disk!.heal();
    expect((await place(rig, BUY, 'not yet')).body.code).toBe('disarmed');
  });

  it('goes on with no exit that was under way in the original', async () => {
    await using rig = await start();
    await place(rig, BUY, 'one');
    await rig.time.advance(5_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 140_000);
    const exit = { instrument: 'NSE:INFY', product: 'CNC' };
    const begun = await rig.post('/api/v1/exits', exit, { 'idempotency-key': 'exit' });
    expect(begun.body.data.status).toBe('running');
    await startOnCopy(rig);
    const before = sent(rig);
    await rig.time.advance(30_000);
    const [ended] = (await rig.get('/api/v1/exits')).body.data;
    expect(ended.status).toBe('stopped');
    expect(sent(rig)).toBe(before);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });
});

describe('a data directory that is not a copy', () => {
  it('is armed after a restart, a kill, a move, and a mount under another path', async () => {
    await using rig = await start();
    await rig.restart();
    await rig.crash();
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    // A rename and a mount alike keep the number of each file.
    const moved = `${rig.dataDirectory}-moved`;
    renameSync(rig.dataDirectory, moved);
    try {
      await startOn(rig, moved);
      expect((await place(rig, BUY, 'one')).body.data.broker).toBe('alt');
      expect(existsSync(join(moved, 'disarmed.json'))).toBe(false);
    } finally {
      await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
      renameSync(moved, rig.dataDirectory);
      await startOn(rig, rig.dataDirectory);
    }
  });

  it('is armed where the file system numbers its files anew at each mount, or does not know their age', async () => {
    let identity = { inode: '1', born: '10' };
    await using rig = await loggedInRig({ overrides: { identify: () => identity } });
    for (const next of [
      { inode: '2', born: '10' },
      { inode: '2', born: '0' },
    ]) {
      identity = next;
      await rig.restart();
      await rig.time.advance(2_000);
      expect((await place(rig, BUY, next.born)).status).toBe(201);
    }
    identity = { inode: '3', born: '11' };
    await rig.restart();
    expect((await place(rig, BUY, 'copy')).body.code).toBe('disarmed');
  });

  it('is armed where an older version left it, which did not say which directory it was', async () => {
    await using rig = await start();
    await rig.time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    rmSync(join(rig.dataDirectory, 'home.json'));
    await startOn(rig, rig.dataDirectory);
    expect((await place(rig, BUY, 'one')).status).toBe(201);
  });
});

describe('a data directory that was restored', () => {
  it('is disarmed from before its first file is copied, and a mark that cannot be read counts', async () => {
    await using rig = await start();
    const { dataDirectory, time } = rig;
    const files = systemFiles;
    const { path } = makeBackup({
      dataDirectory,
      target: parent,
      files,
      clock: time,
      version: '1',
    });
    expect(existsSync(join(path, 'home.json'))).toBe(false);
    await time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    const lockData = createDataLock(files);
    restoreBackup({ source: path, dataDirectory, files, lockData, clock: time });
    const mark = join(dataDirectory, 'disarmed.json');
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toMatchObject({ why: 'restored' });
    await startOn(rig, dataDirectory);
    const { body } = await place(rig, BUY, 'one');
    expect([body.code, body.detail]).toEqual([
      'disarmed',
      expect.stringContaining('restored from a backup'),
    ]);
    await time.settle(Promise.resolve(rig.composed[Symbol.asyncDispose]()));
    files.replacePrivate(mark, 'half of a');
    await startOn(rig, dataDirectory);
    expect((await place(rig, BUY, 'one')).body.code).toBe('disarmed');
  });
});
