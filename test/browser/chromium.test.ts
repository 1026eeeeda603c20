import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChromium } from './chromium.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'abg-browser-'))));
afterEach(() => rmSync(directory, { recursive: true }));

function program(name: string): string {
  const path = join(directory, name);
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  return path;
}

describe('the browser of the tests', () => {
  it('is the one on PATH, under any of its names', () => {
    mkdirSync(join(directory, 'chromium'));
    const path = program('chromium-browser');
    expect(findChromium({ PATH: `/nowhere:${directory}` })).toBe(path);
  });

  it('is the one that was named, before all others', () => {
    program('chromium');
    const CHROMIUM_PATH = program('mine');
    expect(findChromium({ PATH: directory, CHROMIUM_PATH })).toBe(CHROMIUM_PATH);
  });

  it('is said to be missing, with how to get it, where there is none', () => {
    expect(() => findChromium({ PATH: directory })).toThrow(/apt-get install chromium/);
    expect(() => findChromium({ PATH: directory, CHROMIUM_PATH: directory })).toThrow(
      /CHROMIUM_PATH is .* no program/,
    );
  });
});
