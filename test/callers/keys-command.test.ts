import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_KEY_LIMITS } from '../../src/callers/caller.ts';
import { createCallers } from '../../src/callers/callers.ts';
import {
  type KeysCommand,
  KeysCommandError,
  type KeysCommandParts,
  runKeysCommand,
} from '../../src/callers/keys-command.ts';
import { createDataLock, DataLockError } from '../../src/platform/data-lock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import type { HttpReply, HttpRequest } from '../../src/platform/http.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { Secret } from '../../src/platform/secret.ts';
import { createRig, type Rig } from '../support/rig.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const NOT_SENT: HttpReply = { kind: 'not_sent', cause: 'refused', message: 'connection refused' };
const ADD = {
  kind: 'keys',
  action: 'add',
  name: 'momentum',
  scope: 'trade',
  broker: null,
  mode: 'paper',
} as const;

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'keys-command-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function partsOf(changes: Partial<KeysCommandParts> = {}): KeysCommandParts {
  return {
    ...{ files: systemFiles, clock: new VirtualTime('2026-11-20T10:00:00+05:30'), ids: systemIds },
    lockData: createDataLock(systemFiles),
    transport: { send: async () => NOT_SENT },
    ...{ dataDirectory: directory, address: 'http://127.0.0.1:8420', adminKey: null },
    brokers: [
      { name: 'alt', mode: 'live' },
      { name: 'paper', mode: 'paper' },
    ],
    ...changes,
  };
}

/** The keys as a gateway that starts now has them. */
const callersNow = () =>
  createCallers({
    ...{
      files: systemFiles,
      ids: systemIds,
      clock: new VirtualTime('2026-11-20T10:00:00+05:30'),
      log: silentLog,
    },
    ...{ path: join(directory, 'callers.json'), adminKeyPath: join(directory, 'admin-key') },
    adminKey: null,
  });

const lastLine = (text: string): string => text.split('\n').at(-1) ?? '';
const idIn = (text: string): string => /key_[0-9a-f-]+/.exec(text)?.[0] ?? '';
const run = (command: KeysCommand, changes: Partial<KeysCommandParts> = {}) =>
  runKeysCommand(command, partsOf(changes));

