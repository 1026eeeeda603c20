import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/callers/caller.ts';
import { createCallers, type Callers } from '../../src/callers/callers.ts';
import { systemFiles, type Files } from '../../src/platform/files.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { silentLog, type Log } from '../../src/platform/log.ts';
import { Secret, sha256 } from '../../src/platform/secret.ts';
import { VirtualTime } from '../support/virtual-time.ts';

let directory: string;
let path: string;
let adminKeyPath: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'callers-'));
  path = join(directory, 'callers.json');
  adminKeyPath = join(directory, 'admin-key');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function start(options: { adminKey?: Secret; files?: Files; log?: Log } = {}): Callers {
  return createCallers({
    files: options.files ?? systemFiles,
    ids: systemIds,
    clock: new VirtualTime('2026-11-23T04:00:00Z'),
    path,
    adminKeyPath,
    adminKey: options.adminKey ?? null,
    log: options.log ?? silentLog,
  });
}

const told = (): string => readFileSync(adminKeyPath, 'utf8').trim();
const as = ({ id, name, scope, broker, mode }: Caller): Caller => ({
  ...{ id, name, scope, broker, mode },
});
const bearer = (key: string): string => `Bearer ${key}`;

describe('the admin key', () => {
  it('is created at the first start with 256 random bits, and written to a private file', () => {
    const callers = start();
    expect(told()).toMatch(/^abg_[0-9a-f]{64}$/);
    expect(statSync(adminKeyPath).mode & 0o777).toBe(0o600);
    expect(callers.authenticate(bearer(told()))).toEqual({
      id: 'admin',
      name: 'admin',
      scope: 'admin',
      broker: null,
      mode: null,
    });
  });

  it('is stored as a hash only, in a private file', () => {
    start();
    expect(readFileSync(path, 'utf8')).not.toContain(told().slice(4));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is valid after another start too, and is written out once', () => {
    start();
    const key = told();
    rmSync(adminKeyPath);
    const callers = start();
    expect(existsSync(adminKeyPath)).toBe(false);
    expect(callers.authenticate(bearer(key))?.scope).toBe('admin');
  });

  it('is written out before its hash is stored, so that a stop in between locks nobody out', () => {
    const full: Files = {
      ...systemFiles,
      replacePrivate(file, content) {
        if (file === path) throw new Error('no space left');
        systemFiles.replacePrivate(file, content);
      },
    };
    expect(() => start({ files: full })).toThrow('no space left');
    const callers = start();
    expect(callers.authenticate(bearer(told()))?.id).toBe('admin');
  });

  it('is not in the log', () => {
    const lines: unknown[] = [];
    const log: Log = { ...silentLog, warn: (...line) => void lines.push(line) };
    start({ log });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain(told());
  });

  it('is the one of the settings, if there is one, and nothing is written', () => {
    const callers = start({ adminKey: new Secret('the-owners-own-admin-key') });
    expect(callers.authenticate(bearer('the-owners-own-admin-key'))?.id).toBe('admin');
    expect(existsSync(path)).toBe(false);
    expect(existsSync(adminKeyPath)).toBe(false);
  });

  it('is no longer valid once the settings have another', () => {
    start();
    const callers = start({ adminKey: new Secret('the-owners-own-admin-key') });
    expect(callers.authenticate(bearer(told()))).toBeNull();
    expect(callers.list()).toHaveLength(1);
  });

  it('can be rotated, but not removed', () => {
    const callers = start();
    const old = told();
    const { key } = callers.rotate('admin');
    expect(callers.authenticate(bearer(old))).toBeNull();
    expect(callers.authenticate(bearer(key.reveal()))?.id).toBe('admin');
    expect(told()).toBe(key.reveal());
    expect(() => callers.revoke('admin')).toThrow('only be rotated');
  });
});

