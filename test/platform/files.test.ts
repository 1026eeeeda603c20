import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileWriteError, systemFiles as files, UnsafeFileError } from '../../src/platform/files.ts';

let directory: string;
beforeEach(() => (directory = files.makeTemporaryDirectory('abg-files-')));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;
const inside = (name: string): string => join(directory, name);

describe('replacing a private file', () => {
  it('creates a file that only its owner may read and write', () => {
    files.replacePrivate(inside('a'), 'secret');
    expect(files.read(inside('a'))).toBe('secret');
    expect(modeOf(inside('a'))).toBe(0o600);
  });

  it('makes a file private that was not', () => {
    writeFileSync(inside('a'), 'old', { mode: 0o644 });
    files.replacePrivate(inside('a'), 'new');
    expect([files.read(inside('a')), modeOf(inside('a'))]).toEqual(['new', 0o600]);
  });

  it('leaves no other file in the directory', () => {
    for (const content of ['one', 'two', 'three']) files.replacePrivate(inside('a'), content);
    expect(readdirSync(directory)).toEqual(['a']);
  });

  it('leaves the old file, and no other, when it fails', () => {
    mkdirSync(inside('a'));
    writeFileSync(inside('a/within'), 'old');
    const replacing = (): void => files.replacePrivate(inside('a'), 'new');
    expect(replacing).toThrow(FileWriteError);
    expect(replacing).toThrow(`${inside('a')} cannot be written`);
    expect([readdirSync(directory), files.read(inside('a/within'))]).toEqual([['a'], 'old']);
  });

  it('fails when the directory does not exist', () => {
    expect(() => files.replacePrivate(inside('none/a'), 'x')).toThrow(/ENOENT/);
  });
});

describe('reading a private file', () => {
  it.each([0o640, 0o604, 0o620, 0o602, 0o644, 0o666])('refuses a file of mode %o', (mode) => {
    files.replacePrivate(inside('a'), 'secret');
    chmodSync(inside('a'), mode);
    expect(() => files.readPrivate(inside('a'))).toThrow(UnsafeFileError);
  });

  it('says how to make the file private, and nothing about its content', () => {
    writeFileSync(inside('a'), 'secret');
    chmodSync(inside('a'), 0o644);
    const refusal = (): unknown => files.readPrivate(inside('a'));
    expect(refusal).toThrow(/mode 644.*chmod 600/);
    expect(refusal).not.toThrow(/secret/);
  });

  it.each([0o600, 0o400, 0o700])('accepts a file of mode %o', (mode) => {
    files.replacePrivate(inside('a'), 'secret');
    chmodSync(inside('a'), mode);
    expect(files.readPrivate(inside('a'))).toBe('secret');
  });

  it('distinguishes a missing file from an empty one', () => {
    files.replacePrivate(inside('empty'), '');
    expect([files.readPrivate(inside('none')), files.readPrivate(inside('empty'))]).toEqual([
      null,
      '',
    ]);
  });

  it('does not report an unreadable file as missing', () => {
    mkdirSync(inside('a'));
    expect(() => files.read(inside('a'))).toThrow(/EISDIR/);
  });
});

describe('what is no file', () => {
  const LINK = 'a symbolic link';
  const PIPE = 'a pipe';
  const makers: Record<string, (path: string) => void> = {
    [LINK]: (path) => {
      writeFileSync(inside('target'), 'old', { mode: 0o600 });
      symlinkSync(inside('target'), path);
    },
    'a link to nothing': (path) => symlinkSync(inside('nothing'), path),
    [PIPE]: (path) => void execFileSync('mkfifo', ['-m', '600', path]),
  };

  // A read that waited for a pipe would stop this process, and with it every time-out of the tests.
  it.each(Object.keys(makers))('is refused at once when it is read: %s', (kind) => {
    makers[kind]?.(inside('a'));
    expect(() => files.read(inside('a'))).toThrow(UnsafeFileError);
    expect(() => files.readPrivate(inside('a'))).toThrow(UnsafeFileError);
  });

  it.each(Object.keys(makers))('is refused in a directory: %s', (kind) => {
    mkdirSync(inside('sub'));
    writeFileSync(inside('b'), '');
    files.checkDirectory(directory);
    makers[kind]?.(inside('a'));
    expect(() => files.checkDirectory(directory)).toThrow(new RegExp(`${inside('a')} is .*remove`));
  });

  it('may be a file that the user names, if it is a link', () => {
    makers[LINK]?.(inside('a'));
    expect(files.readNamed(inside('a'))).toEqual({ content: 'old', isPrivate: true });
    chmodSync(inside('target'), 0o640);
    expect(files.readNamed(inside('a'))).toEqual({ content: 'old', isPrivate: false });
    expect(files.readNamed(inside('none'))).toBeNull();
  });
});

describe('a private directory', () => {
  it('is created with its parents, for its owner only', () => {
    files.makePrivateDirectory(inside('deep/data'));
    expect(modeOf(inside('deep/data'))).toBe(0o700);
    expect(modeOf(inside('deep'))).toBe(0o700);
  });

  it('is made private when others could open it', () => {
    mkdirSync(inside('data'), { mode: 0o755 });
    chmodSync(inside('data'), 0o755);
    files.makePrivateDirectory(inside('data'));
    expect(modeOf(inside('data'))).toBe(0o700);
  });

  it('is not created where a file of that name exists', () => {
    writeFileSync(inside('data'), '');
    expect(() => files.makePrivateDirectory(inside('data'))).toThrow();
  });

  it.runIf(process.platform === 'linux')('that cannot be made is told, also below /proc', () => {
    expect(() => files.makePrivateDirectory('/proc/no-such/data')).toThrow('ENOENT');
  });

  it('is not made below a file', () => {
    writeFileSync(inside('a-file'), '');
    expect(() => files.makePrivateDirectory(inside('a-file'))).toThrow();
    expect(() => files.makePrivateDirectory(inside('a-file/data'))).toThrow();
  });

  it('under the host’s temporary directory is private as well', () => {
    expect(modeOf(directory)).toBe(0o700);
  });
});

describe('removing a file', () => {
  it('succeeds when the file does not exist', () => {
    files.replacePrivate(inside('a'), 'x');
    files.remove(inside('a'));
    files.remove(inside('a'));
    expect(existsSync(inside('a'))).toBe(false);
  });
});
