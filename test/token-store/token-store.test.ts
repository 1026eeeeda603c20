import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import { systemFiles, UnsafeFileError, type Files } from '../../src/platform/files.ts';
import { silentLog } from '../../src/platform/log.ts';
import { TokenFileError } from '../../src/token-store/token-file.ts';
import { createTokenStore, type StoredToken } from '../../src/token-store/token-store.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from './support/memory-files.ts';

const NAME = 'APP_ALT_BROKER_ACCESS_TOKEN';
const PATH = 'data/token.json';
const MORNING = Date.parse('2026-11-20T08:00:00+05:30');
const NEXT_SIX = Date.parse('2026-11-21T06:00:00+05:30');

const token = (accessToken: string, changes: Partial<StoredToken> = {}): StoredToken => ({
  accessToken,
  userId: 'AB1234',
  obtainedAt: MORNING,
  expiresAt: NEXT_SIX,
  ...changes,
});

/** A machine on which the gateway can be started more than once. */
function machine(set: { environment?: string; configuration?: string } = {}) {
  const files = memoryFiles();
  const time = new VirtualTime(MORNING);
  const errors: string[] = [];
  const start = (over: { files?: Files; path?: string; configuration?: string | null } = {}) => {
    const environment = memoryEnvironment({ [NAME]: set.environment });
    const store = createTokenStore({
      files: over.files ?? files,
      environment,
      log: { ...silentLog, error: (message) => void errors.push(message) },
      clock: time,
      path: over.path ?? PATH,
      environmentName: NAME,
      configurationToken:
        over.configuration === undefined ? (set.configuration ?? null) : over.configuration,
    });
    return { store, environment, read: () => store.read(time.now()) };
  };
  return { files, time, errors, start };
}

describe('the levels', () => {
  it('have nothing when none of them has', () => {
    expect(machine().start().read()).toBeNull();
  });

  it('let memory win over all others', () => {
    const { read, store } = machine({ environment: 'env', configuration: 'conf' }).start();
    store.save(token('mine'));
    expect(read()).toMatchObject({ accessToken: 'mine', source: 'memory', userId: 'AB1234' });
  });

  it('let the file win over environment and configuration', () => {
    const host = machine({ environment: 'env', configuration: 'conf' });
    host.start().store.save(token('mine'));
    expect(host.start().read()).toEqual({ ...token('mine'), source: 'file' });
  });

  it('let the environment win over the configuration', () => {
    const { read } = machine({ environment: 'env', configuration: 'conf' }).start();
    expect(read()).toEqual({
      accessToken: 'env',
      userId: null,
      obtainedAt: null,
      expiresAt: NEXT_SIX,
      source: 'environment',
    });
  });

  it('end with the configuration', () => {
    const { read } = machine({ configuration: ' conf ' }).start();
    expect(read()).toMatchObject({ accessToken: 'conf', source: 'configuration' });
  });

  it('take a blank setting for none', () => {
    expect(machine({ environment: '  ', configuration: '' }).start().read()).toBeNull();
  });

  it('fall through a level whose token has expired', () => {
    const host = machine({ environment: 'env' });
    host.start().store.save(token('mine', { expiresAt: MORNING - 1 }));
    expect(host.start().read()).toMatchObject({ accessToken: 'env', source: 'environment' });
  });
});

describe('expiry', () => {
  it('comes at 06:00 IST, to the millisecond', async () => {
    const { time, start } = machine({ environment: 'env' });
    const { read, store } = start();
    store.save(token('mine'));
    await time.advanceTo(NEXT_SIX - 1);
    expect(read()?.accessToken).toBe('mine');
    await time.advance(1);
    expect(read()).toBeNull();
    expect(store.lapsed(time.now())).toEqual({ userId: 'AB1234', expiredAt: NEXT_SIX });
  });

  it('of a token set by hand is counted from the start, not from each look', async () => {
    const { time, start } = machine({ configuration: 'conf' });
    const { read } = start();
    await time.advanceTo(NEXT_SIX);
    expect(read()).toBeNull();
  });

  it('is not put off by setting the same token again by hand', async () => {
    const host = machine({ environment: 'mine' });
    host.start().store.save(token('mine'));
    await host.time.advanceTo(NEXT_SIX + 1);
    expect(host.start().read()).toBeNull();
  });

  it('is known after a restart', async () => {
    const host = machine();
    host.start().store.save(token('mine'));
    await host.time.advanceTo(NEXT_SIX + 60_000);
    const { store } = host.start();
    expect(store.lapsed(host.time.now())).toEqual({ userId: 'AB1234', expiredAt: NEXT_SIX });
  });

  it('is unknown where there never was a token', () => {
    const { time, start } = machine();
    expect(start().store.lapsed(time.now())).toBeNull();
  });
});

