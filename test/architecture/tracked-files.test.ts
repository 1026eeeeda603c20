import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/cruise.ts';

const NOT_OURS = new Set(['.git', '.env', 'node_modules', 'coverage', 'data']);

/** What git tracks, or would with the next `git add`. Without git, whatever is not generated. */
function trackedFiles(): string[] {
  try {
    const listed = execFileSync(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    // A checkout inside another repository that ignores it has nothing listed.
    if (listed !== '') return listed.split('\0').filter((name) => name !== '');
  } catch {
    // No git, or no repository.
  }
  return walk('');
}

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !NOT_OURS.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [path];
    });
}

/** Paths and hosts that exist on one machine only. */
const tells = [
  // A user's or a build's directory, but not the path of a URL.
  /(?<![\w.:/-])\/(?:home|root|work|workspace|Users)\/[\w.-]+/,
  /\b[A-Z]:\\Users\\/,
  // The registry that packages were downloaded from.
  /\bregistry\.(?:[\w-]+\.)*(?:org|com|net|io|dev|cn|local|internal)\b/i,
  /\bregistry\s*=\s*https?:/,
  /"resolved": "https?:/,
];

function tellsIn(text: string): string[] {
  return tells.flatMap((tell) => tell.exec(text)?.[0] ?? []);
}

describe('a tracked file', () => {
  it('reveals nothing about the machine it was written on', () => {
    // A tracked file may be deleted on the disk, or be a link.
    const files = trackedFiles().filter((path) => {
      const full = join(root, path);
      return existsSync(full) && statSync(full).isFile();
    });
    expect(files).toContain('package-lock.json');
    expect(files.length).toBeGreaterThan(100);
    const telling = files.flatMap((path) =>
      tellsIn(readFileSync(join(root, path), 'utf8')).map((found) => `${path}: ${found}`),
    );
    expect(telling).toEqual([]);
  });

  it('is caught when it does', () => {
    // The texts are joined here, or this file itself would be caught.
    const path = ['', 'home', 'someone', 'gateway'].join('/');
    expect(tellsIn(`cd ${path} && npm test`)).toEqual([['', 'home', 'someone'].join('/')]);
    expect(tellsIn(`"${['', 'root', '.npm'].join('/')}"`)).toHaveLength(1);
    expect(tellsIn(['https://registry', 'example', 'org/zod'].join('.'))).toHaveLength(1);
    expect(tellsIn(`registry=${'http'}://127.0.0.1:1`)).toHaveLength(1);
    expect(tellsIn(`"resolved": "${'https'}://packages.example/zod.tgz"`)).toHaveLength(1);
  });

  it('may name a URL, a relative path, and the registry of the instruments', () => {
    for (const text of [
      'https://example.com/home/page',
      './work/notes',
      'the registry. Then',
      'a/root/b',
      'registry.entries.map(one)',
    ]) {
      expect(tellsIn(text)).toEqual([]);
    }
  });
});
