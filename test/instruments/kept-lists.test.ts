import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeptLists,
  type HeldList,
  type KeptLists,
} from '../../src/instruments/kept-lists.ts';
import { packList } from '../../src/instruments/packed-list.ts';
import { systemFiles, type Files } from '../../src/platform/files.ts';
import { silentLog } from '../../src/platform/log.ts';
import { atOnce } from '../../src/platform/slices.ts';
import { share } from './support/lists.ts';

let directory: string;
beforeEach(() => (directory = systemFiles.makeTemporaryDirectory('abg-lists-')));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const HELD: HeldList = {
  fetchedAt: 1_793_943_000_000,
  list: atOnce(
    packList(Array.from({ length: 2_500 }, (_, place) => share(`S${place}`, String(place)))),
  ),
};

function kept(files: Files = systemFiles, address = 'https://a.test') {
  const said: string[] = [];
  const log = {
    ...silentLog,
    warn: (message: string, { reason = '' } = {}) => void said.push(`${message}: ${reason}`),
  };
  const lists: KeptLists = createKeptLists({ files, directory, addressOf: () => address, log });
  return { lists, said };
}

const path = (): string => join(directory, 'instruments-alt.jsonl');

describe('a kept list', () => {
  it('is read as it was written', () => {
    kept().lists.write('alt', HELD);
    expect(kept().lists.read('alt')).toEqual(HELD);
  });

  it('that is not there is null, without a word', () => {
    const { lists, said } = kept();
    expect([lists.read('alt'), said]).toEqual([null, []]);
  });

  it('is one file a broker, replaced whole', () => {
    const { lists } = kept();
    lists.write('alt', HELD);
    lists.write('primary', HELD);
    lists.write('alt', { ...HELD, fetchedAt: 7 });
    expect(readdirSync(directory).sort()).toEqual([
      'instruments-alt.jsonl',
      'instruments-primary.jsonl',
    ]);
    expect(lists.read('alt')?.fetchedAt).toBe(7);
  });

  it('of another address is not used: its ids are for something else', () => {
    kept(systemFiles, 'http://127.0.0.1:9000').lists.write('alt', HELD);
    const { lists, said } = kept();
    expect(lists.read('alt')).toBeNull();
    expect(said.join()).toContain('another address');
  });

  it('that others may write is not used', () => {
    const { lists, said } = kept();
    lists.write('alt', HELD);
    chmodSync(path(), 0o666);
    expect([lists.read('alt'), said.length]).toEqual([null, 1]);
  });
});

describe('a file that is broken', () => {
  const lines = (text: string): string[] => text.split('\n');
  const header = (change: Record<string, unknown>) => (text: string) => {
    const [first = '', ...others] = lines(text);
    return [JSON.stringify({ ...JSON.parse(first), ...change }), ...others].join('\n');
  };

  it.each<[string, (text: string) => string]>([
    ['cut within a line', (text) => text.slice(0, -100)],
    ['cut after a line', (text) => `${lines(text).slice(0, 2).join('\n')}\n`],
    ['cut after its first line', (text) => `${lines(text)[0]}\n`],
    ['without its last line feed', (text) => text.slice(0, -1)],
    ['with one character changed', (text) => text.replace('"S77"', '"S78"')],
    [
      'with two lines in another order',
      (text) => {
        const [first, one, two, ...others] = lines(text);
        return [first, two, one, ...others].join('\n');
      },
    ],
    ['empty', () => ''],
    ['not JSON', () => 'instruments\n'],
    ['zeros, as after a power loss', (text) => '\0'.repeat(text.length)],
    ['of another version', header({ version: 2 })],
    ['of another format', header({ format: 'token' })],
    ['of another broker', header({ broker: 'primary' })],
    ['without a time', header({ fetchedAt: null })],
    ['without a count', header({ count: 0 })],
  ])('is ignored, said, and replaced by the next: %s', (_how, broken) => {
    const { lists, said } = kept();
    lists.write('alt', HELD);
    writeFileSync(path(), broken(readFileSync(path(), 'utf8')));
    expect(lists.read('alt')).toBeNull();
    expect(said).toHaveLength(1);
    lists.write('alt', HELD);
    expect(lists.read('alt')).toEqual(HELD);
  });

  it('is ignored too when it is a directory', () => {
    mkdirSync(path());
    const { lists, said } = kept();
    expect([lists.read('alt'), said.length]).toEqual([null, 1]);
  });
});

describe('a write', () => {
  it('on a full disk is said, throws nothing, and leaves the last file', () => {
    const full: Files = {
      ...systemFiles,
      replacePrivate() {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      },
    };
    kept().lists.write('alt', HELD);
    const { lists, said } = kept(full);
    lists.write('alt', { ...HELD, fetchedAt: 7 });
    expect(said.join()).toContain('ENOSPC');
    expect(lists.read('alt')).toEqual(HELD);
  });

  it('that was killed half way leaves the last file: what it had begun is not read', () => {
    const { lists } = kept();
    lists.write('alt', HELD);
    const text = readFileSync(path(), 'utf8');
    writeFileSync(
      join(directory, '.instruments-alt.jsonl.4711.0a1b2c3d.tmp'),
      text.slice(0, text.length / 2),
    );
    expect(lists.read('alt')).toEqual(HELD);
  });
});