describe('save', () => {
  it('writes the environment, too', () => {
    const { store, environment } = machine().start();
    store.save(token('mine'));
    expect(environment.get(NAME)).toBe('mine');
  });

  it('loses no login to a full disk, and says so', () => {
    const { files, errors, start } = machine();
    const { store, environment, read } = start();
    files.full = true;
    expect(store.save(token('mine'))).toMatchObject({ persisted: false });
    expect(read()).toMatchObject({ accessToken: 'mine', source: 'memory' });
    expect(environment.get(NAME)).toBe('mine');
    expect(errors).toHaveLength(1);
  });

  it('leaves the old file whole when it cannot write a new one', () => {
    const host = machine();
    const { store } = host.start();
    store.save(token('old'));
    host.files.full = true;
    store.save(token('new'));
    expect(host.start().read()).toMatchObject({ accessToken: 'old' });
  });

  it('does not take for written what the disk did not take', () => {
    const host = machine();
    const { store, read } = host.start();
    store.save(token('old'));
    host.files.full = true;
    store.save(token('new'));
    store.markDead('new');
    expect(read()).toMatchObject({ accessToken: 'old', source: 'file' });
  });

  it('brings back a token that was called dead, when the broker gives it out again', () => {
    const { store, read } = machine().start();
    store.markDead('mine');
    store.save(token('mine'));
    expect(read()?.accessToken).toBe('mine');
  });
});

describe('a token that was asked for before', () => {
  it('is another one once the environment has another', () => {
    const { read, environment } = machine({ environment: 'env' }).start();
    expect(read()).toMatchObject({ accessToken: 'env' });
    environment.set(NAME, 'other');
    expect(read()).toMatchObject({ accessToken: 'other' });
    environment.remove(NAME);
    expect(read()).toBeNull();
  });

  it('is none once it is dead, also where it stays set', () => {
    const { read, store } = machine({ configuration: 'conf' }).start();
    expect(read()).toMatchObject({ accessToken: 'conf' });
    store.markDead('conf');
    expect(read()).toBeNull();
  });

  it('is that of a login since, and none after a logout', () => {
    const { read, store } = machine({ configuration: 'conf' }).start();
    expect(read()).toMatchObject({ accessToken: 'conf' });
    store.save(token('mine'));
    expect(read()).toMatchObject({ accessToken: 'mine' });
    store.forget();
    expect(read()).toBeNull();
  });

  it('is none once its time is over', () => {
    const { read, store } = machine().start();
    store.save(token('mine', { expiresAt: NEXT_SIX }));
    expect(read()).toMatchObject({ accessToken: 'mine' });
    expect(store.read(NEXT_SIX)).toBeNull();
  });
});

