import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../src/platform/files.ts';
import { openTokenFile } from '../../src/token-store/token-file.ts';
import { numberIn } from './numbered-tokens.ts';

const WRITER = fileURLToPath(new URL('write-tokens.ts', import.meta.url));
const KILLS = 220;
const LONGEST_MS = 25;

/** Lets a process write tokens for a moment, and kills it. */
async function writeAndKill(path: string): Promise<void> {
  const child = spawn(process.execPath, [WRITER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('the writer ended by itself'))),
  ]);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_MS));
  child.kill('SIGKILL');
  const [, signal] = (await ended) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
}

/** Kills writers of one file, one after the other; gives how many left a temporary file behind. */
async function killWriters(path: string, directory: string, kills: number): Promise<number> {
  let number = 0;
  let cutShort = 0;
  for (let count = 0; count < kills; count += 1) {
    await writeAndKill(path);
    const now = numberIn(readFileSync(path, 'utf8'));
    // What was said to be saved is saved: numbers never go back, and each life wrote one at least.
    expect(now).toBeGreaterThan(number);
    number = now;
    expect(openTokenFile(systemFiles, path).content().token?.obtainedAt).toBe(number);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const left = readdirSync(directory).filter((file) => file.endsWith('.tmp'));
    for (const file of left) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    systemFiles.removeLeftovers(directory);
    expect(readdirSync(directory)).toEqual([basename(path)]);
    cutShort += left.length;
  }
  return cutShort;
}

describe('the token file', () => {
  it('is whole, private and never an older one, whenever its writer is killed', async () => {
    const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'abg-token-')));
    try {
      const cutShort = await Promise.all(
        directories.map((directory) =>
          killWriters(join(directory, 'token.json'), directory, KILLS / directories.length),
        ),
      );
      // Otherwise no kill has struck within a write, and nothing has been shown.
      expect(cutShort.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(KILLS / 20);
    } finally {
      for (const directory of directories) rmSync(directory, { recursive: true, force: true });
    }
  });
});