describe('keys, while no gateway runs', () => {
  it('are added, rotated and revoked in the file', async () => {
    const added = await run(ADD);
    const bearer = (text: string) => `Bearer ${lastLine(text)}`;
    expect(callersNow().authenticate(bearer(added))).toMatchObject({
      ...{ name: 'momentum', scope: 'trade', broker: 'paper', mode: 'paper' },
    });
    const id = idIn(added);
    const rotated = await run({ kind: 'keys', action: 'rotate', id });
    expect(callersNow().authenticate(bearer(added))).toBeNull();
    expect(callersNow().authenticate(bearer(rotated))?.id).toBe(id);
    expect(await run({ kind: 'keys', action: 'revoke', id })).toContain('revoked');
    expect(callersNow().authenticate(bearer(rotated))).toBeNull();
    const list = await run({ kind: 'keys', action: 'list' });
    expect(list).toContain(`${id}  momentum  trade, paper only, revoked at`);
    expect(list).not.toContain(lastLine(rotated));
  });

  it('are stopped and released, and get other limits, in the file', async () => {
    const id = idIn(await run(ADD));
    const stopped = await run({ kind: 'keys', action: 'stop', id, reason: 'it misbehaves' });
    expect(stopped).toContain('stopped: it misbehaves');
    expect(
      callersNow()
        .list()
        .find((each) => each.id === id)?.stopped,
    ).toMatchObject({
      ...{ reason: 'it misbehaves', by: 'command line' },
    });
    const limits = { 'max-order-value': '50000.5', 'max-open-orders': '4' };
    const limited = await run({ kind: 'keys', action: 'limits', id, limits });
    expect(limited).toContain('limits: order value 50000.5, open orders 4');
    expect(await run({ kind: 'keys', action: 'list' })).toContain(
      '; stopped: it misbehaves; limits',
    );
    expect(await run({ kind: 'keys', action: 'release', id })).not.toContain('misbehaves');
    expect(await run({ kind: 'keys', action: 'limits', id, limits: {} })).not.toContain(
      '; limits:',
    );
    expect(
      callersNow()
        .list()
        .find((each) => each.id === id),
    ).toMatchObject({ stopped: null, limits: NO_KEY_LIMITS });
  });

  it('leave the data directory free for the next start', async () => {
    await run(ADD);
    await expect(run(ADD)).rejects.toThrow(KeysCommandError);
    createDataLock(systemFiles)(directory).release();
  });

  it.each([
    [{ ...ADD, scope: 'root' }, '--scope root: takes one of read, trade, admin'],
    [{ ...ADD, broker: 'nobody' }, '--broker nobody: takes one of alt, paper'],
    [{ ...ADD, mode: 'fast' }, '--mode fast: takes one of'],
    [{ ...ADD, broker: 'alt' }, '--mode is paper, and the broker alt is live'],
    [{ ...ADD, scope: 'admin' }, '--scope is admin, and an admin key can be confined to nothing'],
    [{ kind: 'keys', action: 'revoke', id: 'key_x' }, 'no key has the id'],
    [{ kind: 'keys', action: 'revoke', id: 'admin' }, 'the admin key can only be rotated'],
    [{ kind: 'keys', action: 'stop', id: 'key_x', reason: '' }, '--reason: takes 1 to 200'],
    [{ kind: 'keys', action: 'stop', id: 'key_x', reason: 'no' }, 'no key has the id'],
    [
      { kind: 'keys', action: 'limits', id: 'key_x', limits: { 'max-open-orders': '1.5' } },
      '--max-open-orders 1.5: takes a whole number from 1 to 999999999',
    ],
    [
      { kind: 'keys', action: 'limits', id: 'key_x', limits: { 'max-daily-loss': '0' } },
      '--max-daily-loss 0: takes a number of rupees from 1 to 1000000000000',
    ],
  ] as const)('are not changed for %j', async (command, message) => {
    const before = callersNow().list();
    await expect(run(command)).rejects.toThrow(message);
    expect(callersNow().list()).toEqual(before);
  });
});

const heldLock = (): never => {
  throw new DataLockError('in use', { isHeld: true });
};