describe('a further key', () => {
  it('is valid with its scope, after another start too', () => {
    const { caller, key } = start().add({ name: 'dashboard', scope: 'read' });
    expect(caller).toMatchObject({ name: 'dashboard', scope: 'read' });
    expect(start().authenticate(bearer(key.reveal()))).toEqual(as(caller));
  });

  it('keeps its identity when its secret is rotated', () => {
    const callers = start();
    const { caller, key } = callers.add({ name: 'bot', scope: 'trade' });
    const rotated = callers.rotate(caller.id);
    expect(rotated.caller.id).toBe(caller.id);
    expect(callers.authenticate(bearer(key.reveal()))).toBeNull();
    expect(callers.authenticate(bearer(rotated.key.reveal()))).toEqual(as(caller));
  });

  it('can be confined to a broker and a mode, after another start too', () => {
    const confined = { broker: 'alt', mode: 'live' } as const;
    const { key } = start().add({ name: 'bot', scope: 'trade', ...confined });
    expect(start().authenticate(bearer(key.reveal()))).toMatchObject(confined);
  });

  it('is not valid once revoked, and its record stays', () => {
    const callers = start();
    const { caller, key } = callers.add({ name: 'bot', scope: 'trade' }, 'admin');
    callers.revoke(caller.id, 'key_1');
    expect(callers.authenticate(bearer(key.reveal()))).toBeNull();
    expect(start().list()[1]).toMatchObject({
      ...{ id: caller.id, name: 'bot', createdBy: 'admin', revokedBy: 'key_1' },
      revokedAt: Date.parse('2026-11-23T04:00:00Z'),
    });
    expect(readFileSync(path, 'utf8')).not.toContain(sha256(key.reveal()));
    expect(() => callers.rotate(caller.id)).toThrow('was revoked');
    expect(() => callers.revoke(caller.id)).toThrow('was revoked');
  });

  it('needs a name that no other valid key has', () => {
    const callers = start();
    const { caller } = callers.add({ name: 'bot', scope: 'trade' });
    expect(() => callers.add({ name: 'bot', scope: 'read' })).toThrow(`${caller.id} has the name`);
    expect(() => callers.add({ name: 'admin', scope: 'read' })).toThrow('has the name admin');
    callers.revoke(caller.id);
    expect(callers.add({ name: 'bot', scope: 'read' }).caller.name).toBe('bot');
  });

  it('needs a printable name and an existing id', () => {
    const callers = start();
    expect(() => callers.add({ name: '', scope: 'read' })).toThrow('1 to 64 printable');
    expect(() => callers.add({ name: 'a\nb', scope: 'read' })).toThrow('1 to 64 printable');
    expect(() => callers.rotate('key_x')).toThrow('no key has the id');
    expect(() => callers.revoke('key_x')).toThrow('no key has the id');
  });

  it('does not exist when it could not be stored', () => {
    let full = false;
    const files: Files = {
      ...systemFiles,
      replacePrivate(file, content) {
        if (full) throw new Error('no space left');
        systemFiles.replacePrivate(file, content);
      },
    };
    const callers = start({ files });
    full = true;
    expect(() => callers.add({ name: 'bot', scope: 'trade' })).toThrow('no space left');
    expect(callers.list()).toHaveLength(1);
  });
});

describe('authentication', () => {
  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer abg_wrong',
    'Basic YWRtaW46YWRtaW4=',
    'Bearer two keys',
    `Bearer ${'x'.repeat(5000)}`,
  ])('refuses %s', (header) => {
    expect(start().authenticate(header)).toBeNull();
  });

  it('does not accept the hash as the key', () => {
    const callers = start();
    const hash = /"sha256": "(\w+)"/.exec(readFileSync(path, 'utf8'))?.[1];
    expect(hash).toBeDefined();
    expect(callers.authenticate(bearer(hash!))).toBeNull();
  });
});

describe('the file of keys', () => {
  it('is refused with a key for paper that names no account: its exits would be real', () => {
    start().add({ name: 'rehearsal', scope: 'trade', broker: 'paper', mode: 'paper' });
    const good = readFileSync(path, 'utf8');
    const changed = good.replace('"broker": "paper"', '"broker": null');
    writeFileSync(path, changed, { mode: 0o600 });
    expect(() => start()).toThrow(/the key rehearsal is for paper and names no account/);
    expect(readFileSync(path, 'utf8')).toBe(changed);
  });

  it('is refused when others can read it', () => {
    start();
    chmodSync(path, 0o644);
    expect(() => start()).toThrow('chmod 600');
  });

  it('of the first version is read, and is written as the second at the next change', () => {
    const hash = sha256('abg_of-the-first-version');
    const first = {
      ...{ id: 'key_1', name: 'bot', scope: 'trade', sha256: hash },
      ...{ createdAt: 1, rotatedAt: null },
    };
    writeFileSync(path, JSON.stringify({ version: 1, callers: [first] }), { mode: 0o600 });
    const callers = start({ adminKey: new Secret('the-owners-own-admin-key') });
    const bot = { id: 'key_1', name: 'bot', scope: 'trade', broker: null, mode: null };
    expect(callers.authenticate(bearer('abg_of-the-first-version'))).toEqual(bot);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 1 });
    callers.add({ name: 'other', scope: 'read' });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: 2 });
    expect(start().authenticate(bearer('abg_of-the-first-version'))).toEqual(bot);
  });

  it.each(['{', '{"version":3,"callers":[]}', '{"version":1,"callers":[{"id":"x"}]}'])(
    'is refused and left unchanged when it holds %s',
    (content) => {
      writeFileSync(path, content, { mode: 0o600 });
      expect(() => start()).toThrow('callers.json');
      expect(readFileSync(path, 'utf8')).toBe(content);
    },
  );
});
