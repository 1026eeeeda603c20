import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadEnvironmentFile } from '../../src/platform/environment.ts';

const NAME = 'APP_OF_THIS_TEST';
let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'abg-env-'));
  path = join(directory, '.env');
});
afterEach(() => {
  delete process.env[NAME];
  rmSync(directory, { recursive: true, force: true });
});

describe('a .env file', () => {
  it.each([0o640, 0o604, 0o620, 0o602, 0o644, 0o666])('of mode %o is warned of', (mode) => {
    writeFileSync(path, `${NAME}=secret-value`);
    chmodSync(path, mode);
    const warning = loadEnvironmentFile(path, () => undefined);
    expect(warning).toContain(`mode ${mode.toString(8)}`);
    expect(warning).toContain(`chmod 600 ${path}`);
    expect(warning).not.toContain('secret-value');
    expect(process.env[NAME]).toBe('secret-value');
  });

  it.each([0o600, 0o400])('of mode %o is read without a warning', (mode) => {
    writeFileSync(path, `${NAME}=of-the-file`);
    chmodSync(path, mode);
    expect(loadEnvironmentFile(path, () => undefined)).toBeNull();
    expect(process.env[NAME]).toBe('of-the-file');
  });

  it('that does not exist is no error', () => {
    expect(loadEnvironmentFile(path, () => undefined)).toBeNull();
  });

  it('that is refused sets nothing', () => {
    writeFileSync(path, `${NAME}=of-the-file`);
    const refuse = (text: string) => {
      throw new Error(`refused: ${text}`);
    };
    expect(() => loadEnvironmentFile(path, refuse)).toThrow(`refused: ${NAME}=of-the-file`);
    expect(process.env[NAME]).toBeUndefined();
  });

  it('may begin with a byte order mark', () => {
    writeFileSync(path, `\uFEFF${NAME}=of-the-file`);
    loadEnvironmentFile(path, () => undefined);
    expect(process.env[NAME]).toBe('of-the-file');
  });

  it('leaves the variables that are set already', () => {
    process.env[NAME] = 'of-the-process';
    writeFileSync(path, `${NAME}=of-the-file`);
    loadEnvironmentFile(path, () => undefined);
    expect(process.env[NAME]).toBe('of-the-process');
  });
});
