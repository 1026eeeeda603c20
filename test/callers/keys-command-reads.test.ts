import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallers } from '../../src/callers/callers.ts';
import { type KeysCommand, runKeysCommand } from '../../src/callers/keys-command.ts';
import { createDataLock } from '../../src/platform/data-lock.ts';
import { systemFiles } from '../../src/platform/files.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { silentLog } from '../../src/platform/log.ts';
import { Secret } from '../../src/platform/secret.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const LIST = { kind: 'keys', action: 'list' } as const;
const ADD = {
  kind: 'keys',
  action: 'add',
  ...{ name: 'momentum', scope: 'trade', broker: null, mode: 'paper' },
} as const;
const ofKey = (action: 'rotate' | 'revoke' | 'release', id = 'key_x') =>
  ({ kind: 'keys', action, id }) as const;

let parent: string;
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'keys-command-'))));
afterEach(() => rmSync(parent, { recursive: true }));

const clock = new VirtualTime('2026-11-20T10:00:00+05:30');
const ports = { files: systemFiles, clock, ids: systemIds };
const run = (command: KeysCommand, dataDirectory: string, adminKey: string | null = null) =>
  runKeysCommand(command, {
    ...{ ...ports, dataDirectory, address: 'http://127.0.0.1:8420' },
    lockData: createDataLock(systemFiles),
    transport: { send: () => Promise.reject(new Error('no gateway runs')) },
    adminKey: adminKey === null ? null : new Secret(adminKey),
    brokers: [{ name: 'paper', mode: 'paper' }],
  });

/** Names, modes, times and contents of a directory, and its own. */
function stateOf(directory: string): readonly unknown[] {
  const of = (path: string) => [path, statSync(path).mode, statSync(path).mtimeMs];
  const files = readdirSync(directory).map((name) => join(directory, name));
  return [of(directory), ...files.map((path) => [...of(path), readFileSync(path, 'latin1')])];
}

describe('keys list', () => {
  it('makes nothing where there is no data directory, and says that there are no keys', async () => {
    const before = stateOf(parent);
    expect(await run(LIST, join(parent, 'data'))).toContain('has no keys yet');
    expect(JSON.parse(await run({ ...LIST, json: true }, join(parent, 'data')))).toEqual({
      data: [],
    });
    expect(stateOf(parent)).toEqual(before);
  });

  it('makes nothing in a directory that is not one of a gateway, whoever may read it', async () => {
    writeFileSync(join(parent, 'notes'), 'mine', { mode: 0o644 });
    const before = stateOf(parent);
    expect(await run(LIST, parent)).toContain('has no keys yet');
    expect(stateOf(parent)).toEqual(before);
  });

  it('shows the keys of a directory that no gateway has started on, such as a restored one', async () => {
    await run(ADD, parent);
    rmSync(join(parent, 'gateway.lock'));
    const before = stateOf(parent);
    expect(await run(LIST, parent)).toContain('momentum');
    expect(stateOf(parent)).toEqual(before);
  });

  it('makes no admin key where the one of the settings is not told to the command', async () => {
    await run(ADD, parent, 'admin-key-of-the-settings');
    expect(await run(LIST, parent)).not.toContain('admin');
    expect(readdirSync(parent)).not.toContain('admin-key');
  });
});

describe('a command for one key', () => {
  it.each([ofKey('rotate'), ofKey('revoke'), ofKey('release'), ofKey('rotate', 'admin')])(
    'makes nothing where there is no such key: %j',
    async (command) => {
      const before = stateOf(parent);
      await expect(run(command, join(parent, 'data'))).rejects.toThrow('no key has the id');
      expect(stateOf(parent)).toEqual(before);
    },
  );

  it('leaves the admin key to the first start', async () => {
    const added = await run(ADD, parent);
    const id = /key_[0-9a-f-]+/.exec(added)?.[0] ?? '';
    await run(ofKey('revoke', id), parent);
    expect(readdirSync(parent)).not.toContain('admin-key');
    createCallers({
      ...{ ...ports, log: silentLog, adminKey: null },
      ...{ path: join(parent, 'callers.json'), adminKeyPath: join(parent, 'admin-key') },
    });
    expect(await run(LIST, parent)).toContain('admin');
    expect(readdirSync(parent)).toContain('admin-key');
  });
});
