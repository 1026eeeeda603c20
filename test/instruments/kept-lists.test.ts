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
import { atOnce } from '../../src/platform/chunks.ts';
import { contract, FakeList, share, sourceOf } from './support/lists.ts';
import { epochMs } from '../../src/units/branded.ts';

let directory: string;
beforeEach(() => (directory = systemFiles.makeTemporaryDirectory('abg-lists-')));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const HELD: HeldList = {
  fetchedAt: epochMs(1_793_943_000_000),
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

/** The only list of the alternative broker. */
const ALT = { broker: 'alt', name: null } as const;
const readAlt = (lists: KeptLists): HeldList | null =>
  lists.read('alt', [new FakeList('all', ['EQUITY'], null)]).get('all') ?? null;

const path = (): string => join(directory, 'instruments-alt.jsonl');

describe('a kept list', () => {
  it('is read as it was written', () => {
    kept().lists.write(ALT, HELD);
    expect(readAlt(kept().lists)).toEqual(HELD);
  });

  it('is null when there is no file, and nothing is logged', () => {
    const { lists, said } = kept();
    expect([readAlt(lists), said]).toEqual([null, []]);
  });

  it('has one file for each list, and replaces it as a whole', () => {
    const { lists } = kept();
    lists.write(ALT, HELD);
    lists.write({ broker: 'primary', name: 'equity' }, HELD);
    lists.write(ALT, { ...HELD, fetchedAt: epochMs(7) });
    expect(readdirSync(directory).sort()).toEqual([
      'instruments-alt.jsonl',
      'instruments-primary-equity.jsonl',
    ]);
    expect(readAlt(lists)?.fetchedAt).toBe(7);
  });

  it('is not used when it came from another address, whose ids differ', () => {
    kept(systemFiles, 'http://127.0.0.1:9000').lists.write(ALT, HELD);
    const { lists, said } = kept();
    expect(readAlt(lists)).toBeNull();
    expect(said.join()).toContain('another address');
  });

  it('is not used when other users may write the file', () => {
    const { lists, said } = kept();
    lists.write(ALT, HELD);
    chmodSync(path(), 0o666);
    expect([readAlt(lists), said.length]).toEqual([null, 1]);
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
    ['of another list', header({ list: 'fno' })],
    ['without a time', header({ fetchedAt: null })],
    ['without a count', header({ count: 0 })],
  ])('is ignored, logged, and replaced by the next list: %s', (_how, broken) => {
    const { lists, said } = kept();
    lists.write(ALT, HELD);
    writeFileSync(path(), broken(readFileSync(path(), 'utf8')));
    expect(readAlt(lists)).toBeNull();
    expect(said).toHaveLength(1);
    lists.write(ALT, HELD);
    expect(readAlt(lists)).toEqual(HELD);
  });

  it('is ignored too when it is a directory', () => {
    mkdirSync(path());
    const { lists, said } = kept();
    expect([readAlt(lists), said.length]).toEqual([null, 1]);
  });
});

describe('a write', () => {
  it('is logged on a full disk, throws nothing, and keeps the last file', () => {
    const full: Files = {
      ...systemFiles,
      replacePrivate() {
        throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      },
    };
    kept().lists.write(ALT, HELD);
    const { lists, said } = kept(full);
    lists.write(ALT, { ...HELD, fetchedAt: epochMs(7) });
    expect(said.join()).toContain('ENOSPC');
    expect(readAlt(lists)).toEqual(HELD);
  });

  it('keeps the last file when the process is killed half way', () => {
    const { lists } = kept();
    lists.write(ALT, HELD);
    const text = readFileSync(path(), 'utf8');
    writeFileSync(
      join(directory, '.instruments-alt.jsonl.4711.0a1b2c3d.tmp'),
      text.slice(0, text.length / 2),
    );
    expect(readAlt(lists)).toEqual(HELD);
  });
});

describe('a file of an earlier version, which holds all of a broker’s lists', () => {
  const { lists: LISTS } = sourceOf({ equity: null, index: null, fno: null }).source;
  const INFY = share('INFY', '1594');
  const NIFTY = share('NIFTY 50', '40000001', { segment: 'INDEX' });
  const CALL = contract('NIFTY26NOV24450CE', '51011');
  const former = (): string => join(directory, 'instruments-primary.jsonl');
  const writeFormer = (): void =>
    kept().lists.write(
      { broker: 'primary', name: null },
      { fetchedAt: HELD.fetchedAt, list: atOnce(packList([INFY, NIFTY, CALL])) },
    );
  const EACH = new Map(
    [['equity', INFY] as const, ['index', NIFTY] as const, ['fno', CALL] as const].map(
      ([name, one]) => [name, { fetchedAt: HELD.fetchedAt, list: atOnce(packList([one])) }],
    ),
  );

  it('is still used: each list takes its own part', () => {
    writeFormer();
    const { lists, said } = kept();
    expect([lists.read('primary', LISTS), said]).toEqual([EACH, []]);
  });

  it('is replaced by one file for each list', () => {
    writeFormer();
    kept().lists.read('primary', LISTS);
    expect(readdirSync(directory).sort()).toEqual([
      'instruments-primary-equity.jsonl',
      'instruments-primary-fno.jsonl',
      'instruments-primary-index.jsonl',
    ]);
    expect(kept().lists.read('primary', LISTS)).toEqual(EACH);
  });

  it('does not replace a newer list that has its own file', () => {
    const newer = { ...HELD, fetchedAt: epochMs(HELD.fetchedAt + 1) };
    kept().lists.write({ broker: 'primary', name: 'equity' }, newer);
    writeFormer();
    expect(kept().lists.read('primary', LISTS)).toEqual(new Map([...EACH, ['equity', newer]]));
  });

  it('stays, and is used, when the new files cannot be written', () => {
    writeFormer();
    const full: Files = {
      ...systemFiles,
      replacePrivate: () => {
        throw new Error('ENOSPC');
      },
    };
    expect(kept(full).lists.read('primary', LISTS)).toEqual(EACH);
    expect(readdirSync(directory)).toEqual(['instruments-primary.jsonl']);
  });

  it('is logged once and removed when it is broken', () => {
    writeFormer();
    writeFileSync(former(), readFileSync(former(), 'utf8').slice(0, -50));
    const { lists, said } = kept();
    expect([lists.read('primary', LISTS).size, said.length]).toEqual([0, 1]);
    expect(readdirSync(directory)).toEqual([]);
  });
});