describe('markDead', () => {
  it('ends the token at every level at once', () => {
    const { store, read, environment } = machine({ configuration: 'mine' }).start();
    store.save(token('mine'));
    store.markDead('mine');
    expect(read()).toBeNull();
    expect(environment.get(NAME)).toBeUndefined();
  });

  it.each(['environment', 'configuration'] as const)(
    'holds over a restart for a token of the %s',
    (level) => {
      const host = machine({ [level]: 'mine' });
      host.start().store.markDead('mine');
      expect(host.start().read()).toBeNull();
    },
  );

  it('lets a lower level with another token serve', () => {
    const { store, read } = machine({ configuration: 'other' }).start();
    store.save(token('mine'));
    store.markDead('mine');
    expect(read()).toMatchObject({ accessToken: 'other', source: 'configuration' });
  });

  it('remembers whose session ended and when, also over a restart', async () => {
    const host = machine();
    const { store } = host.start();
    store.save(token('mine'));
    await host.time.advance(5_000);
    store.markDead('mine');
    const lapsed = { userId: 'AB1234', expiredAt: MORNING + 5_000 };
    expect(store.lapsed(host.time.now())).toEqual(lapsed);
    expect(host.start().store.lapsed(host.time.now())).toEqual(lapsed);
  });

  it('keeps no dead token in the file, only its hash', () => {
    const { files, start } = machine();
    const { store } = start();
    store.save(token('mine-secret'));
    store.markDead('mine-secret');
    expect(files.contents.get(PATH)).not.toContain('mine-secret');
  });

  it('holds in this process when the file cannot be written', () => {
    const { files, start } = machine({ configuration: 'mine' });
    const { store, read } = start();
    files.full = true;
    expect(store.markDead('mine')).toMatchObject({ persisted: false });
    expect(read()).toBeNull();
  });

  it('remembers the last fifty', () => {
    const host = machine();
    const { store } = host.start();
    for (let count = 0; count < 51; count += 1) store.markDead(`token${count}`);
    expect(host.start({ configuration: 'token0' }).read()).not.toBeNull();
    expect(host.start({ configuration: 'token1' }).read()).toBeNull();
    expect(host.start({ configuration: 'token50' }).read()).toBeNull();
  });
});

describe('forget', () => {
  it('empties every level, over a restart that sets the settings again as well', () => {
    const host = machine({ environment: 'env', configuration: 'conf' });
    const { store, read, environment } = host.start();
    store.save(token('mine'));
    store.forget();
    expect(read()).toBeNull();
    expect(environment.get(NAME)).toBeUndefined();
    expect(host.start().read()).toBeNull();
  });

  it('leaves no trace of a session', () => {
    const { store } = machine().start();
    store.save(token('mine'));
    store.forget();
    expect(store.lapsed(NEXT_SIX + 1)).toBeNull();
  });
});

describe('the file', () => {
  const onDisk = (test: (path: string) => void) => {
    const directory = mkdtempSync(join(tmpdir(), 'token-store-'));
    try {
      test(join(directory, 'token.json'));
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  it('is for its owner only, and is read back', () => {
    onDisk((path) => {
      const host = machine();
      host.start({ files: systemFiles, path }).store.save(token('mine'));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(host.start({ files: systemFiles, path }).read()).toMatchObject({ source: 'file' });
    });
  });

  it('is refused, with the remedy, when others can read it', () => {
    onDisk((path) => {
      const host = machine();
      host.start({ files: systemFiles, path }).store.save(token('mine'));
      chmodSync(path, 0o644);
      const start = () => host.start({ files: systemFiles, path });
      expect(start).toThrow(UnsafeFileError);
      expect(start).toThrow(`chmod 600 ${path}`);
      expect(readFileSync(path, 'utf8')).toContain('mine');
    });
  });

  it.each([
    ['half a file', '{"version":1,"tok'],
    ['nothing', ''],
    ['a list', '[]'],
    ['another shape', '{"version":1,"token":{"accessToken":7},"lapsed":null,"deadTokens":[]}'],
    ['another version', '{"version":2,"token":null,"lapsed":null,"deadTokens":[]}'],
  ])('is named and left alone when it holds %s', (_what, content) => {
    const { files, start } = machine();
    files.contents.set(PATH, content);
    expect(() => start()).toThrow(TokenFileError);
    expect(() => start()).toThrow(PATH);
    expect(files.contents.get(PATH)).toBe(content);
  });

  it('is not quoted in the error about it', () => {
    const { files, start } = machine();
    files.contents.set(PATH, '{"accessToken":"planted-secret"');
    expect(() => start()).toThrow(/^(?!.*planted-secret)/s);
  });

  it('does not share its beginnings between two stores', () => {
    machine().start().store.markDead('mine');
    expect(machine({ configuration: 'mine' }).start().read()).not.toBeNull();
  });
});