describe('keys, while a gateway runs', () => {
  /** Carries the requests of the command to the gateway. */
  const transportTo = (rig: Rig): KeysCommandParts['transport'] => ({
    async send({ method, url, headers, body }: HttpRequest) {
      const path = new URL(url).pathname;
      const json = body === undefined ? {} : { json: JSON.parse(body) as object };
      const reply = await rig.call({ method, path, headers, ...json });
      const { status, text } = reply;
      return { kind: 'answered', status, statusText: '', headers: {}, body: text };
    },
  });
  const running = (rig: Rig, key: string | null): Partial<KeysCommandParts> => {
    // Every start leaves it in its directory.
    writeFileSync(join(directory, 'gateway.lock'), '', { mode: 0o600 });
    return {
      ...{ lockData: heldLock, transport: transportTo(rig) },
      adminKey: key === null ? null : new Secret(key),
    };
  };
  const adminKeyOf = (rig: Rig): string =>
    rig.composed.callers.add({ name: 'owner', scope: 'admin' }).key.reveal();

  it('are changed by the gateway itself, and hold at once', async () => {
    await using rig = await createRig();
    const parts = running(rig, adminKeyOf(rig));
    const added = await run(ADD, parts);
    const headers = { authorization: `Bearer ${lastLine(added)}` };
    const read = () => rig.call({ method: 'GET', path: '/api/v1/keys/me', headers });
    expect((await read()).body.data).toMatchObject({ name: 'momentum', broker: 'paper' });
    const list = await run({ kind: 'keys', action: 'list' }, parts);
    expect(list).toContain(`${idIn(added)}  momentum  trade, paper only, since`);
    await run({ kind: 'keys', action: 'revoke', id: idIn(added) }, parts);
    expect((await read()).status).toBe(401);
    await expect(run({ kind: 'keys', action: 'rotate', id: idIn(added) }, parts)).rejects.toThrow(
      'was revoked: add a new one',
    );
  });

  it('are stopped, released and limited by the gateway itself', async () => {
    await using rig = await createRig();
    const parts = running(rig, adminKeyOf(rig));
    const id = idIn(await run(ADD, parts));
    const read = async () => (await rig.get(`/api/v1/keys/${id}`)).body.data;
    await run({ kind: 'keys', action: 'stop', id, reason: 'enough' }, parts);
    expect((await read()).stopped).toMatchObject({ reason: 'enough' });
    const limits = { 'max-daily-loss': '10000' };
    const limited = await run({ kind: 'keys', action: 'limits', id, limits }, parts);
    expect(limited).toContain('; stopped: enough; limits: daily loss 10000');
    await run({ kind: 'keys', action: 'release', id }, parts);
    expect(await read()).toMatchObject({ stopped: null, limits: { maxDailyLoss: 10_000 } });
  });

  it('are printed as JSON with the same members as while none runs', async () => {
    await using rig = await createRig();
    const parts = running(rig, adminKeyOf(rig));
    const printed = async (command: KeysCommand, changes: Partial<KeysCommandParts> = {}) =>
      JSON.parse(await run({ ...command, json: true }, changes)).data;
    for (const changes of [parts, {}]) {
      const added = await printed(ADD, changes);
      const { id, key } = added;
      expect(added).toEqual({
        ...{ id: expect.stringMatching(/^key_/), name: 'momentum', scope: 'trade' },
        ...{ broker: 'paper', mode: 'paper', limits: NO_KEY_LIMITS, stopped: null },
        ...{ createdAt: expect.stringMatching(/T.*\+05:30$/), revokedAt: null },
        key: expect.stringMatching(/^abg_/),
      });
      const stop = { kind: 'keys', action: 'stop', id, reason: 'enough' } as const;
      const stopped = await printed(stop, changes);
      // The key itself is shown once.
      Reflect.deleteProperty(added, 'key');
      expect(stopped).toEqual({ ...added, stopped: { reason: 'enough' } });
      const list = await printed({ kind: 'keys', action: 'list' }, changes);
      expect(list).toContainEqual(stopped);
      expect(JSON.stringify(list)).not.toContain(key);
    }
  });

  it('are changed with the admin key of its file, where the settings have none', async () => {
    await using rig = await createRig();
    const key = adminKeyOf(rig);
    await expect(run(ADD, running(rig, null))).rejects.toThrow('APP_API_KEY');
    systemFiles.replacePrivate(join(directory, 'admin-key'), `${key}\n`);
    expect(await run(ADD, running(rig, null))).toContain('added: key_');
  });

  it('are not changed with a wrong admin key', async () => {
    await using rig = await createRig();
    await expect(run(ADD, running(rig, 'abg_wrong'))).rejects.toThrow('is not that of the gateway');
  });

  it.each([
    [NOT_SENT, 'no gateway answers at http://127.0.0.1:8420'],
    [
      { kind: 'broken', cause: 'deadline', message: 'no answer', status: null },
      'it is not known whether it was done',
    ],
    [
      { kind: 'answered', status: 200, statusText: '', headers: {}, body: '<html>' },
      'is not this gateway',
    ],
  ] as const)('are not called changed for %j', async (reply, message) => {
    const transport = { send: async () => reply };
    const parts = { lockData: heldLock, transport, adminKey: new Secret('abg_key') };
    await expect(run(ADD, parts)).rejects.toThrow(message);
    expect(systemFiles.readPrivate(join(directory, 'callers.json'))).toBeNull();
  });
});
