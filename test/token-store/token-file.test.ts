import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFiles, UnsafeFileError } from '../../src/platform/files.ts';
import { TokenFileError } from '../../src/token-store/token-file.ts';
import { PATH, token, machine } from './support/machine.ts';

describe('the file', () => {
  const onDisk = (test: (path: string) => void) => {
    const directory = mkdtempSync(join(tmpdir(), 'token-store-'));
    try {
      test(join(directory, 'token.json'));
    } finally {
      rmSync(directory, { recursive: true });
    }
  };

  it('is readable by its owner only, and is read back', () => {
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
  ])('is named in the error and left unchanged when it holds %s', (_what, content) => {
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

  it('is written through a temporary file of its own in each of two stores', () => {
    machine().start().store.markDead('mine');
    expect(machine({ configuration: 'mine' }).start().read()).not.toBeNull();
  });
});
