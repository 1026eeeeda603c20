import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJournalMark } from '../../../src/execution/journal/journal-mark.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { systemFiles as files } from '../../../src/platform/files.ts';
import { systemIds } from '../../../src/platform/ids.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { AT } from '../support/makers.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'abg-mark-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const event = (sequence: number): Change => ({
  table: 'events',
  key: String(sequence),
  row: { sequence, at: AT, type: 'alert', orderId: null, data: { level: 'warning', message: 'x' } },
});

function open(directory: string, accepted: number | null = null) {
  const path = join(directory, 'journal.db');
  const database = openDatabase(path);
  const time = new VirtualTime(AT);
  const mark = createJournalMark({
    journal: createSqliteJournal(database),
    path: join(directory, 'journal-mark.json'),
    journalPath: path,
    files,
    scheduler: time,
    log: silentLog,
    ids: systemIds,
    accepted,
  });
  const check = async (): Promise<string | null> => {
    try {
      await mark.check();
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      database.close();
    }
  };
  return { mark, database, time, check };
}

/** A directory as a killed process leaves it: three events, of which the mark knows. */
async function killed(): Promise<string> {
  const { mark, database, time } = open(root);
  await mark.check();
  await mark.marked.commit([[event(1)], [event(2)], [event(3)]]);
  await time.advance(5_000);
  const left = join(root, 'left');
  for (const name of ['journal.db', 'journal.db-wal', 'journal-mark.json']) {
    cpSync(join(root, name), join(left, name));
  }
  database.close();
  return left;
}

describe('a start after a kill', () => {
  it('takes place when the journal is whole', async () => {
    expect(await open(await killed()).check()).toBeNull();
  });

  it('is refused when the journal was deleted', async () => {
    const left = await killed();
    rmSync(join(left, 'journal.db'));
    rmSync(join(left, 'journal.db-wal'));
    const refusal = await open(left).check();
    expect(refusal).toContain('ends with event 0');
    expect(refusal).toContain('event 3');
    expect(refusal).toContain('APP_ACCEPT_JOURNAL_AT=0');
  });

  it('is refused when only its write-ahead log was deleted', async () => {
    const left = await killed();
    rmSync(join(left, 'journal.db-wal'));
    expect(await open(left).check()).toContain('journal.db-wal');
  });

  it('takes place with a backup that the setting names, and only with that one', async () => {
    const left = await killed();
    rmSync(join(left, 'journal.db'));
    rmSync(join(left, 'journal.db-wal'));
    expect(await open(left, 1).check()).toContain('ends with event 0');
    expect(await open(left, 0).check()).toBeNull();
    // The mark says what there is now: a setting that is left behind does no harm.
    expect(await open(left).check()).toBeNull();
  });
});

describe('the mark of tags', () => {
  it('is the same after a restart, and in a copy of the directory', async () => {
    const left = await killed();
    const { mark } = open(left);
    expect(mark.tagMark()).toMatch(/^[0-9A-Za-z]{4}$/);
    expect(open(left).mark.tagMark()).toBe(mark.tagMark());
    cpSync(left, join(root, 'copy'), { recursive: true });
    expect(open(join(root, 'copy')).mark.tagMark()).toBe(mark.tagMark());
  });

  it('is another one in another directory', async () => {
    const marks = ['one', 'other', 'third'].map((name) => {
      mkdirSync(join(root, name));
      return open(join(root, name)).mark.tagMark();
    });
    expect(new Set(marks).size).toBe(3);
  });

  it('is made for a file of an earlier version, and the rest of the file counts', async () => {
    const left = await killed();
    for (const written of ['{"lastEvent":3}', '{"lastEvent":3,"tagMark":"?"}']) {
      writeFileSync(join(left, 'journal-mark.json'), written);
      expect(await open(left).check()).toBeNull();
      expect(files.read(join(left, 'journal-mark.json'))).toMatch(/"tagMark":"\w{4}"/);
    }
    writeFileSync(join(left, 'journal-mark.json'), '{"lastEvent":9,"tagMark":"?"}');
    expect(await open(left).check()).toContain('event 9');
  });
});

describe('the mark', () => {
  it('is written a few seconds after a commit, not with it', async () => {
    const { mark, database, time } = open(root);
    await mark.check();
    const path = join(root, 'journal-mark.json');
    const before = statSync(path).ino;
    await mark.marked.commit([[event(1)]]);
    await time.advance(4_999);
    expect(statSync(path).ino).toBe(before);
    await time.advance(1);
    expect(files.read(path)).toMatch(/^\{"lastEvent":1,"tagMark":"\w{4}"\}\n$/);
    expect(time.pending).toBe(0);
    database.close();
  });

  it('is written at a stop', async () => {
    const { mark, database, time } = open(root);
    await mark.check();
    await mark.marked.commit([[event(1)]]);
    await mark.stop();
    expect(files.read(join(root, 'journal-mark.json'))).toMatch(
      /^\{"lastEvent":1,"tagMark":"\w{4}"\}\n$/,
    );
    expect(time.pending).toBe(0);
    database.close();
  });

  it('is made for a journal of an earlier version, which has none', async () => {
    const left = await killed();
    rmSync(join(left, 'journal-mark.json'));
    expect(await open(left).check()).toBeNull();
    expect(existsSync(join(left, 'journal-mark.json'))).toBe(true);
  });
});
